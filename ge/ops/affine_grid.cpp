// AffineGrid (ONNX 20): theta[N,2,3] and size (N,C,H,W) → grid[N,H,W,2]; theta[N,3,4] and (N,C,D,H,W) → [N,D,H,W,3].
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_affine_grid(InferContext& context) {
  const DType dtype = context.dtype(0);
  require_rank(context, 0, 3, 3, "theta");
  require_rank(context, 1, 1, 1, "size");
  const auto count = known_length(context, 1);
  if (count && *count != 4 && *count != 5)
    context.fail("input 1 (size) has " + std::to_string(*count) + " elements, expected 4 (N, C, H, W) or 5 (N, C, D, H, W)");
  if (!count) return context.set_output_unknown_rank(0, dtype);
  const auto axes = static_cast<int64_t>(*count) - 2;
  if (context.has_rank(0)) {
    require_equal(context, context.dim(0, 1), context.constant(axes), "dim 1 of theta");
    require_equal(context, context.dim(0, 2), context.constant(axes + 1), "dim 2 of theta");
  }
  const std::vector<Expr>* size = context.values(1);
  if (size == nullptr) return context.set_output(0, dtype, context.unknown_shape(*count));
  if (context.has_rank(0)) require_equal(context, (*size)[0], context.dim(0, 0), "the batch in input 1 (size)");
  Shape out{(*size)[0]};
  for (size_t i = 2; i < *count; ++i) out.push_back(as_dim(context, (*size)[i], "an element of input 1 (size)"));
  out.push_back(context.constant(axes));
  context.set_output(0, dtype, std::move(out));
}

REGISTER_OP("", "AffineGrid", 20, "an affine map of a grid of points",
            OpSchema()
                .in("theta", dtypes::floats, "T1")
                .in("size", onnx_types::int64)
                .out("grid", dtypes::floats, "T1")
                .attribute("align_corners", int64_t{0})
                .content(1)
                .infer(infer_affine_grid));

}  // namespace
}  // namespace ge
