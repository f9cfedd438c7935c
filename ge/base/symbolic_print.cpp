// to_string: infix text with parentheses exactly where precedence needs them.

#include "ge/base/symbolic_internal.hpp"

#include <algorithm>
#include <cctype>

namespace ge {
namespace {

constexpr size_t kLongestText = 64 * 1024;  // shared parts are written out, which can grow without end

// Loosest first. An operand is put in parentheses when it binds looser than its place asks for.
enum Precedence { kOr, kAnd, kNot, kComparison, kSum, kProduct, kPrimary };

bool is_identifier(std::string_view name) {
  if (name == "and" || name == "or" || name == "not") return false;
  const auto inner = [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_' || c == '.'); };
  return inner(static_cast<unsigned char>(name[0])) && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         name[0] != '.' && std::ranges::all_of(name, inner);
}

std::string symbol_text(std::string_view name) {
  if (is_identifier(name)) return std::string(name);
  std::string quoted = "`";
  for (char c : name) quoted += c == '`' ? std::string("``") : std::string(1, c);
  return quoted + "`";
}

Precedence precedence_of(Expr e) {
  switch (e.kind()) {
    case ExprKind::logical_or: return kOr;
    case ExprKind::logical_and: return kAnd;
    case ExprKind::logical_not: return kNot;
    case ExprKind::eq:
    case ExprKind::ne:
    case ExprKind::lt:
    case ExprKind::le: return kComparison;
    case ExprKind::add: return kSum;
    case ExprKind::mul: return kProduct;
    case ExprKind::constant: return e.value() < 0 ? kSum : kPrimary;  // "-3" is a unary minus
    default: return kPrimary;
  }
}

std::string_view separator_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::logical_or: return " or ";
    case ExprKind::logical_and: return " and ";
    case ExprKind::eq: return " == ";
    case ExprKind::ne: return " != ";
    case ExprKind::lt: return " < ";
    case ExprKind::le: return " <= ";
    case ExprKind::mul: return "*";
    default: return ", ";
  }
}

std::string_view function_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::floordiv: return "floordiv";
    case ExprKind::ceildiv: return "ceildiv";
    case ExprKind::mod: return "mod";
    case ExprKind::min: return "min";
    case ExprKind::max: return "max";
    default: return "select";
  }
}

/// Writes left to right from a stack of what is still to be written, so deep expressions need no recursion.
class Printer {
 public:
  std::string print(Expr root) {
    push(root, kOr);
    while (!pending_.empty()) {
      if (text_.size() > kLongestText) return text_.substr(0, kLongestText) + "...";
      const Item item = pending_.back();
      pending_.pop_back();
      if (item.expr)
        expand(item.expr, item.place);
      else
        text_ += item.text;
    }
    return std::move(text_);
  }

 private:
  struct Item {
    Expr expr;  // null: write text
    Precedence place = kOr;
    std::string text;
  };

  void push(Expr e, Precedence place) { pending_.push_back({e, place, {}}); }
  void push(std::string_view text) { pending_.push_back({{}, kOr, std::string(text)}); }

  void expand(Expr e, Precedence place) {
    if (precedence_of(e) < place) {
      text_ += '(';
      push(")");
    }
    switch (e.kind()) {
      case ExprKind::constant: text_ += std::to_string(e.value()); return;
      case ExprKind::symbol: text_ += symbol_text(e.symbol_name()); return;
      case ExprKind::add: return expand_sum(e);
      case ExprKind::mul: return expand_product(e);
      case ExprKind::logical_not: text_ += "not "; return push(e.operands()[0], kNot);
      case ExprKind::eq:
      case ExprKind::ne:
      case ExprKind::lt:
      case ExprKind::le: return expand_list(e, kSum);
      case ExprKind::logical_and: return expand_list(e, kNot);
      case ExprKind::logical_or: return expand_list(e, kAnd);
      default:
        text_ += function_of(e.kind());
        text_ += '(';
        push(")");
        return expand_list(e, kOr);
    }
  }

  void expand_list(Expr e, Precedence place) {
    const auto operands = e.operands();
    for (size_t i = operands.size(); i-- > 0;) {
      push(operands[i], place);
      if (i > 0) push(separator_of(e.kind()));
    }
  }

  static bool begins_negative(Expr e) {
    if (e.kind() == ExprKind::mul) return begins_negative(e.operands()[0]);
    return e.is_constant() && e.value() < 0;
  }

  /// Terms with a minus last, the constant behind all: "W - 2*H - 1". A sum within a sum (an opaque one)
  /// keeps its parentheses, to show what was not combined.
  void expand_sum(Expr e) {
    std::vector<Expr> terms(e.operands().begin(), e.operands().end());
    std::stable_partition(terms.begin(), terms.end(), [](Expr t) { return !begins_negative(t) && !t.is_constant(); });
    std::stable_partition(terms.begin(), terms.end(), [](Expr t) { return !t.is_constant(); });
    for (size_t i = terms.size(); i-- > 0;) {
      const bool minus = i > 0 && begins_negative(terms[i]);
      if (minus)
        push_magnitude(terms[i]);
      else
        push(terms[i], terms[i].kind() == ExprKind::add ? kProduct : kSum);
      if (i > 0) push(minus ? " - " : " + ");
    }
  }

  /// A term that begins negative, without its sign.
  void push_magnitude(Expr e) {
    if (e.is_constant()) return push(std::to_string(e.value()).substr(1));
    const auto operands = e.operands();
    for (size_t i = operands.size(); i-- > 1;) {
      push(operands[i], factor_place(operands[i]));
      if (i > 1 || !operands[0].is_constant(-1)) push("*");
    }
    if (!operands[0].is_constant(-1)) push_magnitude(operands[0]);
  }

  void expand_product(Expr e) {
    if (begins_negative(e)) {
      text_ += '-';
      return push_magnitude(e);
    }
    const auto operands = e.operands();
    for (size_t i = operands.size(); i-- > 0;) {
      push(operands[i], factor_place(operands[i]));
      if (i > 0) push("*");
    }
  }

  /// A product within a product needs no parentheses unless a sign would stand inside.
  static Precedence factor_place(Expr e) { return begins_negative(e) ? kPrimary : kProduct; }

  std::string text_;
  std::vector<Item> pending_;
};

}  // namespace

std::string to_string(Expr expr) { return expr ? Printer().print(expr) : "?"; }

}  // namespace ge
