// Sums and products.
//
// A sum is a linear combination of atoms with constant coefficients, sorted by atom; adding, subtracting
// and multiplying by a constant work on that form, so (a + b) - b is a. A product is a constant times a
// sorted list of factors; it is distributed over a sum only when the other operand is constant.
//
// Where a coefficient or a constant would leave int64_t the operation is kept as written, as an "opaque"
// node that later sums and products treat as one atom. Coefficients of a form add up to at most 2^63 in
// magnitude, so a sum whose atoms fit int64_t can be evaluated in 128 bits in any order.

#include "ge/base/symbolic_internal.hpp"

#include <algorithm>

namespace ge {
namespace detail {
namespace {

constexpr Int128 kLargestWeight = Int128{1} << 63;

Int128 magnitude(Int128 v) { return v < 0 ? -v : v; }

bool is_multiple(Expr e) { return e.kind() == ExprKind::mul && !is_opaque(e) && e.operands()[0].is_constant(); }
bool is_sum(Expr e) { return e.kind() == ExprKind::add && !is_opaque(e); }
bool is_product(Expr e) { return e.kind() == ExprKind::mul && !is_opaque(e) && !is_multiple(e); }

Expr intern_sorted(ExprKind kind, Expr a, Expr b) {
  if (b.id() < a.id()) std::swap(a, b);
  return intern(kind, a, b, /*opaque=*/true);
}

Expr scale(Expr e, int64_t factor) {
  if (factor == 1) return e;
  Linear scaled;
  scaled.add(factor, e);
  if (scaled.fits()) return scaled.build(e.table());
  return intern(ExprKind::mul, e.table().constant(factor), e, /*opaque=*/true);
}

}  // namespace

Int128 gcd(Int128 a, Int128 b) {
  a = magnitude(a);
  b = magnitude(b);
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

void Linear::add_term(Expr atom, Int128 coefficient) {
  const auto at = terms.empty() || terms.back().atom.id() < atom.id()
                      ? terms.end()
                      : std::ranges::lower_bound(terms, atom.id(), {}, [](const Term& t) { return t.atom.id(); });
  if (at == terms.end() || at->atom != atom) {
    terms.insert(at, {atom, coefficient});
    return;
  }
  overflowed |= __builtin_add_overflow(at->coefficient, coefficient, &at->coefficient);
  if (at->coefficient == 0) terms.erase(at);
}

void Linear::add(Int128 scale, Expr e) {
  if (e.is_constant()) {
    Int128 product;
    overflowed |= __builtin_mul_overflow(scale, Int128{e.value()}, &product);
    overflowed |= __builtin_add_overflow(constant, product, &constant);
  } else if (is_sum(e)) {
    for (Expr operand : e.operands()) add(scale, operand);
  } else if (is_multiple(e)) {
    Int128 product;
    overflowed |= __builtin_mul_overflow(scale, Int128{e.operands()[0].value()}, &product);
    if (product != 0) add_term(e.operands()[1], product);
  } else if (scale != 0) {
    add_term(e, scale);
  }
}

bool Linear::fits() const {
  if (overflowed || !fits_int64(constant)) return false;
  Int128 weight = 0;
  for (const Term& t : terms) {
    if (!fits_int64(t.coefficient)) return false;
    weight += magnitude(t.coefficient);
  }
  return weight <= kLargestWeight;
}

Interval Linear::interval() const {
  Interval all{constant, constant};
  for (const Term& t : terms)
    all = add_intervals(all, mul_intervals({t.coefficient, t.coefficient}, interval_of(t.atom.bounds())));
  return all;
}

Int128 Linear::content(Int128 with) const {
  Int128 common = magnitude(with);
  for (const Term& t : terms) {
    if (common == 1) break;
    common = gcd(common, t.coefficient);
  }
  return common;
}

Expr Linear::build(SymbolTable& table) const {
  if (terms.empty()) return table.constant(static_cast<int64_t>(constant));
  alignas(Expr) std::array<std::byte, (kInlineTerms + 1) * sizeof(Expr)> buffer;
  std::pmr::monotonic_buffer_resource memory(buffer.data(), buffer.size());
  std::pmr::vector<Expr> operands(&memory);
  operands.reserve(terms.size() + 1);
  for (const Term& t : terms) {
    const auto coefficient = static_cast<int64_t>(t.coefficient);
    operands.push_back(coefficient == 1 ? t.atom : intern(ExprKind::mul, table.constant(coefficient), t.atom));
  }
  if (constant != 0) operands.push_back(table.constant(static_cast<int64_t>(constant)));
  return operands.size() == 1 ? operands[0] : intern(ExprKind::add, operands);
}

Monomial monomial_of(Expr e) {
  if (is_multiple(e)) {
    Monomial m = monomial_of(e.operands()[1]);
    m.coefficient = e.operands()[0].value();
    return m;
  }
  if (is_product(e)) return {1, {e.operands().begin(), e.operands().end()}};
  if (!is_sum(e)) return {1, {e}};
  Linear sum;
  sum.add(1, e);
  const Int128 common = sum.content(sum.constant);
  if (common == 1 || !fits_int64(common)) return {1, {e}};
  for (Term& t : sum.terms) t.coefficient /= common;
  sum.constant /= common;
  return {static_cast<int64_t>(common), {sum.build(e.table())}};
}

bool remove_factors(std::vector<Expr>& from, const std::vector<Expr>& part) {
  if (!std::ranges::includes(from, part, {}, &Expr::id, &Expr::id)) return false;
  std::vector<Expr> rest;
  std::ranges::set_difference(from, part, std::back_inserter(rest), {}, &Expr::id, &Expr::id);
  from.swap(rest);
  return true;
}

Expr build_monomial(SymbolTable& table, const Monomial& m) {
  if (m.factors.empty() || m.coefficient == 0) return table.constant(m.coefficient);
  return scale(m.factors.size() == 1 ? m.factors[0] : intern(ExprKind::mul, m.factors), m.coefficient);
}

namespace {

Expr multiply(Expr a, Expr b) {
  const Monomial left = monomial_of(a), right = monomial_of(b);
  Monomial product;
  if (__builtin_mul_overflow(left.coefficient, right.coefficient, &product.coefficient))
    return intern_sorted(ExprKind::mul, a, b);
  std::ranges::merge(left.factors, right.factors, std::back_inserter(product.factors), {}, &Expr::id, &Expr::id);
  return build_monomial(a.table(), product);
}

Expr combine(Expr a, Expr b, int64_t scale_of_b) {
  Linear sum;
  sum.add(1, a);
  sum.add(scale_of_b, b);
  if (sum.fits()) return sum.build(a.table());
  return intern_sorted(ExprKind::add, a, scale(b, scale_of_b));
}

}  // namespace
}  // namespace detail

Expr operator+(Expr a, Expr b) {
  detail::check_operands(a, b);
  return detail::combine(a, b, 1);
}

Expr operator-(Expr a, Expr b) {
  detail::check_operands(a, b);
  return detail::combine(a, b, -1);
}

Expr operator-(Expr a) {
  detail::check_operand(a);
  return detail::scale(a, -1);
}

Expr operator*(Expr a, Expr b) {
  detail::check_operands(a, b);
  if (a.is_constant()) return detail::scale(b, a.value());
  if (b.is_constant()) return detail::scale(a, b.value());
  return detail::multiply(a, b);
}

}  // namespace ge
