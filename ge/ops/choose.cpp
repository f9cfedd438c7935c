// Ops that choose between given values: Where, Clip.
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

void infer_where(InferContext& context) {
  set_broadcast(context, context.dtype(1));
  map_values(context, 3, [](auto x) { return select(x[0], x[1], x[2]); });
}

/// Clip (13): where min > max, max wins.
void infer_clip(InferContext& context) {
  infer_like_first(context);
  for (size_t i : {1, 2})
    if (const auto count = known_length(context, i); count && *count != 1)
      context.fail("input " + std::to_string(i) + " has " + std::to_string(*count) + " elements, expected a scalar");
  const std::vector<Expr>* low = context.values_if_known(1);
  const std::vector<Expr>* high = context.values_if_known(2);
  if ((context.has_input(1) && low == nullptr) || (context.has_input(2) && high == nullptr)) return;
  map_values(context, 1, [&](auto x) {
    const Expr raised = low ? max_of(x[0], low->front()) : x[0];
    return high ? min_of(raised, high->front()) : raised;
  });
}

REGISTER_OP("", "Where", 16, "x where the condition holds, else y",
            OpSchema()
                .in("condition", dtypes::boolean)
                .in("X", onnx_types::classic, "T")
                .in("Y", onnx_types::classic, "T")
                .out("output", onnx_types::classic, "T")
                .infer(infer_where));
REGISTER_OP("", "Clip", 13, "x kept between min and max",
            OpSchema()
                .in("input", dtypes::numeric, "T")
                .optional_in("min", dtypes::numeric, "T")
                .optional_in("max", dtypes::numeric, "T")
                .out("output", dtypes::numeric, "T")
                .infer(infer_clip));

}  // namespace
}  // namespace ge
