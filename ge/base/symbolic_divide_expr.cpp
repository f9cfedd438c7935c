// Quotients and remainders by expressions.
//
// Terms of the dividend that contain all factors of the divisor b move out of the quotient; factors that the rest
// shares with b cancel; a rest that the bounds show to be smaller than b decides the quotient. These steps assume
// b != 0, which is sound: for b = 0 the quotient as written has no value.

#include "ge/base/symbolic_internal.hpp"

#include <algorithm>

namespace ge::detail {
namespace {

/// Whether a is q*b for a constant q (sums, whose factors do not show).
bool is_multiple_of_sum(const Linear& a, Expr b, Division& into) {
  Linear divisor;
  divisor.add(1, b);
  if (a.terms.empty() || divisor.terms.size() != a.terms.size()) return false;
  const Int128 q = a.terms[0].coefficient / divisor.terms[0].coefficient;
  Linear difference;
  difference.add(-q, b);
  if (!fits_int64(q) || difference.overflowed || difference.constant + a.constant != 0) return false;
  for (size_t i = 0; i < a.terms.size(); ++i)
    if (difference.terms.size() != a.terms.size() || difference.terms[i].atom != a.terms[i].atom ||
        difference.terms[i].coefficient + a.terms[i].coefficient != 0)
      return false;
  into.quotient.constant = q;
  return true;
}

void divide_by_factors(Expr a, Expr b, Division& into) {
  Linear whole;
  whole.add(1, a);
  if (is_multiple_of_sum(whole, b, into)) return;
  const Monomial divisor = monomial_of(b);
  for (const Term& t : whole.terms) {
    Monomial term = monomial_of(t.atom);
    if (t.coefficient % divisor.coefficient == 0 && remove_factors(term.factors, divisor.factors))
      into.quotient.add(t.coefficient / divisor.coefficient, build_monomial(a.table(), term));
    else
      into.rest.append(t.atom, t.coefficient);
  }
  into.rest.constant = whole.constant;
}

/// A pair x, b and the factor taken out of both.
struct Cancelled {
  Expr factor, dividend, divisor;
};

std::vector<Expr> common_factors(const Linear& form, std::vector<Expr> factors) {
  if (form.constant != 0) return {};
  for (const Term& t : form.terms) {
    std::vector<Expr> shared;
    std::ranges::set_intersection(factors, monomial_of(t.atom).factors, std::back_inserter(shared), {}, &Expr::id,
                                  &Expr::id);
    factors.swap(shared);
  }
  return factors;
}

/// Takes factors and the constant divisor that all terms of x share with b out of both; a null factor when
/// there are none.
Cancelled cancel_common(const Linear& x, Expr b) {
  SymbolTable& table = b.table();
  Monomial divisor = monomial_of(b);
  const std::vector<Expr> shared = common_factors(x, divisor.factors);
  const Int128 common = gcd(x.content(divisor.coefficient), x.constant);
  if ((shared.empty() && common == 1) || !fits_int64(common)) return {};
  Linear dividend;
  for (const Term& t : x.terms) {
    Monomial term = monomial_of(t.atom);
    remove_factors(term.factors, shared);
    dividend.add(t.coefficient / common, build_monomial(table, term));
  }
  dividend.constant += x.constant / common;
  if (!dividend.fits()) return {};
  remove_factors(divisor.factors, shared);
  divisor.coefficient /= static_cast<int64_t>(common);
  const Monomial factor{static_cast<int64_t>(common), shared};
  return {build_monomial(table, factor), dividend.build(table), build_monomial(table, divisor)};
}

Interval difference(Expr a, Expr b) {
  Linear form;
  form.add(1, a);
  form.add(-1, b);
  return form.overflowed ? Interval{-kUnbounded, kUnbounded} : form.interval();
}

/// The constant that r/b rounds to while r is smaller than b, if the bounds show it.
std::optional<int64_t> small_quotient(Expr r, Expr b, Rounding rounding) {
  if (r.is_constant(0)) return 0;
  const Interval gap = difference(b, r);
  if (rounding == Rounding::down) return r.bounds().lo >= 0 && gap.lo > 0 ? std::optional<int64_t>(0) : std::nullopt;
  return r.bounds().lo >= 1 && gap.lo >= 0 ? std::optional<int64_t>(1) : std::nullopt;
}

bool has_negative_coefficient(Expr e) {
  const int64_t coefficient = monomial_of(e).coefficient;
  return coefficient < 0 && coefficient != INT64_MIN;
}

Expr divide_rest(Expr r, Expr b, Rounding rounding) {
  if (const auto constant = small_quotient(r, b, rounding)) return r.table().constant(*constant);
  Linear form;
  form.add(1, r);
  if (const Cancelled cut = cancel_common(form, b); cut.factor)
    return divide_by_expression(cut.dividend, cut.divisor, rounding);
  return intern(rounding == Rounding::down ? ExprKind::floordiv : ExprKind::ceildiv, r, b);
}

}  // namespace

Expr divide_by_expression(Expr a, Expr b, Rounding rounding) {
  if (b.is_constant()) return rounding == Rounding::down ? floor_div(a, b) : ceil_div(a, b);  // after cancelling
  if (has_negative_coefficient(b)) return divide_by_expression(-a, -b, rounding);
  Division parts;
  divide_by_factors(a, b, parts);
  if (!parts.quotient.fits()) return divide_rest(a, b, rounding);
  return parts.quotient.build(a.table()) + divide_rest(parts.rest.build(a.table()), b, rounding);
}

Expr mod_by_expression(Expr a, Expr b) {
  if (has_negative_coefficient(b)) return -floor_mod(-a, -b);
  Division parts;
  divide_by_factors(a, b, parts);
  const Expr rest = parts.rest.build(a.table());
  if (small_quotient(rest, b, Rounding::down)) return rest;
  if (const Cancelled cut = cancel_common(parts.rest, b); cut.factor)
    return cut.factor * floor_mod(cut.dividend, cut.divisor);
  return intern(ExprKind::mod, rest, b);
}

}  // namespace ge::detail
