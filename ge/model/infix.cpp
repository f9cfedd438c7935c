#include "ge/model/infix.hpp"

#include "ge/base/postfix.hpp"

#include <array>
#include <vector>

namespace ge {
namespace {

constexpr size_t longest_text = 400;

/// How tightly an operator binds; an operand that binds less tightly than its place gets parentheses.
enum Precedence { p_or, p_and, p_not, p_comparison, p_sum, p_product, p_primary };

struct Part {
  std::string text;
  Precedence precedence = p_primary;
};

struct Operator {
  const char* text;
  Precedence precedence;
};

/// Text null: a function call.
Operator operator_of(PostfixOp op) {
  switch (op) {
    case PostfixOp::mul: return {"*", p_product};
    case PostfixOp::eq: return {" == ", p_comparison};
    case PostfixOp::ne: return {" != ", p_comparison};
    case PostfixOp::lt: return {" < ", p_comparison};
    case PostfixOp::le: return {" <= ", p_comparison};
    case PostfixOp::logical_and: return {" and ", p_and};
    case PostfixOp::logical_or: return {" or ", p_or};
    default: return {nullptr, p_primary};
  }
}

const char* function_of(PostfixOp op) {
  switch (op) {
    case PostfixOp::floordiv: return "floordiv";
    case PostfixOp::ceildiv: return "ceildiv";
    case PostfixOp::mod: return "mod";
    case PostfixOp::min: return "min";
    case PostfixOp::max: return "max";
    default: return "?";
  }
}

std::string in_place(const Part& part, Precedence place) { return part.precedence < place ? "(" + part.text + ")" : part.text; }

Part sum(const Part& a, const Part& b) {
  if (b.text.starts_with('-')) return {a.text + " - " + b.text.substr(1), p_sum};
  return {in_place(a, p_sum) + " + " + in_place(b, p_sum), p_sum};
}

Part combine(PostfixOp op, const Part& a, const Part& b) {
  if (op == PostfixOp::add) return a.precedence < p_sum || b.precedence < p_sum ? Part{in_place(a, p_sum) + " + " + in_place(b, p_sum), p_sum} : sum(a, b);
  const Operator infix = operator_of(op);
  if (infix.text == nullptr) return {std::string(function_of(op)) + "(" + a.text + ", " + b.text + ")", p_primary};
  if (op == PostfixOp::mul && a.text == "-1") return {"-" + in_place(b, p_product), p_sum};
  // A negative constant needs no parentheses as the first factor.
  const bool negative = op == PostfixOp::mul && a.text.starts_with('-') && a.text.find(' ') == std::string::npos;
  const auto inner = infix.precedence == p_comparison ? p_sum : infix.precedence;
  return {(negative ? a.text : in_place(a, inner)) + infix.text + in_place(b, inner), negative ? p_sum : infix.precedence};
}

void cut(Part& part) {
  if (part.text.size() <= longest_text) return;
  part.text.resize(longest_text);
  part = {"(" + part.text + "...)", p_primary};
}

}  // namespace

std::string infix_text(std::span<const int64_t> code, std::span<const std::string_view> names) {
  std::vector<Part> stack;
  std::array<Part, kPostfixMaxLocals> locals;
  const auto pop = [&] {
    Part part = std::move(stack.back());
    stack.pop_back();
    return part;
  };
  for (size_t at = 0; at < code.size(); ++at) {
    const auto op = static_cast<PostfixOp>(code[at]);
    switch (op) {
      case PostfixOp::push_constant:
        ++at;
        stack.push_back({std::to_string(code[at]), code[at] < 0 ? p_sum : p_primary});
        break;
      case PostfixOp::push_symbol: {
        const auto id = static_cast<size_t>(code[++at]);
        stack.push_back({names[id].empty() ? "symbol" + std::to_string(id) : std::string(names[id]), p_primary});
        break;
      }
      case PostfixOp::store: locals[static_cast<size_t>(code[++at])] = stack.back(); break;
      case PostfixOp::load: stack.push_back(locals[static_cast<size_t>(code[++at])]); break;
      case PostfixOp::logical_not: stack.back() = {"not " + in_place(stack.back(), p_comparison), p_not}; break;
      case PostfixOp::select: {
        const Part c = pop(), b = pop(), a = pop();
        stack.push_back({"select(" + a.text + ", " + b.text + ", " + c.text + ")", p_primary});
        break;
      }
      default: {
        const Part b = pop(), a = pop();
        stack.push_back(combine(op, a, b));
      }
    }
    cut(stack.back());
  }
  return stack.back().text;
}

}  // namespace ge
