#pragma once
// Internal to symbolic*.cpp: interning, bounds arithmetic, and sums as linear combinations.

#include "ge/base/symbolic.hpp"
#include "ge/base/symbolic_arith.hpp"

#include <array>
#include <cstddef>
#include <memory_resource>
#include <span>
#include <vector>

namespace ge::detail {

/// The node of this kind and these operands as given, not simplified except that a quotient, remainder, extremum or
/// select with only one possible value is that constant. `opaque` as in ExprNode.
Expr intern(ExprKind kind, std::span<const Expr> operands, bool opaque = false);
Expr intern(ExprKind kind, Expr a, Expr b, bool opaque = false);

bool is_opaque(Expr e);

/// Raises Error(invalid_argument) unless the operands are not null and of one table.
void check_operand(Expr a);
void check_operands(Expr a, Expr b);

/// A range with room beyond int64_t. Ends at or beyond ±kUnbounded are infinite; a lower end may also be
/// clamped down to +kUnbounded (and an upper end up to -kUnbounded), which loses precision, not soundness.
struct Interval {
  Int128 lo, hi;
};
inline constexpr Int128 kUnbounded = Int128{1} << 100;

Interval interval_of(Bounds b);
Interval add_intervals(Interval a, Interval b);
Interval mul_intervals(Interval a, Interval b);
/// Bounds that a new node's value has, from the bounds of its operands.
Bounds bounds_of(ExprKind kind, std::span<const Expr> operands);

struct Term {
  Expr atom;  // anything but a constant, a combinable sum or a combinable multiple
  Int128 coefficient;
};

/// Σ coefficient·atom + constant, terms sorted by atom id, no zero coefficients. Small forms live on the
/// stack. Coefficients are wide while a form is being put together; fits() says whether it can become an
/// expression again.
struct Linear {
  Linear() { terms.reserve(kInlineTerms); }
  Linear(const Linear&) = delete;
  Linear& operator=(const Linear&) = delete;

  /// Adds scale·e.
  void add(Int128 scale, Expr e);
  /// Adds coefficient·atom behind all present terms: for callers that walk terms in order.
  void append(Expr atom, Int128 coefficient) { terms.push_back({atom, coefficient}); }
  /// Whether the form can be built: all constants fit int64_t, and the coefficients add up to at most 2^63.
  bool fits() const;
  Interval interval() const;
  /// The greatest common divisor of the coefficients and `with` (all taken positive); constant left out.
  Int128 content(Int128 with) const;
  /// The expression; needs fits().
  Expr build(SymbolTable& table) const;

 private:
  static constexpr size_t kInlineTerms = 8;
  void add_term(Expr atom, Int128 coefficient);
  alignas(Term) std::array<std::byte, kInlineTerms * sizeof(Term)> buffer_;
  std::pmr::monotonic_buffer_resource memory_{buffer_.data(), buffer_.size()};

 public:
  std::pmr::vector<Term> terms{&memory_};
  Int128 constant = 0;
  bool overflowed = false;
};

/// coefficient · Π factors, factors sorted by id, none of them a constant or a combinable product.
struct Monomial {
  int64_t coefficient = 1;
  std::vector<Expr> factors;
};
/// e as a monomial; a sum contributes its positive content as coefficient and the rest as one factor.
Monomial monomial_of(Expr e);
/// Removes `part` (sorted) from `from` (sorted); false, and `from` untouched, if not all are there.
bool remove_factors(std::vector<Expr>& from, const std::vector<Expr>& part);
Expr build_monomial(SymbolTable& table, const Monomial& m);

Int128 gcd(Int128 a, Int128 b);

/// a = quotient*b + rest.
struct Division {
  Linear quotient, rest;
};
enum class Rounding { down, up };

/// a / b rounded, and a mod b, for operands that are checked; b may be any expression (divide) or any but a constant.
Expr divide_by_expression(Expr a, Expr b, Rounding rounding);
Expr mod_by_expression(Expr a, Expr b);

/// Whether a <= b for all values, from the bounds of the difference and from min/max containing the other.
bool always_less_equal(Expr a, Expr b);

/// Non-null nodes reachable from e, each once, operands before their users.
std::vector<Expr> reachable(Expr e);

}  // namespace ge::detail
