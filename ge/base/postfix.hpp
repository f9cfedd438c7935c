#pragma once
// Integer expressions as postfix code: the form in which a model file stores dims and conditions, and which
// is evaluated at run time without a SymbolTable.
//
// Code is a stream of int64_t words: an operation, then its immediate where it has one. Operands are taken
// from a stack, the rightmost on top. Code of one expression leaves exactly one value. A shared part is
// computed once, kept in a local slot and loaded again, so code is about as long as the expression has nodes.

#include "ge/base/export.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ge {

class Expr;

/// The numbers are part of the model file format: never change or reuse one.
enum class PostfixOp : int32_t {
  push_constant = 1,  ///< immediate: the value
  push_symbol = 2,    ///< immediate: the symbol id
  add = 3,
  mul = 4,
  floordiv = 5,  ///< rounded down
  ceildiv = 6,   ///< rounded up
  mod = 7,       ///< with the divisor's sign
  min = 8,
  max = 9,
  eq = 10,  ///< comparisons and logical operations give 1 or 0
  ne = 11,
  lt = 12,
  le = 13,
  logical_and = 14,
  logical_or = 15,
  logical_not = 16,
  select = 17,  ///< condition, value if non-zero, value if zero
  store = 18,   ///< immediate: local slot; copies the top of the stack, leaves it there
  load = 19,    ///< immediate: local slot, stored before
};

inline constexpr size_t kPostfixMaxDepth = 64;   ///< stack values at any time
inline constexpr size_t kPostfixMaxLocals = 64;  ///< local slots

/// Appends the code of one expression. Raises Error(unsupported) if it needs a deeper stack, or more than
/// 2^20 words, and Error(invalid_argument) for a null Expr; `code` is then unchanged.
GE_API void compile_postfix(Expr expr, std::vector<int64_t>& code);

/// Whether the code is well formed: known operations, complete immediates, symbol ids below symbol_count,
/// slots in range and stored before they are loaded, stack depth within bounds and one value at the end.
/// Otherwise says why (if `why` is not null). Safe from any thread.
GE_API bool check_postfix(std::span<const int64_t> code, uint32_t symbol_count, std::string* why);

/// The value for `symbols` (by id), as evaluate() gives it for the expression: nullopt where a symbol that
/// matters is unbound, a divisor is zero, or the result does not fit int64_t. What a select does not choose
/// does not matter. `bound` has one flag per symbol, 0 meaning unbound; left empty, all are bound. Code that
/// check_postfix refuses gives nullopt. Does not allocate; safe from any thread.
GE_API std::optional<int64_t> evaluate_postfix(std::span<const int64_t> code, std::span<const int64_t> symbols,
                                               std::span<const uint8_t> bound = {}) noexcept;

}  // namespace ge
