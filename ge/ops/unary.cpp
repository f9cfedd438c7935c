// Ops of one tensor, element by element: the output has the input's shape.
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

OpSchema unary(DTypeSet types, InferFn fn = infer_like_first) {
  return OpSchema().in("X", types, "T").out("Y", types, "T").infer(fn);
}
OpSchema unary_float() { return unary(dtypes::floats); }
OpSchema test(DTypeSet types) {
  return OpSchema().in("X", types).out("Y", dtypes::boolean).infer([](InferContext& c) { set_like_first(c, DType::boolean); });
}

template <Expr f(Expr)>
void infer_with_values(InferContext& context) {
  infer_like_first(context);
  map_values(context, 1, [](auto x) { return f(x[0]); });
}
Expr negative(Expr x) { return -x; }
Expr absolute(Expr x) { return max_of(x, -x); }
Expr sign(Expr x) { return greater(x, 0) - less(x, 0); }
Expr rectified(Expr x) { return max_of(x, 0); }

/// Of a sequence or an optional too.
void infer_identity(InferContext& context) {
  if (!context.input(0).is_tensor()) return context.set_output(0, context.input(0));
  infer_like_first(context);
  pass_values(context);
}

void infer_gelu(InferContext& context) {
  require_one_of(context, "approximate", context.attributes().get_string("approximate", "none"), {"none", "tanh"});
  infer_like_first(context);
}

REGISTER_OP("", "Abs", 13, "|x|", unary(dtypes::numeric, infer_with_values<absolute>));
REGISTER_OP("", "Neg", 13, "-x", unary(onnx_types::signed_numeric, infer_with_values<negative>));
REGISTER_OP("", "Sign", 13, "-1, 0 or 1", unary(dtypes::numeric, infer_with_values<sign>));
REGISTER_OP("", "Not", 1, "logical negation", unary(dtypes::boolean, infer_with_values<logical_not>));
REGISTER_OP("", "BitwiseNot", 18, "every bit flipped", unary(dtypes::ints, infer_like_first));
REGISTER_OP("", "Shrink", 9, "moved towards 0 by bias, 0 within lambd",
            unary(dtypes::float_ieee | dtypes::ints, infer_like_first).attribute("bias", 0.0f).attribute("lambd", 0.5f));
REGISTER_OP("", "Identity", 25, "x",
            OpSchema().in("X", onnx_types::movable, "T").of(kinds::any).out("Y", onnx_types::movable, "T").of(kinds::any).infer(infer_identity));

REGISTER_OP("", "Sqrt", 13, "square root", unary_float());
REGISTER_OP("", "Exp", 13, "e^x", unary_float());
REGISTER_OP("", "Log", 13, "natural logarithm", unary_float());
REGISTER_OP("", "Reciprocal", 13, "1/x", unary_float());
REGISTER_OP("", "Erf", 13, "error function", unary(dtypes::numeric, infer_like_first));  // integers: opsets 9 to 12
REGISTER_OP("", "Floor", 13, "rounded down", unary_float());
REGISTER_OP("", "Ceil", 13, "rounded up", unary_float());
REGISTER_OP("", "Round", 22, "rounded to nearest, halves to even", unary_float());

REGISTER_OP("", "Sin", 22, "sine", unary_float());
REGISTER_OP("", "Cos", 22, "cosine", unary_float());
REGISTER_OP("", "Tan", 22, "tangent", unary_float());
REGISTER_OP("", "Asin", 22, "arc sine", unary_float());
REGISTER_OP("", "Acos", 22, "arc cosine", unary_float());
REGISTER_OP("", "Atan", 22, "arc tangent", unary_float());
REGISTER_OP("", "Sinh", 22, "hyperbolic sine", unary_float());
REGISTER_OP("", "Cosh", 22, "hyperbolic cosine", unary_float());
REGISTER_OP("", "Asinh", 22, "inverse hyperbolic sine", unary_float());
REGISTER_OP("", "Acosh", 22, "inverse hyperbolic cosine", unary_float());
REGISTER_OP("", "Atanh", 22, "inverse hyperbolic tangent", unary_float());

REGISTER_OP("", "Relu", 14, "max(x, 0)", unary(onnx_types::signed_numeric, infer_with_values<rectified>));
REGISTER_OP("", "Sigmoid", 13, "1 / (1 + e^-x)", unary_float());
REGISTER_OP("", "Tanh", 13, "hyperbolic tangent", unary_float());
REGISTER_OP("", "LeakyRelu", 16, "x, or alpha * x below 0", unary_float().attribute("alpha", 0.01f));
REGISTER_OP("", "HardSigmoid", 22, "max(0, min(1, alpha * x + beta))", unary_float().attribute("alpha", 0.2f).attribute("beta", 0.5f));
REGISTER_OP("", "HardSwish", 22, "x * max(0, min(1, x/6 + 0.5))", unary_float());
REGISTER_OP("", "Elu", 22, "x, or alpha * (e^x - 1) below 0", unary_float().attribute("alpha", 1.0f));
REGISTER_OP("", "Selu", 22, "gamma * x, or gamma * alpha * (e^x - 1) below 0",
            unary_float().attribute("alpha", 1.67326319217681884765625f).attribute("gamma", 1.05070102214813232421875f));
REGISTER_OP("", "Celu", 28, "max(0, x) + min(0, alpha * (e^(x/alpha) - 1))", unary_float().attribute("alpha", 1.0f));
REGISTER_OP("", "Softplus", 22, "ln(1 + e^x)", unary_float());
REGISTER_OP("", "Softsign", 22, "x / (1 + |x|)", unary_float());
REGISTER_OP("", "Gelu", 20, "x times the normal distribution function of x",
            unary(dtypes::floats, infer_gelu).attribute("approximate", std::string("none")));
REGISTER_OP("", "Mish", 22, "x * tanh(softplus(x))", unary_float());
REGISTER_OP("", "Swish", 24, "x * sigmoid(alpha * x)", unary_float().attribute("alpha", 1.0f));
REGISTER_OP("", "ThresholdedRelu", 22, "x where above alpha, else 0", unary_float().attribute("alpha", 1.0f));

REGISTER_OP("", "IsNaN", 20, "whether x is not a number", test(dtypes::floats | onnx_types::float8));
REGISTER_OP("", "IsInf", 20, "whether x is infinite",
            test(dtypes::floats | onnx_types::float8).attribute("detect_negative", int64_t{1}).attribute("detect_positive", int64_t{1}));

}  // namespace
}  // namespace ge
