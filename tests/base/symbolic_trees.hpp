#pragma once
// Plain expression trees to test symbolic integers against: evaluated with no help from the code under
// test, and never simplified.

#include "ge/base/symbolic.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

namespace ge::test {

__extension__ typedef __int128 Wide;

enum class Op {
  constant,
  symbol,
  negate,
  add,
  sub,
  mul,
  floordiv,
  ceildiv,
  mod,
  min,
  max,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  both,
  either,
  inverse,
  select
};
inline constexpr Op kFirstOperation = Op::negate;
inline constexpr Op kLastOperation = Op::select;

inline size_t arity(Op op) {
  switch (op) {
    case Op::constant:
    case Op::symbol: return 0;
    case Op::negate:
    case Op::inverse: return 1;
    case Op::select: return 3;
    default: return 2;
  }
}

struct Tree {
  Op op = Op::constant;
  Wide value = 0;  // of a constant; index of a symbol
  std::vector<Tree> operands;
};

/// How a tree is evaluated: `strict` has no value as soon as any intermediate result leaves int64_t, `exact` only when
/// it leaves 128 bits.
enum class Range { strict, exact };

inline std::optional<Wide> within(Range range, std::optional<Wide> v) {
  return v && range == Range::strict && (*v < INT64_MIN || *v > INT64_MAX) ? std::nullopt : v;
}

inline std::optional<Wide> divide(Op op, Wide a, Wide b) {
  constexpr Wide kSmallest = Wide{1} << 126;
  if (b == 0 || a > kSmallest || a < -kSmallest) return std::nullopt;
  Wide down = a / b;
  if (a % b != 0 && (a < 0) != (b < 0)) --down;
  if (op == Op::floordiv) return down;
  if (op == Op::ceildiv) return a % b == 0 ? down : down + 1;
  return a - down * b;
}

inline std::optional<Wide> apply(Op op, Wide a, Wide b) {
  Wide r = 0;
  switch (op) {
    case Op::add: return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case Op::sub: return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case Op::mul: return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case Op::floordiv:
    case Op::ceildiv:
    case Op::mod: return divide(op, a, b);
    case Op::min: return std::min(a, b);
    case Op::max: return std::max(a, b);
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    case Op::ge: return a >= b;
    case Op::both: return a != 0 && b != 0;
    case Op::either: return a != 0 || b != 0;
    default: throw std::logic_error("not a binary operation");
  }
}

inline std::optional<Wide> evaluate(const Tree& t, const std::vector<int64_t>& symbols, Range range) {
  if (t.op == Op::constant) return within(range, t.value);
  if (t.op == Op::symbol) return symbols[static_cast<size_t>(t.value)];
  const auto first = evaluate(t.operands[0], symbols, range);
  if (!first) return std::nullopt;
  if (t.op == Op::select) return evaluate(t.operands[*first != 0 ? 1 : 2], symbols, range);
  if (t.op == Op::inverse) return *first == 0;
  if (t.op == Op::negate) return within(range, apply(Op::sub, 0, *first));
  const auto second = evaluate(t.operands[1], symbols, range);
  return second ? within(range, apply(t.op, *first, *second)) : std::nullopt;
}

/// The tree through the operators under test.
inline Expr build(const Tree& t, SymbolTable& table, const std::vector<Expr>& symbols) {
  if (t.op == Op::constant) return table.constant(static_cast<int64_t>(t.value));
  if (t.op == Op::symbol) return symbols[static_cast<size_t>(t.value)];
  const Expr a = build(t.operands[0], table, symbols);
  if (t.op == Op::negate) return -a;
  if (t.op == Op::inverse) return logical_not(a);
  const Expr b = build(t.operands[1], table, symbols);
  switch (t.op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::floordiv: return floor_div(a, b);
    case Op::ceildiv: return ceil_div(a, b);
    case Op::mod: return floor_mod(a, b);
    case Op::min: return min_of(a, b);
    case Op::max: return max_of(a, b);
    case Op::eq: return equal(a, b);
    case Op::ne: return not_equal(a, b);
    case Op::lt: return less(a, b);
    case Op::le: return less_equal(a, b);
    case Op::gt: return greater(a, b);
    case Op::ge: return greater_equal(a, b);
    case Op::both: return logical_and(a, b);
    case Op::either: return logical_or(a, b);
    default: return select(a, b, build(t.operands[2], table, symbols));
  }
}

using Random = std::mt19937_64;

inline size_t pick(Random& random, size_t count) { return static_cast<size_t>(random() % count); }

/// A random tree of at most `depth` operations above a leaf; leaves from `constants` and the symbols.
inline Tree random_tree(Random& random, size_t depth, size_t symbol_count, const std::vector<int64_t>& constants) {
  if (depth == 0 || pick(random, 6) == 0) {
    if (pick(random, 3) == 0) return {Op::constant, constants[pick(random, constants.size())], {}};
    return {Op::symbol, static_cast<Wide>(pick(random, symbol_count)), {}};
  }
  constexpr auto kFirst = static_cast<size_t>(kFirstOperation),
                 kCount = static_cast<size_t>(kLastOperation) - kFirst + 1;
  // Sums, products and quotients are what dims are made of: half of all operations.
  constexpr Op kUsual[] = {Op::add, Op::sub, Op::mul, Op::floordiv, Op::floordiv, Op::mod};
  Tree t{pick(random, 2) ? kUsual[pick(random, std::size(kUsual))] : static_cast<Op>(kFirst + pick(random, kCount)),
         0,
         {}};
  for (size_t i = 0; i < arity(t.op); ++i)
    t.operands.push_back(random_tree(random, depth - 1, symbol_count, constants));
  return t;
}

/// The same value written differently: operands of commuting operations change places at random.
inline Tree commuted(const Tree& t, Random& random) {
  Tree other{t.op, t.value, {}};
  for (const Tree& operand : t.operands) other.operands.push_back(commuted(operand, random));
  const bool commutes = t.op == Op::add || t.op == Op::mul || t.op == Op::min || t.op == Op::max || t.op == Op::eq ||
                        t.op == Op::ne || t.op == Op::both || t.op == Op::either;
  if (commutes && pick(random, 2)) std::swap(other.operands[0], other.operands[1]);
  return other;
}

}  // namespace ge::test
