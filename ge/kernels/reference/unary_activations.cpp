// Activation functions (ONNX ops of the same names, newest opset). NaN gives NaN except where noted.
#include "ge/kernels/reference/unary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ge::reference {
namespace {

using P = UnaryParams;
/// Reads alpha and beta with the op's defaults; defaults are floats, as the standard gives them.
P alpha_beta(const Attributes& attributes, float alpha, float beta = 0) {
  return {.alpha = static_cast<double>(attributes.get_float("alpha", alpha)),
          .beta = static_cast<double>(attributes.get_float("beta", beta))};
}

double clamp01(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double soft_plus(double x) { return std::log1p(std::exp(-std::fabs(x))) + (x < 0 ? 0 : x); }

double sigmoid(double x, const P&) { return logistic(x); }
double relu(double x, const P&) { return x < 0 ? 0 : x; }
int64_t relu_int(int64_t x, const P& p) { return x < 0 && !p.is_unsigned ? 0 : x; }
double leaky_relu(double x, const P& p) { return x < 0 ? p.alpha * x : x; }
P leaky_params(const Attributes& a) { return alpha_beta(a, 0.01f); }
double hard_sigmoid(double x, const P& p) { return clamp01(p.alpha * x + p.beta); }
P hard_sigmoid_params(const Attributes& a) { return alpha_beta(a, 0.2f, 0.5f); }
double hard_swish(double x, const P&) { return x * clamp01(x / 6 + 0.5); }
double elu(double x, const P& p) { return x < 0 ? p.alpha * std::expm1(x) : x; }
P one_params(const Attributes& a) { return alpha_beta(a, 1.0f); }
double selu(double x, const P& p) { return p.beta * (x < 0 ? p.alpha * std::expm1(x) : x); }
P selu_params(const Attributes& a) {
  return {.alpha = static_cast<double>(a.get_float("alpha", 1.67326319217681884765625f)),
          .beta = static_cast<double>(a.get_float("gamma", 1.05070102214813232421875f))};
}
double celu(double x, const P& p) {
  const double negative = p.alpha * std::expm1(x / p.alpha);
  return (x < 0 ? 0 : x) + (negative > 0 ? 0 : negative);
}
double softplus(double x, const P&) { return soft_plus(x); }
double softsign(double x, const P&) { return x / (1 + std::fabs(x)); }
double mish(double x, const P&) { return x * std::tanh(soft_plus(x)); }
// ONNX Swish-24: x * sigmoid(alpha * x)
double swish(double x, const P& p) { return x * logistic(p.alpha * x); }
// ONNX ThresholdedRelu-22: x where x > alpha, else 0: so NaN gives 0.
double thresholded_relu(double x, const P& p) { return x > p.alpha ? x : 0; }
// ONNX Shrink-9
__extension__ typedef __int128 Wide;
double shrink(double x, const P& p) { return x < -p.alpha ? x + p.beta : x > p.alpha ? x - p.beta : std::isnan(x) ? x : 0; }
/// Of integers: x + bias cut off towards zero, as a conversion does, and wrapped. Exact: wider than any double.
int64_t shrink_int(int64_t x, const P& p) {
  const Wide wide = p.is_unsigned ? Wide{static_cast<uint64_t>(x)} : Wide{x};
  const auto floor_of = [](double v) { return static_cast<Wide>(std::floor(std::clamp(v, -0x1p100, 0x1p100))); };
  const auto moved = [&](double by) {
    const Wide down = wide + floor_of(by);
    return static_cast<int64_t>(static_cast<uint64_t>(down < 0 && std::floor(by) != by ? down + 1 : down));
  };
  if (std::isnan(p.alpha) || std::isnan(p.beta)) return 0;
  return wide < -floor_of(p.alpha) ? moved(p.beta) : wide > floor_of(p.alpha) ? moved(-p.beta) : 0;
}
P shrink_params(const Attributes& a) {
  return {.alpha = static_cast<double>(a.get_float("lambd", 0.5f)), .beta = static_cast<double>(a.get_float("bias", 0.0f))};
}

// ONNX Gelu-20: exact with erf, or the approximation with tanh.
double gelu(double x, const P& p) {
  if (p.flag == 0) return 0.5 * x * std::erfc(-x * std::numbers::sqrt2 / 2);
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}
P gelu_params(const Attributes& attributes) {
  const std::string kind = attributes.get_string("approximate", "none");
  if (kind != "none" && kind != "tanh")
    throw Error(ErrorCode::invalid_model, "Gelu: attribute approximate is '" + kind + "', expected 'none' or 'tanh'");
  return {.flag = kind == "tanh"};
}

constexpr SupportsFn floats = takes<dtypes::floats>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Sigmoid", "", "1 / (1 + e^-x)", {.supports = floats, .prepare = prepare_unary<sigmoid>});
REGISTER_CPU_KERNEL("reference", "", "Relu", "", "max(x, 0)", {.supports = takes<dtypes::numeric>, .prepare = prepare_unary_numeric<relu, relu_int>});
REGISTER_CPU_KERNEL("reference", "", "LeakyRelu", "", "x, or alpha x below 0", {.supports = floats, .prepare = prepare_unary<leaky_relu, leaky_params>});
REGISTER_CPU_KERNEL("reference", "", "HardSigmoid", "", "alpha x + beta clamped to 0..1", {.supports = floats, .prepare = prepare_unary<hard_sigmoid, hard_sigmoid_params>});
REGISTER_CPU_KERNEL("reference", "", "HardSwish", "", "x times (x/6 + 1/2 clamped to 0..1)", {.supports = floats, .prepare = prepare_unary<hard_swish>});
REGISTER_CPU_KERNEL("reference", "", "Elu", "", "x, or alpha (e^x - 1) below 0", {.supports = floats, .prepare = prepare_unary<elu, one_params>});
REGISTER_CPU_KERNEL("reference", "", "Selu", "", "Elu times gamma", {.supports = floats, .prepare = prepare_unary<selu, selu_params>});
REGISTER_CPU_KERNEL("reference", "", "Celu", "", "max(0, x) + min(0, alpha (e^(x/alpha) - 1))", {.supports = floats, .prepare = prepare_unary<celu, one_params>});
REGISTER_CPU_KERNEL("reference", "", "Softplus", "", "ln(1 + e^x)", {.supports = floats, .prepare = prepare_unary<softplus>});
REGISTER_CPU_KERNEL("reference", "", "Softsign", "", "x / (1 + |x|)", {.supports = floats, .prepare = prepare_unary<softsign>});
REGISTER_CPU_KERNEL("reference", "", "Mish", "", "x tanh(softplus(x))", {.supports = floats, .prepare = prepare_unary<mish>});
REGISTER_CPU_KERNEL("reference", "", "Swish", "", "x sigmoid(alpha x)", {.supports = floats, .prepare = prepare_unary<swish, one_params>});
REGISTER_CPU_KERNEL("reference", "", "ThresholdedRelu", "", "x where x > alpha, else 0", {.supports = floats, .prepare = prepare_unary<thresholded_relu, one_params>});
REGISTER_CPU_KERNEL("reference", "", "Shrink", "", "moved towards 0 by bias, 0 within lambd", {.supports = takes<dtypes::numeric>, .prepare = prepare_unary_numeric<shrink, shrink_int, shrink_params>});
REGISTER_CPU_KERNEL("reference", "", "Gelu", "", "x times the normal distribution function", {.supports = floats, .prepare = prepare_unary<gelu, gelu_params>});

}  // namespace ge::reference
