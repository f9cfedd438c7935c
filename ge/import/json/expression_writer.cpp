#include "ge/import/json/expression_writer.hpp"

#include <algorithm>

namespace ge::json {
namespace {

using enum ExpressionWriter::Precedence;

constexpr size_t longest_text = 80;

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 32);
}

std::string_view function_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::floordiv: return "floordiv(";
    case ExprKind::ceildiv: return "ceildiv(";
    case ExprKind::mod: return "mod(";
    case ExprKind::min: return "min(";
    case ExprKind::max: return "max(";
    default: return "select(";
  }
}

/// Whether the text can stand behind " - " without its sign. The magnitude of the smallest integer has no text.
bool has_sign(const std::string& text) { return text.starts_with('-') && !text.starts_with("-9223372036854775808"); }

bool is_equation(Expr e) { return e.kind() == ExprKind::eq || e.kind() == ExprKind::ne; }

bool is_leaf(Expr e) { return e.is_constant() || e.is_symbol(); }

}  // namespace

/// Operands are ranked before.
void ExpressionWriter::rank(Expr e) {
  Rank out;
  out.hash = mix(0, static_cast<uint64_t>(e.kind()));
  if (e.is_constant()) {
    out.hash = mix(out.hash, static_cast<uint64_t>(e.value()));
  } else if (e.is_symbol()) {
    out.symbol = e.symbol_id();
    for (char c : e.symbol_name()) out.hash = mix(out.hash, static_cast<unsigned char>(c));
  }
  if (is_equation(e)) {
    const std::vector<Term> terms = terms_of(e);
    for (const Term& term : terms) out.hash = mix(mix(mix(out.hash, term.rank.hash), term.magnitude), term.positive == terms[0].positive);
    for (const Term& term : terms) out.symbol = std::min(out.symbol, term.rank.symbol);
    ranks_[e.id()] = out;
    return;
  }
  std::vector<uint64_t> hashes;
  for (Expr operand : e.operands()) {
    const Rank& inner = ranks_.at(operand.id());
    hashes.push_back(inner.hash);
    out.symbol = std::min(out.symbol, inner.symbol);
  }
  if (commutes(e.kind())) std::sort(hashes.begin(), hashes.end());
  for (uint64_t hash : hashes) out.hash = mix(out.hash, hash);
  ranks_[e.id()] = out;
}

/// Symbols in the order of their ids, constants last; the factor of a product first. Of an equation its terms: what
/// stands on one side is no part of its own.
std::vector<Expr> ExpressionWriter::ordered(Expr e) const {
  std::vector<Expr> out(e.operands().begin(), e.operands().end());
  if (!commutes(e.kind())) return out;
  if (is_equation(e)) {
    const std::vector<Term> terms = terms_of(e);
    if (can_move(terms)) {
      out.clear();
      for (const Term& term : terms) out.push_back(term.part);
      return out;
    }
  }
  std::stable_sort(out.begin(), out.end(), [&](Expr a, Expr b) {
    if (a.is_constant() != b.is_constant()) return a.is_constant() == (e.kind() == ExprKind::mul);
    return ranks_.at(a.id()) < ranks_.at(b.id());
  });
  return out;
}

std::string ExpressionWriter::in_place(Expr e, Precedence place) const {
  const Part& part = parts_.at(e.id());
  return part.precedence < place ? "(" + part.text + ")" : part.text;
}

std::string ExpressionWriter::joined(const std::vector<Expr>& operands, std::string_view separator, Precedence place) const {
  std::string out;
  for (Expr operand : operands) out += (out.empty() ? "" : std::string(separator)) + in_place(operand, place);
  return out;
}

