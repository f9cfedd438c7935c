// The run side of postfix code: check and evaluate. Needs no SymbolTable.

#include "ge/base/postfix.hpp"

#include "ge/base/symbolic_arith.hpp"

#include <array>

namespace ge {
namespace {

using detail::Int128;
using detail::Value;

bool has_immediate(PostfixOp op) {
  return op == PostfixOp::push_constant || op == PostfixOp::push_symbol || op == PostfixOp::store ||
         op == PostfixOp::load;
}

size_t operand_count(PostfixOp op) {
  switch (op) {
    case PostfixOp::push_constant:
    case PostfixOp::push_symbol:
    case PostfixOp::load: return 0;
    case PostfixOp::logical_not:
    case PostfixOp::store: return 1;
    case PostfixOp::select: return 3;
    default: return 2;
  }
}

bool is_operation(int64_t word) {
  return word >= static_cast<int64_t>(PostfixOp::push_constant) && word <= static_cast<int64_t>(PostfixOp::load);
}

/// The state that check_postfix follows through the code.
struct Checker {
  uint32_t symbol_count;
  size_t depth = 0;
  std::array<bool, kPostfixMaxLocals> stored{};

  /// Null, or what is wrong with the immediate.
  const char* check_immediate(PostfixOp op, int64_t word) {
    if (op == PostfixOp::push_constant) return nullptr;
    if (op == PostfixOp::push_symbol)
      return word < 0 || word >= static_cast<int64_t>(symbol_count) ? "no symbol has this id" : nullptr;
    if (word < 0 || word >= static_cast<int64_t>(kPostfixMaxLocals)) return "the local slot is out of range";
    auto& slot = stored[static_cast<size_t>(word)];
    if (op == PostfixOp::load) return slot ? nullptr : "the local slot is loaded before it is stored";
    slot = true;
    return nullptr;
  }

  const char* apply(PostfixOp op) {
    const size_t taken = operand_count(op);
    if (depth < taken) return "the operation has too few operands";
    depth = depth - taken + 1;
    return depth > kPostfixMaxDepth ? "the stack is too deep" : nullptr;
  }
};

bool refuse(std::string* why, size_t at, int64_t word, const char* reason) {
  if (why) *why = "postfix code, word " + std::to_string(at) + " (" + std::to_string(word) + "): " + reason;
  return false;
}

template <class Op>
Value compare(const Value& a, const Value& b, Op op) {
  return detail::combine_known(a, b, op);
}

Value apply_binary(PostfixOp op, const Value& a, const Value& b) noexcept {
  switch (op) {
    case PostfixOp::add: return detail::add_values(a, b);
    case PostfixOp::mul: return detail::mul_values(a, b);
    case PostfixOp::floordiv: return detail::floordiv_values(a, b);
    case PostfixOp::ceildiv: return detail::ceildiv_values(a, b);
    case PostfixOp::mod: return detail::mod_values(a, b);
    case PostfixOp::min: return compare(a, b, [](Int128 x, Int128 y) { return y < x ? y : x; });
    case PostfixOp::max: return compare(a, b, [](Int128 x, Int128 y) { return x < y ? y : x; });
    case PostfixOp::eq: return compare(a, b, [](Int128 x, Int128 y) { return x == y; });
    case PostfixOp::ne: return compare(a, b, [](Int128 x, Int128 y) { return x != y; });
    case PostfixOp::lt: return compare(a, b, [](Int128 x, Int128 y) { return x < y; });
    case PostfixOp::le: return compare(a, b, [](Int128 x, Int128 y) { return x <= y; });
    case PostfixOp::logical_and: return compare(a, b, [](Int128 x, Int128 y) { return x != 0 && y != 0; });
    case PostfixOp::logical_or: return compare(a, b, [](Int128 x, Int128 y) { return x != 0 || y != 0; });
    default: return {};
  }
}

/// A stack machine on values that may be absent: the side that a select does not choose is computed too,
/// and its absence goes no further.
class Machine {
 public:
  Machine(std::span<const int64_t> symbols, std::span<const uint8_t> bound) : symbols_(symbols), bound_(bound) {}

  /// False when the code is malformed.
  bool step(PostfixOp op, int64_t immediate) noexcept {
    const size_t taken = operand_count(op);
    if (depth_ < taken || depth_ - taken >= kPostfixMaxDepth) return false;
    if ((op == PostfixOp::store || op == PostfixOp::load) &&
        (immediate < 0 || immediate >= static_cast<int64_t>(kPostfixMaxLocals)))
      return false;
    depth_ -= taken;
    Value& result = stack_[depth_++];
    switch (op) {
      case PostfixOp::push_constant: result = detail::known_value(immediate); break;
      case PostfixOp::push_symbol: result = symbol(immediate); break;
      case PostfixOp::load: result = locals_[static_cast<size_t>(immediate)]; break;
      case PostfixOp::store: locals_[static_cast<size_t>(immediate)] = result; break;
      case PostfixOp::logical_not: result = detail::not_value(result); break;
      case PostfixOp::select: result = detail::select_values(result, stack_[depth_], stack_[depth_ + 1]); break;
      default: result = apply_binary(op, result, stack_[depth_]); break;
    }
    return true;
  }

  std::optional<int64_t> result() const noexcept { return depth_ == 1 ? stack_[0].narrow() : std::nullopt; }

 private:
  Value symbol(int64_t id) const noexcept {
    if (id < 0 || static_cast<uint64_t>(id) >= symbols_.size()) return {};
    const auto at = static_cast<size_t>(id);
    if (!bound_.empty() && (at >= bound_.size() || bound_[at] == 0)) return {};
    return detail::known_value(symbols_[at]);
  }

  std::span<const int64_t> symbols_;
  std::span<const uint8_t> bound_;
  std::array<Value, kPostfixMaxDepth> stack_;
  std::array<Value, kPostfixMaxLocals> locals_;
  size_t depth_ = 0;
};

}  // namespace

bool check_postfix(std::span<const int64_t> code, uint32_t symbol_count, std::string* why) {
  Checker checker{.symbol_count = symbol_count};
  for (size_t at = 0; at < code.size(); ++at) {
    const int64_t word = code[at];
    if (!is_operation(word)) return refuse(why, at, word, "no such operation");
    const auto op = static_cast<PostfixOp>(word);
    if (const char* reason = checker.apply(op)) return refuse(why, at, word, reason);
    if (!has_immediate(op)) continue;
    if (++at == code.size()) return refuse(why, at - 1, word, "the code ends before the operation's immediate");
    if (const char* reason = checker.check_immediate(op, code[at])) return refuse(why, at, code[at], reason);
  }
  if (checker.depth == 1) return true;
  if (why) *why = "postfix code leaves " + std::to_string(checker.depth) + " values, expected one";
  return false;
}

std::optional<int64_t> evaluate_postfix(std::span<const int64_t> code, std::span<const int64_t> symbols,
                                        std::span<const uint8_t> bound) noexcept {
  Machine machine(symbols, bound);
  for (size_t at = 0; at < code.size(); ++at) {
    if (!is_operation(code[at])) return std::nullopt;
    const auto op = static_cast<PostfixOp>(code[at]);
    if (has_immediate(op) && ++at == code.size()) return std::nullopt;
    if (!machine.step(op, has_immediate(op) ? code[at] : 0)) return std::nullopt;
  }
  return machine.result();
}

}  // namespace ge
