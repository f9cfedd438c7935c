// GridSample (22): X[n, c, d1, …, dr] read at the places that grid[n, o1, …, or, r] names → Y[n, c, o1, …, or].
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_grid_sample(InferContext& context) {
  require_one_of(context, "mode", context.attributes().get_string("mode", "linear"), {"linear", "nearest", "cubic"});
  require_one_of(context, "padding_mode", context.attributes().get_string("padding_mode", "zeros"), {"zeros", "border", "reflection"});
  require_rank(context, 0, 3, SIZE_MAX, "X");
  require_rank(context, 1, 3, SIZE_MAX, "grid");
  if (!context.has_rank(0) && !context.has_rank(1)) return context.set_output_unknown_rank(0, context.dtype(0));
  const size_t rank = context.has_rank(0) ? context.rank(0) : context.rank(1);
  require_rank(context, 1, rank, rank, "grid");
  Shape out(rank);
  if (context.has_rank(0)) out[0] = context.dim(0, 0), out[1] = context.dim(0, 1);
  if (context.has_rank(1)) {
    require_equal(context, context.dim(1, rank - 1), context.constant(static_cast<int64_t>(rank) - 2),
                  [&] { return "the last dim of grid" + to_string(context.shape(1)) + ", a place in an image of " + std::to_string(rank - 2) + " axes,"; });
    if (out[0])
      require_equal(context, context.dim(1, 0), out[0], "the number of images of grid");
    else
      out[0] = context.dim(1, 0);
    for (size_t i = 2; i < rank; ++i) out[i] = context.dim(1, i - 1);
  }
  context.set_output(0, context.dtype(0), with_unknowns(context, std::move(out)));
}

REGISTER_OP("", "GridSample", 22, "images read at places that a grid names",
            OpSchema()
                .in("X", onnx_types::classic, "T1")
                .in("grid", dtypes::floats, "T2")
                .out("Y", onnx_types::classic, "T1")
                .attribute("align_corners", int64_t{0})
                .attribute("mode", std::string("linear"))
                .attribute("padding_mode", std::string("zeros"))
                .infer(infer_grid_sample));

}  // namespace
}  // namespace ge
