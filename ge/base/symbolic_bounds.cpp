// Interval arithmetic: the bounds of an expression from the bounds of its operands.
//
// Intermediate results of an evaluation may lie outside int64_t, so an end at INT64_MIN or INT64_MAX is
// taken as infinite, and results that leave int64_t are clamped to it: always a wider range, never a
// narrower one.

#include "ge/base/symbolic_internal.hpp"

#include <algorithm>

namespace ge::detail {
namespace {

constexpr Interval kEverything{-kUnbounded, kUnbounded};

Int128 clamp_end(Int128 v) { return std::clamp(v, -kUnbounded, kUnbounded); }
bool infinite(Int128 end) { return end <= -kUnbounded || end >= kUnbounded; }

Int128 mul_ends(Int128 a, Int128 b) {
  if (a == 0 || b == 0) return 0;
  Int128 product;
  if (infinite(a) || infinite(b) || __builtin_mul_overflow(a, b, &product))
    return (a < 0) == (b < 0) ? kUnbounded : -kUnbounded;
  return clamp_end(product);
}

Interval negate(Interval a) { return {-a.hi, -a.lo}; }
Interval unite(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }
bool empty(Interval a) { return a.lo > a.hi; }

Interval positive_part(Interval a) { return {std::max<Int128>(a.lo, 1), a.hi}; }
Interval negative_part(Interval a) { return {a.lo, std::min<Int128>(a.hi, -1)}; }

// Applies f(a, b) for the positive divisors, and g for the negative ones; a zero divisor gives no value.
template <class F, class G>
Interval by_sign_of_divisor(Interval b, F for_positive, G for_negative) {
  const Interval positive = positive_part(b), negative = negative_part(b);
  if (empty(positive) && empty(negative)) return kEverything;
  if (empty(negative)) return for_positive(positive);
  if (empty(positive)) return for_negative(negative);
  return unite(for_positive(positive), for_negative(negative));
}

Int128 floor_ends(Int128 x, Int128 y) {  // y >= 1
  if (infinite(x)) return x;
  if (infinite(y)) return x < 0 ? -1 : 0;
  return floor_quotient(x, y);
}

// The quotient grows with x and is monotone in y for a fixed x, so its extremes are at the ends.
Interval floordiv_positive(Interval x, Interval y) {
  return {std::min(floor_ends(x.lo, y.lo), floor_ends(x.lo, y.hi)),
          std::max(floor_ends(x.hi, y.lo), floor_ends(x.hi, y.hi))};
}

Interval floordiv_intervals(Interval x, Interval y) {
  return by_sign_of_divisor(
      y, [&](Interval p) { return floordiv_positive(x, p); },
      [&](Interval n) { return floordiv_positive(negate(x), negate(n)); });
}

Interval mod_positive(Interval x, Interval y) {
  if (x.lo >= 0 && x.hi < y.lo) return x;
  const Int128 largest = infinite(y.hi) ? kUnbounded : y.hi - 1;
  return {0, x.lo >= 0 ? std::min(largest, x.hi) : largest};
}

Interval mod_intervals(Interval x, Interval y) {
  return by_sign_of_divisor(
      y, [&](Interval p) { return mod_positive(x, p); },
      [&](Interval n) { return negate(mod_positive(negate(x), negate(n))); });
}

Bounds saturate(Interval a) {
  const auto end = [](Int128 v) { return static_cast<int64_t>(std::clamp<Int128>(v, INT64_MIN, INT64_MAX)); };
  return {end(a.lo), end(a.hi)};
}

template <class Combine>
Interval fold_operands(std::span<const Expr> operands, Combine combine) {
  Interval all = interval_of(operands[0].bounds());
  for (Expr e : operands.subspan(1)) all = combine(all, interval_of(e.bounds()));
  return all;
}

}  // namespace

Interval interval_of(Bounds b) {
  return {b.lo == INT64_MIN ? -kUnbounded : b.lo, b.hi == INT64_MAX ? kUnbounded : b.hi};
}

Interval add_intervals(Interval a, Interval b) {
  const Int128 lo = a.lo <= -kUnbounded || b.lo <= -kUnbounded ? -kUnbounded : clamp_end(a.lo + b.lo);
  const Int128 hi = a.hi >= kUnbounded || b.hi >= kUnbounded ? kUnbounded : clamp_end(a.hi + b.hi);
  return {lo, hi};
}

Interval mul_intervals(Interval a, Interval b) {
  const auto [lo, hi] =
      std::minmax({mul_ends(a.lo, b.lo), mul_ends(a.lo, b.hi), mul_ends(a.hi, b.lo), mul_ends(a.hi, b.hi)});
  return {lo, hi};
}

Bounds bounds_of(ExprKind kind, std::span<const Expr> operands) {
  const auto of = [&](size_t i) { return interval_of(operands[i].bounds()); };
  switch (kind) {
    case ExprKind::add: return saturate(fold_operands(operands, add_intervals));
    case ExprKind::mul: return saturate(fold_operands(operands, mul_intervals));
    case ExprKind::floordiv: return saturate(floordiv_intervals(of(0), of(1)));
    case ExprKind::ceildiv: return saturate(negate(floordiv_intervals(negate(of(0)), of(1))));
    case ExprKind::mod: return saturate(mod_intervals(of(0), of(1)));
    case ExprKind::min:
      return saturate(fold_operands(operands, [](Interval a, Interval b) {
        return Interval{std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
      }));
    case ExprKind::max:
      return saturate(fold_operands(operands, [](Interval a, Interval b) {
        return Interval{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
      }));
    case ExprKind::select: return saturate(unite(of(1), of(2)));
    case ExprKind::constant:
    case ExprKind::symbol: return {};
    default: return {0, 1};
  }
}

}  // namespace ge::detail
