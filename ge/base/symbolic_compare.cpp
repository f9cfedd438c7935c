// Comparisons, min and max.
//
// A comparison is brought to s = K, s != K or s <= K, where s is a sum without constant whose coefficients
// have no common divisor; then the bounds of s may decide it. Printed and stored, the positive terms stand
// on the left and the others on the right: `2*H - 2*W < 0` is `H < W`. `s <= K` at the end of s's range
// becomes `s == K` or `s != K + 1`, so that `N > 0` and `N != 0` are one node for N >= 0.

#include "ge/base/symbolic_internal.hpp"

#include <algorithm>

namespace ge {
namespace detail {
namespace {

bool contains(std::span<const Expr> operands, Expr e) { return std::ranges::find(operands, e) != operands.end(); }
bool is_boolean(Expr e) { return e.bounds().lo >= 0 && e.bounds().hi <= 1; }

/// a - b; look at fits() before use.
void subtract(Expr a, Expr b, Linear& into) {
  into.add(1, a);
  into.add(-1, b);
}

/// Whether a is a min with b among its operands, or b a max with a among them.
bool below_by_form(Expr a, Expr b) {
  return (a.kind() == ExprKind::min && contains(a.operands(), b)) ||
         (b.kind() == ExprKind::max && contains(b.operands(), a));
}

/// The range of a sum; that of p - q also from min(q, ...) <= q <= max(q, ...), which bounds alone do not show.
Interval range_of(const Linear& s) {
  Interval range = s.interval();
  if (s.terms.size() != 2 || s.terms[0].coefficient + s.terms[1].coefficient != 0) return range;
  const bool swapped = s.terms[0].coefficient < 0;
  const Expr p = s.terms[swapped].atom, q = s.terms[!swapped].atom;
  if (below_by_form(p, q)) range.hi = std::min(range.hi, s.constant);
  if (below_by_form(q, p)) range.lo = std::max(range.lo, s.constant);
  return range;
}

Interval bounds_of_difference(Expr a, Expr b) {
  Linear difference;
  subtract(a, b, difference);
  if (difference.fits()) return range_of(difference);
  return add_intervals(interval_of(a.bounds()), mul_intervals({-1, -1}, interval_of(b.bounds())));
}

/// Positive terms to the left, the others with turned sign to the right, and the constant to the right, or
/// to the left where that would be bare. False when a side does not fit.
bool split_sides(const Linear& s, Int128 k, Linear& left, Linear& right) {
  for (const Term& t : s.terms)
    (t.coefficient > 0 ? left : right).append(t.atom, t.coefficient > 0 ? t.coefficient : -t.coefficient);
  if (left.terms.empty())
    left.constant = -k;
  else
    right.constant = k;
  return left.fits() && right.fits();
}

/// s == k or s != k for s reduced; null when it does not fit.
Expr build_equality(SymbolTable& table, Linear& s, Int128 k, bool negated) {
  if (s.terms[0].coefficient < 0) {  // one spelling for s == k and -s == -k
    for (Term& t : s.terms) t.coefficient = -t.coefficient;
    k = -k;
  }
  const Interval range = range_of(s);
  if (k < range.lo || k > range.hi) return table.constant(negated);
  if (range.lo == range.hi && range.hi < kUnbounded && range.lo > -kUnbounded) return table.constant(!negated);
  const Expr only = s.terms[0].atom;
  if (s.terms.size() == 1 && is_boolean(only)) return (k == 1) != negated ? only : logical_not(only);
  Linear left, right;
  if (!split_sides(s, k, left, right)) return {};
  return intern(negated ? ExprKind::ne : ExprKind::eq, left.build(table), right.build(table));
}

/// s <= k for s reduced; null when it does not fit.
Expr build_order(SymbolTable& table, Linear& s, Int128 k) {
  const Interval range = range_of(s);
  if (range.hi < kUnbounded && range.hi <= k) return table.constant(1);
  if (range.lo > -kUnbounded && range.lo > k) return table.constant(0);
  if (range.lo > -kUnbounded && range.lo == k) return build_equality(table, s, k, /*negated=*/false);
  if (range.hi < kUnbounded && range.hi == k + 1) return build_equality(table, s, k + 1, /*negated=*/true);
  Linear left, right;
  const bool strict = k == -1 && std::ranges::any_of(s.terms, [](const Term& t) { return t.coefficient > 0; }) &&
                      std::ranges::any_of(s.terms, [](const Term& t) { return t.coefficient < 0; });
  if (!split_sides(s, strict ? 0 : k, left, right)) return {};
  return intern(strict ? ExprKind::lt : ExprKind::le, left.build(table), right.build(table));
}

/// Without a common form: decided by bounds, else kept as written.
Expr compare_as_written(ExprKind kind, Expr a, Expr b) {
  SymbolTable& table = a.table();
  const Interval gap = bounds_of_difference(a, b);
  const bool below = gap.hi < 0 && gap.hi > -kUnbounded, above = gap.lo > 0;
  if (kind == ExprKind::le && (below || gap.hi == 0)) return table.constant(1);
  if (kind == ExprKind::le && above) return table.constant(0);
  if (kind == ExprKind::le) return intern(kind, a, b);
  if (below || above) return table.constant(kind == ExprKind::ne);
  return b.id() < a.id() ? intern(kind, b, a) : intern(kind, a, b);
}

/// kind: eq, ne or le.
Expr compare(ExprKind kind, Expr a, Expr b) {
  SymbolTable& table = a.table();
  if (a == b) return table.constant(kind != ExprKind::ne);
  Linear s;
  subtract(a, b, s);
  if (!s.fits()) return compare_as_written(kind, a, b);
  const Int128 k = -s.constant;
  s.constant = 0;
  if (s.terms.empty()) return table.constant(kind == ExprKind::eq ? k == 0 : kind == ExprKind::ne ? k != 0 : k >= 0);
  const Int128 common = s.content(0);
  for (Term& t : s.terms) t.coefficient /= common;
  Expr result;
  if (kind == ExprKind::le)
    result = build_order(table, s, floor_quotient(k, common));
  else if (k % common != 0)
    return table.constant(kind == ExprKind::ne);
  else
    result = build_equality(table, s, k / common, kind == ExprKind::ne);
  return result ? result : compare_as_written(kind, a, b);
}

/// Adds e to the sorted operands of a min (or max), dropping those that cannot be the result.
void add_extremum(std::vector<Expr>& operands, Expr e, ExprKind kind) {
  constexpr size_t kMostCompared = 16;  // bounds the work for very long lists
  const auto decided = [kind](Expr winner, Expr loser) {
    return kind == ExprKind::min ? always_less_equal(winner, loser) : always_less_equal(loser, winner);
  };
  const auto useless = [&](Expr it, Expr beside) {  // of two always equal ones the older stays
    return decided(beside, it) && !(it.id() < beside.id() && decided(it, beside));
  };
  const auto at = std::ranges::lower_bound(operands, e.id(), {}, &Expr::id);
  if (at != operands.end() && *at == e) return;
  if (operands.size() > kMostCompared) {
    operands.insert(at, e);
    return;
  }
  if (std::ranges::any_of(operands, [&](Expr other) { return useless(e, other); })) return;
  std::erase_if(operands, [&](Expr other) { return useless(other, e); });
  operands.insert(std::ranges::lower_bound(operands, e.id(), {}, &Expr::id), e);
}

Expr extremum(ExprKind kind, Expr a, Expr b) {
  if (a == b) return a;
  std::vector<Expr> operands;
  for (Expr side : {a, b}) {
    if (side.kind() != kind)
      add_extremum(operands, side, kind);
    else
      for (Expr e : side.operands()) add_extremum(operands, e, kind);
  }
  return operands.size() == 1 ? operands[0] : intern(kind, operands);
}

}  // namespace

bool always_less_equal(Expr a, Expr b) { return a == b || bounds_of_difference(a, b).hi <= 0; }

}  // namespace detail

Expr equal(Expr a, Expr b) {
  detail::check_operands(a, b);
  return detail::compare(ExprKind::eq, a, b);
}

Expr not_equal(Expr a, Expr b) {
  detail::check_operands(a, b);
  return detail::compare(ExprKind::ne, a, b);
}

Expr less_equal(Expr a, Expr b) {
  detail::check_operands(a, b);
  return detail::compare(ExprKind::le, a, b);
}

Expr less(Expr a, Expr b) { return logical_not(less_equal(b, a)); }

Expr min_of(Expr a, Expr b) {
  detail::check_operands(a, b);
  return detail::extremum(ExprKind::min, a, b);
}

Expr max_of(Expr a, Expr b) {
  detail::check_operands(a, b);
  return detail::extremum(ExprKind::max, a, b);
}

}  // namespace ge
