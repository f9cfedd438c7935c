// Quotients and remainders by constants.
//
// Dividing by a positive constant c (a negative one is turned around first):
//   1. terms whose coefficient c divides, and the constant's multiple of c, move out of the quotient;
//   2. what is left, r, is divided by the common divisor of c and its coefficients;
//   3. r within one multiple of c is a constant; a single inner quotient is merged:
//      floordiv(floordiv(x, a) + k, c) = floordiv(x + k*a, a*c).
// So floordiv(W - 3, 2) is floordiv(W + 1, 2) - 2, the same node however the constant was spelled, and
// ceildiv by a positive constant is a floordiv.
// Dividing by an expression: symbolic_divide_expr.cpp.

#include "ge/base/symbolic_internal.hpp"

#include <algorithm>

namespace ge {
namespace detail {
namespace {

Expr fold_constants(ExprKind kind, Expr a, Expr b) {
  const Value x = known_value(a.value()), y = known_value(b.value());
  const Value result = kind == ExprKind::floordiv  ? floordiv_values(x, y)
                       : kind == ExprKind::ceildiv ? ceildiv_values(x, y)
                                                   : mod_values(x, y);
  const auto narrow = result.narrow();
  return narrow ? a.table().constant(*narrow) : intern(kind, a, b);
}

/// The constant that floordiv(x, c) is for every x of the range, if there is one. c > 0.
std::optional<int64_t> common_quotient(Interval x, Int128 c) {
  if (x.lo <= -kUnbounded || x.hi >= kUnbounded) return std::nullopt;
  const Int128 q = floor_quotient(x.lo, c);
  if (q != floor_quotient(x.hi, c) || !fits_int64(q)) return std::nullopt;
  return static_cast<int64_t>(q);
}

void divide_terms(const Linear& a, int64_t c, Division& into) {
  for (const Term& t : a.terms) {
    const bool exact = t.coefficient % c == 0;
    (exact ? into.quotient : into.rest).append(t.atom, exact ? t.coefficient / c : t.coefficient);
  }
  into.quotient.constant = floor_quotient(a.constant, c);
  into.rest.constant = floor_remainder(a.constant, c);
}

/// Divides coefficients and (rounding down) the constant.
void reduce(Linear& form, Int128 by) {
  for (Term& t : form.terms) t.coefficient /= by;
  form.constant = floor_quotient(form.constant, by);
}

bool is_quotient_by_constant(Expr e) {
  return e.kind() == ExprKind::floordiv && e.operands()[1].is_constant() && e.operands()[1].value() > 0;
}

Expr floordiv_by_constant(Expr a, int64_t c);

/// Step 3 for the reduced rest; null when it does not apply.
Expr merge_inner_quotient(SymbolTable& table, const Linear& rest, int64_t c) {
  if (rest.terms.size() != 1 || rest.terms[0].coefficient != 1 || !is_quotient_by_constant(rest.terms[0].atom))
    return {};
  const auto inner = rest.terms[0].atom.operands();
  int64_t divisor;
  if (__builtin_mul_overflow(inner[1].value(), c, &divisor)) return {};
  Linear dividend;
  dividend.add(1, inner[0]);
  dividend.add(rest.constant, inner[1]);
  return dividend.fits() ? floordiv_by_constant(dividend.build(table), divisor) : Expr();
}

Expr floordiv_by_positive(Expr a, int64_t c) {
  SymbolTable& table = a.table();
  Linear whole;
  whole.add(1, a);
  Division parts;
  divide_terms(whole, c, parts);
  const Expr quotient = parts.quotient.build(table);
  Linear& rest = parts.rest;
  if (rest.terms.empty()) return quotient;
  const Int128 common = rest.content(c);
  reduce(rest, common);
  c = static_cast<int64_t>(c / common);
  if (const auto constant = common_quotient(rest.interval(), c)) return quotient + *constant;
  if (const Expr merged = merge_inner_quotient(table, rest, c)) return quotient + merged;
  return quotient + intern(ExprKind::floordiv, rest.build(table), table.constant(c));
}

Expr floordiv_by_constant(Expr a, int64_t c) {
  if (c == 0 || c == INT64_MIN) return intern(ExprKind::floordiv, a, a.table().constant(c));
  if (c < 0) return floordiv_by_constant(-a, -c);
  return c == 1 ? a : floordiv_by_positive(a, c);
}

/// The representative of v modulo c nearest to zero, in (-c/2, c/2].
Int128 nearest_residue(Int128 v, Int128 c) {
  const Int128 r = floor_remainder(v, c);
  return 2 * r > c ? r - c : r;
}

/// Adds scale·atom modulo c; an inner remainder by a multiple of c is the same as its dividend.
void add_residue(Linear& into, Int128 scale, Expr atom, int64_t c) {
  if (atom.kind() == ExprKind::mod && atom.operands()[1].is_constant()) {
    const Int128 inner = atom.operands()[1].value();
    if (inner != 0 && (scale * inner) % c == 0) {
      into.add(scale, atom.operands()[0]);
      return;
    }
  }
  into.add(scale, atom);
}

/// a's terms and constant reduced modulo c; false where a form would not fit.
bool residue_form(Expr a, int64_t c, Linear& into) {
  Linear whole;
  whole.add(1, a);
  Linear unwrapped;
  for (const Term& t : whole.terms) add_residue(unwrapped, nearest_residue(t.coefficient, c), t.atom, c);
  unwrapped.constant += floor_remainder(whole.constant, c);
  if (unwrapped.overflowed) return false;
  for (const Term& t : unwrapped.terms)
    if (const Int128 r = nearest_residue(t.coefficient, c); r != 0) into.append(t.atom, r);
  into.constant = floor_remainder(unwrapped.constant, c);
  return into.fits();
}

Expr mod_by_positive(Expr a, int64_t c) {
  SymbolTable& table = a.table();
  if (const auto q = common_quotient(interval_of(a.bounds()), c)) return a - table.constant(*q) * table.constant(c);
  Linear rest;
  if (!residue_form(a, c, rest)) return intern(ExprKind::mod, a, table.constant(c));
  if (rest.terms.empty()) return table.constant(static_cast<int64_t>(rest.constant));
  // (g*s + k) mod c = g*((s + floor(k/g)) mod (c/g)) + k mod g
  const Int128 common = rest.content(c);
  const auto offset = static_cast<int64_t>(rest.constant % common);
  reduce(rest, common);
  const auto modulus = static_cast<int64_t>(c / common);
  const Expr reduced = rest.build(table);
  const auto q = common_quotient(rest.interval(), modulus);
  const Expr inner = q ? reduced - table.constant(*q) * table.constant(modulus)
                       : intern(ExprKind::mod, reduced, table.constant(modulus));
  return inner * static_cast<int64_t>(common) + offset;
}

Expr mod_by_constant(Expr a, int64_t c) {
  if (c == 0 || c == INT64_MIN) return intern(ExprKind::mod, a, a.table().constant(c));
  if (c < 0) return -mod_by_constant(-a, -c);
  return c == 1 ? a.table().constant(0) : mod_by_positive(a, c);
}

}  // namespace
}  // namespace detail

Expr floor_div(Expr a, Expr b) {
  detail::check_operands(a, b);
  if (!b.is_constant()) return detail::divide_by_expression(a, b, detail::Rounding::down);
  if (a.is_constant()) return detail::fold_constants(ExprKind::floordiv, a, b);
  return detail::floordiv_by_constant(a, b.value());
}

Expr ceil_div(Expr a, Expr b) {
  detail::check_operands(a, b);
  if (!b.is_constant()) return detail::divide_by_expression(a, b, detail::Rounding::up);
  const int64_t c = b.value();
  if (a.is_constant()) return detail::fold_constants(ExprKind::ceildiv, a, b);
  if (c == 0 || c == INT64_MIN) return detail::intern(ExprKind::ceildiv, a, b);
  return c > 0 ? detail::floordiv_by_constant(a + (c - 1), c) : detail::floordiv_by_constant(-a + (-c - 1), -c);
}

Expr floor_mod(Expr a, Expr b) {
  detail::check_operands(a, b);
  if (!b.is_constant()) return detail::mod_by_expression(a, b);
  if (a.is_constant()) return detail::fold_constants(ExprKind::mod, a, b);
  return detail::mod_by_constant(a, b.value());
}

}  // namespace ge
