// Comparisons and logic of two broadcast tensors: the output is bool.
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

template <Expr f(Expr, Expr)>
void infer_predicate(InferContext& context) {
  set_broadcast(context, DType::boolean);
  map_values(context, 2, [](auto x) { return f(x[0], x[1]); });
}

OpSchema predicate(DTypeSet types, InferFn fn) {
  return OpSchema().in("A", types, "T").in("B", types, "T").out("C", dtypes::boolean).infer(fn);
}

REGISTER_OP("", "Equal", 19, "a == b", predicate(dtypes::numeric | dtypes::boolean | dtypes::string, infer_predicate<equal>));
REGISTER_OP("", "Less", 13, "a < b", predicate(dtypes::numeric, infer_predicate<less>));
REGISTER_OP("", "LessOrEqual", 16, "a <= b", predicate(dtypes::numeric, infer_predicate<less_equal>));
REGISTER_OP("", "Greater", 13, "a > b", predicate(dtypes::numeric, infer_predicate<greater>));
REGISTER_OP("", "GreaterOrEqual", 16, "a >= b", predicate(dtypes::numeric, infer_predicate<greater_equal>));
REGISTER_OP("", "And", 7, "a and b", predicate(dtypes::boolean, infer_predicate<logical_and>));
REGISTER_OP("", "Or", 7, "a or b", predicate(dtypes::boolean, infer_predicate<logical_or>));
REGISTER_OP("", "Xor", 7, "a or b, not both", predicate(dtypes::boolean, infer_predicate<not_equal>));

}  // namespace
}  // namespace ge
