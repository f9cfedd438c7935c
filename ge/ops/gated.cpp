// SwiGLU (ONNX 28): gate and value of one shape; nothing is broadcast.
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_swiglu(InferContext& context) {
  infer_like_first(context);
  if (!context.has_rank(0)) return context.set_output(0, {context.dtype(0), context.input(1).shape, std::nullopt});
  require_rank(context, 1, context.rank(0), context.rank(0), "B");
  if (!context.has_rank(1)) return;
  for (size_t axis = 0; axis < context.rank(0); ++axis)
    require_equal(context, context.dim(1, axis), context.dim(0, axis), [&] { return "dim " + std::to_string(axis) + " of input 1 (B)"; });
}

REGISTER_OP("", "SwiGLU", 28, "Swish(a) * b",
            OpSchema().in("A", dtypes::floats, "T").in("B", dtypes::floats, "T").out("Y", dtypes::floats, "T").attribute("alpha", 1.0f).infer(infer_swiglu));

}  // namespace
}  // namespace ge
