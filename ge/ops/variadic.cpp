// Element-wise ops of any number of broadcast tensors: Max, Min, Sum, Mean.
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

template <Expr f(Expr, Expr)>
void infer_fold(InferContext& context) {
  infer_broadcast(context);
  map_values(context, context.input_count(), [](auto x) {
    Expr result = x[0];
    for (Expr element : x.subspan(1)) result = f(result, element);
    return result;
  });
}

OpSchema variadic(DTypeSet types, InferFn fn) { return OpSchema().variadic_in("data_0", types, "T").out("result", types, "T").infer(fn); }

REGISTER_OP("", "Max", 13, "largest of the inputs", variadic(dtypes::numeric, infer_fold<max_of>));
REGISTER_OP("", "Min", 13, "smallest of the inputs", variadic(dtypes::numeric, infer_fold<min_of>));
REGISTER_OP("", "Sum", 13, "sum of the inputs", variadic(dtypes::floats, infer_broadcast));
REGISTER_OP("", "Mean", 13, "mean of the inputs", variadic(dtypes::floats, infer_broadcast));

}  // namespace
}  // namespace ge