/// "W - 2*H - 1". A sum within a sum keeps its parentheses: the two were not combined.
std::string ExpressionWriter::sum(const std::vector<Expr>& terms) const {
  const auto text = [&](Expr term) { return in_place(term, term.is_constant() ? p_sum : p_product); };
  std::vector<Expr> order = terms;
  std::stable_partition(order.begin(), order.end(), [&](Expr term) { return term.is_constant() || !has_sign(text(term)); });
  std::stable_partition(order.begin(), order.end(), [](Expr term) { return !term.is_constant(); });
  std::string out;
  for (Expr term : order) {
    const std::string one = text(term);
    if (out.empty()) out = one;
    else out += has_sign(one) ? " - " + one.substr(1) : " + " + one;
  }
  return out;
}

std::string ExpressionWriter::product(const std::vector<Expr>& factors) const {
  std::string out;
  for (Expr factor : factors) {
    // A product within a product was not combined with it; a negative factor needs no parentheses at the front.
    const bool front = out.empty() && factor.is_constant();
    const std::string text = front ? parts_.at(factor.id()).text : in_place(factor, factor.kind() == ExprKind::mul ? p_primary : p_product);
    if (out == "-1") out = "-" + text;
    else out += (out.empty() ? "" : "*") + text;
  }
  return out;
}

ExpressionWriter::Rank ExpressionWriter::rank_without_factor(Expr e) const {
  if (e.kind() != ExprKind::mul || !e.operands()[0].is_constant()) return ranks_.at(e.id());
  if (e.operands().size() == 2) return ranks_.at(e.operands()[1].id());
  Rank out = ranks_.at(e.id());
  std::vector<uint64_t> hashes;
  for (Expr factor : e.operands().subspan(1)) hashes.push_back(ranks_.at(factor.id()).hash);
  std::sort(hashes.begin(), hashes.end());
  out.hash = 0;
  for (uint64_t hash : hashes) out.hash = mix(out.hash, hash);
  return out;
}

std::vector<ExpressionWriter::Term> ExpressionWriter::terms_of(Expr equation) const {
  std::vector<Term> terms;
  for (size_t side = 0; side < 2; ++side) {
    const Expr whole = equation.operands()[side];
    const std::vector<Expr> parts = whole.kind() == ExprKind::add ? std::vector(whole.operands().begin(), whole.operands().end()) : std::vector{whole};
    for (Expr part : parts) {
      if (part.is_constant(0)) continue;
      const Expr factor = part.kind() == ExprKind::mul ? part.operands()[0] : part;
      const int64_t value = factor.is_constant() ? factor.value() : 1;
      const Rank rank = part.is_constant() ? Rank{UINT32_MAX, UINT64_MAX} : rank_without_factor(part);
      terms.push_back({rank, part, (value < 0) == (side == 1), value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value)});
    }
  }
  std::stable_sort(terms.begin(), terms.end(), [](const Term& x, const Term& y) { return x.rank < y.rank; });
  return terms;
}

/// The smallest integer has no counterpart on the other side.
bool ExpressionWriter::can_move(const std::vector<Term>& terms) {
  return std::all_of(terms.begin(), terms.end(), [](const Term& term) { return term.magnitude <= INT64_MAX; });
}

/// Which terms an equation has on which side depends on the age of its parts. Written are, on the left, the first term
/// by rank and all of its sign, on the right the others.
std::string ExpressionWriter::equation(Expr e, std::string_view separator) const {
  std::string left, right;
  const std::vector<Term> terms = terms_of(e);
  if (!can_move(terms)) return joined(ordered(e), separator, p_sum);
  for (const Term& term : terms) {
    std::string text = in_place(term.part, term.part.is_constant() ? p_sum : p_product);
    const bool negative = term.part.is_constant() ? term.part.value() < 0 : term.part.kind() == ExprKind::mul && term.part.operands()[0].is_constant() && term.part.operands()[0].value() < 0;
    if (has_sign(text)) text.erase(0, 1);
    else if (negative) text = "-" + text;  // a part with a name of its own
    std::string& side = term.positive == terms[0].positive ? left : right;
    side += side.empty() ? text : text.starts_with('-') ? " - " + text.substr(1) : " + " + text;
  }
  return (left.empty() ? "0" : left) + std::string(separator) + (right.empty() ? "0" : right);
}

