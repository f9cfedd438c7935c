// Unary mathematical functions (ONNX ops of the same names, newest opset).
#include "ge/base/small_float.hpp"
#include "ge/kernels/reference/unary.hpp"

#include <cmath>

namespace ge::reference {
namespace {

using P = UnaryParams;
double abs_of(double x, const P&) { return std::fabs(x); }
double neg_of(double x, const P&) { return -x; }
// ONNX Sign-13: -1, 0 or 1; NaN stays NaN.
double sign_of(double x, const P&) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
int64_t negated(int64_t x) { return static_cast<int64_t>(0 - static_cast<uint64_t>(x)); }  // wraps
int64_t abs_of_int(int64_t x, const P& p) { return x < 0 && !p.is_unsigned ? negated(x) : x; }
int64_t neg_of_int(int64_t x, const P&) { return negated(x); }
int64_t sign_of_int(int64_t x, const P& p) { return x < 0 && !p.is_unsigned ? -1 : x != 0; }

double sqrt_of(double x, const P&) { return std::sqrt(x); }
double exp_of(double x, const P&) { return std::exp(x); }
double log_of(double x, const P&) { return std::log(x); }
double reciprocal_of(double x, const P&) { return 1.0 / x; }
double floor_of(double x, const P&) { return std::floor(x); }
double ceil_of(double x, const P&) { return std::ceil(x); }
// ONNX Round-22: halves go to the even neighbour, the default rounding of the floating-point unit.
double round_of(double x, const P&) { return std::nearbyint(x); }
double erf_of(double x, const P&) { return std::erf(x); }
/// Of integers (Erf-9): cut off towards zero, which leaves 1 where erf is 1 in double.
int64_t erf_of_int(int64_t x, const P& p) {
  return static_cast<int64_t>(std::erf(p.is_unsigned ? static_cast<double>(static_cast<uint64_t>(x)) : static_cast<double>(x)));
}
double sin_of(double x, const P&) { return std::sin(x); }
double cos_of(double x, const P&) { return std::cos(x); }
double tan_of(double x, const P&) { return std::tan(x); }
double asin_of(double x, const P&) { return std::asin(x); }
double acos_of(double x, const P&) { return std::acos(x); }
double atan_of(double x, const P&) { return std::atan(x); }
double sinh_of(double x, const P&) { return std::sinh(x); }
double cosh_of(double x, const P&) { return std::cosh(x); }
double tanh_of(double x, const P&) { return std::tanh(x); }
double asinh_of(double x, const P&) { return std::asinh(x); }
double acosh_of(double x, const P&) { return std::acosh(x); }
double atanh_of(double x, const P&) { return std::atanh(x); }

double is_nan(double x, const P&) { return std::isnan(x); }
// ONNX IsInf-20: each sign can be switched off.
double is_inf(double x, const P& p) { return std::isinf(x) && (x > 0 ? p.alpha : p.beta) != 0; }
P inf_params(const Attributes& attributes) {
  return {.alpha = static_cast<double>(attributes.get_int("detect_positive", 1)),
          .beta = static_cast<double>(attributes.get_int("detect_negative", 1))};
}

int64_t not_of(int64_t x, const P&) { return x == 0; }
int64_t bitwise_not_of(int64_t x, const P&) { return ~x; }
double no_floats(double x, const P&) { return x; }  // Not and BitwiseNot: kept away by supports

constexpr SupportsFn floats = takes<dtypes::floats>;
constexpr SupportsFn numeric = takes<dtypes::numeric>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Abs", "", "|x|", {.supports = numeric, .prepare = prepare_unary_numeric<abs_of, abs_of_int>});
REGISTER_CPU_KERNEL("reference", "", "Neg", "", "-x", {.supports = numeric, .prepare = prepare_unary_numeric<neg_of, neg_of_int>});
REGISTER_CPU_KERNEL("reference", "", "Sign", "", "-1, 0 or 1", {.supports = numeric, .prepare = prepare_unary_numeric<sign_of, sign_of_int>});
REGISTER_CPU_KERNEL("reference", "", "Sqrt", "", "square root", {.supports = floats, .prepare = prepare_unary<sqrt_of>});
REGISTER_CPU_KERNEL("reference", "", "Exp", "", "e^x", {.supports = floats, .prepare = prepare_unary<exp_of>});
REGISTER_CPU_KERNEL("reference", "", "Log", "", "natural logarithm", {.supports = floats, .prepare = prepare_unary<log_of>});
REGISTER_CPU_KERNEL("reference", "", "Reciprocal", "", "1/x", {.supports = floats, .prepare = prepare_unary<reciprocal_of>});
REGISTER_CPU_KERNEL("reference", "", "Floor", "", "down to an integer", {.supports = floats, .prepare = prepare_unary<floor_of>});
REGISTER_CPU_KERNEL("reference", "", "Ceil", "", "up to an integer", {.supports = floats, .prepare = prepare_unary<ceil_of>});
REGISTER_CPU_KERNEL("reference", "", "Round", "", "to the nearest integer, halves to even", {.supports = floats, .prepare = prepare_unary<round_of>});
REGISTER_CPU_KERNEL("reference", "", "Erf", "", "error function", {.supports = numeric, .prepare = prepare_unary_numeric<erf_of, erf_of_int>});
REGISTER_CPU_KERNEL("reference", "", "Sin", "", "sine", {.supports = floats, .prepare = prepare_unary<sin_of>});
REGISTER_CPU_KERNEL("reference", "", "Cos", "", "cosine", {.supports = floats, .prepare = prepare_unary<cos_of>});
REGISTER_CPU_KERNEL("reference", "", "Tan", "", "tangent", {.supports = floats, .prepare = prepare_unary<tan_of>});
REGISTER_CPU_KERNEL("reference", "", "Asin", "", "inverse sine", {.supports = floats, .prepare = prepare_unary<asin_of>});
REGISTER_CPU_KERNEL("reference", "", "Acos", "", "inverse cosine", {.supports = floats, .prepare = prepare_unary<acos_of>});
REGISTER_CPU_KERNEL("reference", "", "Atan", "", "inverse tangent", {.supports = floats, .prepare = prepare_unary<atan_of>});
REGISTER_CPU_KERNEL("reference", "", "Sinh", "", "hyperbolic sine", {.supports = floats, .prepare = prepare_unary<sinh_of>});
REGISTER_CPU_KERNEL("reference", "", "Cosh", "", "hyperbolic cosine", {.supports = floats, .prepare = prepare_unary<cosh_of>});
REGISTER_CPU_KERNEL("reference", "", "Tanh", "", "hyperbolic tangent", {.supports = floats, .prepare = prepare_unary<tanh_of>});
REGISTER_CPU_KERNEL("reference", "", "Asinh", "", "inverse hyperbolic sine", {.supports = floats, .prepare = prepare_unary<asinh_of>});
REGISTER_CPU_KERNEL("reference", "", "Acosh", "", "inverse hyperbolic cosine", {.supports = floats, .prepare = prepare_unary<acosh_of>});
REGISTER_CPU_KERNEL("reference", "", "Atanh", "", "inverse hyperbolic tangent", {.supports = floats, .prepare = prepare_unary<atanh_of>});
REGISTER_CPU_KERNEL("reference", "", "IsNaN", "", "true where x is NaN", {.supports = takes<dtypes::floats | dtypes::float8>, .prepare = prepare_unary<is_nan>});
REGISTER_CPU_KERNEL("reference", "", "IsInf", "", "true where x is infinite", {.supports = takes<dtypes::floats | dtypes::float8>, .prepare = prepare_unary<is_inf, inf_params>});
REGISTER_CPU_KERNEL("reference", "", "Not", "", "logical negation", {.supports = takes<dtypes::boolean>, .prepare = prepare_unary_numeric<no_floats, not_of>});
REGISTER_CPU_KERNEL("reference", "", "BitwiseNot", "", "every bit flipped", {.supports = takes<dtypes::ints>, .prepare = prepare_unary_numeric<no_floats, bitwise_not_of>});

}  // namespace ge::reference
