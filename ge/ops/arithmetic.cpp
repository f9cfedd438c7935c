// Arithmetic of two broadcast tensors: Add, Sub, Mul, Div, Mod, Pow, PRelu, BitShift, BitwiseAnd, Or, Xor.
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

Expr sum(Expr a, Expr b) { return a + b; }
Expr difference(Expr a, Expr b) { return a - b; }
Expr product(Expr a, Expr b) { return a * b; }

/// ONNX Div (14) on integers rounds towards zero. Null where the divisor's sign is open or it may be 0.
Expr truncated_quotient(Expr a, Expr b) {
  if (b.bounds().hi < 0) return b.bounds().lo == INT64_MIN ? Expr{} : truncated_quotient(-a, -b);
  if (b.bounds().lo < 1) {  // a divisor that may be 0 is an error of that run, not a reason to forget the value
    if (b.bounds().lo < 0 || b.is_constant()) return {};
  }
  if (a.bounds().lo >= 0) return floor_div(a, b);
  if (a.bounds().hi <= 0) return ceil_div(a, b);
  return select(less(a, 0), ceil_div(a, b), floor_div(a, b));
}

template <Expr f(Expr, Expr)>
void infer_with_values(InferContext& context) {
  infer_broadcast(context);
  map_values(context, 2, [](auto x) { return f(x[0], x[1]); });
}

/// Mod (28): fmod 0 gives the divisor's sign and is for every integer; fmod 1 gives the dividend's.
void infer_mod(InferContext& context) {
  const bool truncating = flag(context, "fmod", false);
  infer_broadcast(context);
  map_values(context, 2, [&](auto x) -> Expr {
    if (x[1].bounds().lo <= 0 && x[1].bounds().hi >= 0 && (x[1].is_constant() || truncating)) return {};
    if (!truncating) return floor_mod(x[0], x[1]);
    const Expr quotient = truncated_quotient(x[0], x[1]);
    return quotient ? x[0] - quotient * x[1] : Expr{};
  });
}

/// Pow (15): values only for the small constant exponents that shape arithmetic uses.
void infer_pow(InferContext& context) {
  infer_broadcast(context);
  map_values(context, 2, [&](auto x) -> Expr {
    if (!x[1].is_constant() || x[1].value() < 0 || x[1].value() > 3) return {};
    Expr power = context.constant(1);
    for (int64_t i = 0; i < x[1].value(); ++i) power *= x[0];
    return power;
  });
}

/// PRelu (16): slope broadcasts to X, not X to slope.
void infer_prelu(InferContext& context) {
  infer_like_first(context);
  if (context.has_rank(0) && context.has_rank(1)) require_broadcasts_to(context, context.shape(1), context.shape(0), "input 1 (slope)");
}

void infer_bit_shift(InferContext& context) {
  require_one_of(context, "direction", context.attributes().get_string("direction", ""), {"LEFT", "RIGHT"});
  infer_broadcast(context);
}

OpSchema binary(DTypeSet types, InferFn fn) { return OpSchema().in("A", types, "T").in("B", types, "T").out("C", types, "T").infer(fn); }

REGISTER_OP("", "Add", 14, "a + b", binary(dtypes::numeric, infer_with_values<sum>));
REGISTER_OP("", "Sub", 14, "a - b", binary(dtypes::numeric, infer_with_values<difference>));
REGISTER_OP("", "Mul", 14, "a * b", binary(dtypes::numeric, infer_with_values<product>));
REGISTER_OP("", "Div", 14, "a / b, integers rounded towards zero", binary(dtypes::numeric, infer_with_values<truncated_quotient>));
REGISTER_OP("", "Mod", 28, "remainder of a / b", binary(dtypes::numeric, infer_mod).attribute("fmod", int64_t{0}));
REGISTER_OP("", "Pow", 15, "x to the power y",
            OpSchema()
                .in("X", dtypes::floats | onnx_types::index, "T")
                .in("Y", dtypes::numeric)
                .out("Z", dtypes::floats | onnx_types::index, "T")
                .infer(infer_pow));
REGISTER_OP("", "PRelu", 16, "x, or slope * x below 0",
            OpSchema()
                .in("X", onnx_types::arithmetic, "T")
                .in("slope", onnx_types::arithmetic, "T")
                .out("Y", onnx_types::arithmetic, "T")
                .infer(infer_prelu));
REGISTER_OP("", "BitShift", 28, "bits of x moved by y places",
            binary(dtypes::ints, infer_bit_shift).required_attribute("direction", std::string()));
REGISTER_OP("", "BitwiseAnd", 18, "a & b", binary(dtypes::ints, infer_broadcast));
REGISTER_OP("", "BitwiseOr", 18, "a | b", binary(dtypes::ints, infer_broadcast));
REGISTER_OP("", "BitwiseXor", 18, "a ^ b", binary(dtypes::ints, infer_broadcast));

}  // namespace
}  // namespace ge