ExpressionWriter::Part ExpressionWriter::write(Expr e, const std::vector<Expr>& operands) const {
  switch (e.kind()) {
    case ExprKind::constant: return {to_string(e), e.value() < 0 ? p_sum : p_primary};
    case ExprKind::symbol: return {to_string(e), p_primary};
    case ExprKind::add: return {sum(operands), p_sum};
    case ExprKind::mul: return {product(operands), p_product};
    case ExprKind::eq: return {equation(e, " == "), p_comparison};
    case ExprKind::ne: return {equation(e, " != "), p_comparison};
    case ExprKind::lt: return {joined(operands, " < ", p_sum), p_comparison};
    case ExprKind::le: return {joined(operands, " <= ", p_sum), p_comparison};
    case ExprKind::logical_and: return {joined(operands, " and ", p_not), p_and};
    case ExprKind::logical_or: return {joined(operands, " or ", p_and), p_or};
    case ExprKind::logical_not: return {"not " + in_place(operands[0], p_not), p_not};
    default: return {std::string(function_of(e.kind())) + joined(operands, ", ", p_or) + ")", p_primary};
  }
}

void ExpressionWriter::define(Expr e, const std::vector<Expr>& operands) {
  Part part = write(e, operands);
  if (part.text.size() > longest_text && !is_leaf(e)) {
    definitions_.push_back(std::move(part.text));
    part = {"$" + std::to_string(definitions_.size() - 1), p_primary};
  }
  if (e.is_symbol()) symbols_.push_back(e);
  parts_.emplace(e.id(), std::move(part));
}

/// Operands first, with a stack of its own: expressions may be deeper than the program's stack.
void ExpressionWriter::prepare(Expr e) {
  if (parts_.contains(e.id())) return;
  std::vector<Expr> unranked{e}, found;
  while (!unranked.empty()) {
    const Expr next = unranked.back();
    unranked.pop_back();
    if (!ranks_.try_emplace(next.id()).second) continue;
    found.push_back(next);
    for (Expr operand : next.operands()) unranked.push_back(operand);
  }
  std::sort(found.begin(), found.end(), [](Expr a, Expr b) { return a.id() < b.id(); });  // operands are older
  for (Expr one : found) rank(one);

  struct Visit {
    Expr expr;
    std::vector<Expr> operands;
    size_t next = 0;
  };
  std::vector<Visit> open{{e, ordered(e)}};
  while (!open.empty()) {
    Visit& visit = open.back();
    if (visit.next < visit.operands.size()) {
      const Expr operand = visit.operands[visit.next++];
      if (!parts_.contains(operand.id())) open.push_back({operand, ordered(operand)});
      continue;
    }
    define(visit.expr, visit.operands);
    open.pop_back();
  }
}

void ExpressionWriter::prepare(const TensorType& type) {
  if (type.shape)
    for (Expr dim : *type.shape)
      if (dim) prepare(dim);
  if (type.values)
    for (Expr value : *type.values) prepare(value);
}

std::string ExpressionWriter::text(const TensorType& type) const {
  std::string out(to_string(type.dtype));
  const auto list = [&](char open, const std::vector<Expr>& items, char close) {
    out += open;
    for (size_t i = 0; i < items.size(); ++i) (out += i ? ", " : "") += items[i] ? text(items[i]) : std::string_view("*");
    out += close;
  };
  if (type.shape) list('[', *type.shape, ']');
  else out += "[?]";
  if (type.values) list('{', *type.values, '}');
  return kind_text(type.kind, std::move(out));
}

std::vector<Expr> ExpressionWriter::symbols() const {
  std::vector<Expr> out = symbols_;
  std::sort(out.begin(), out.end(), [](Expr a, Expr b) { return a.symbol_id() < b.symbol_id(); });
  return out;
}

}  // namespace ge::json
