// Regions of images: RoiAlign (22), MaxRoiPool (22), NonMaxSuppression (11).
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/window_shapes.hpp"

namespace ge {
namespace {

/// [regions, channels of X, height, width]; rois has `columns` numbers for each region.
Shape region_shape(InferContext& context, int64_t columns, int64_t height, int64_t width) {
  require_rank(context, 0, 4, 4, "X");
  require_rank(context, 1, 2, 2, "rois");
  for (int64_t size : {height, width})
    if (size < 1 || size > INT32_MAX)
      context.fail("a pooled region has a dim of " + std::to_string(size) + ", expected at least 1 and less than 2^31");
  Shape out(4);
  if (context.has_rank(0)) out[1] = context.dim(0, 1);
  if (context.has_rank(1)) {
    require_equal(context, context.dim(1, 1), context.constant(columns), [&] { return "dim 1 of rois" + to_string(context.shape(1)); });
    out[0] = context.dim(1, 0);
  }
  out[2] = context.constant(height), out[3] = context.constant(width);
  return out;
}

void infer_roi_align(InferContext& context) {
  const Attributes& attributes = context.attributes();
  require_one_of(context, "mode", attributes.get_string("mode", "avg"), {"avg", "max"});
  require_one_of(context, "coordinate_transformation_mode", attributes.get_string("coordinate_transformation_mode", "half_pixel"),
                 {"half_pixel", "output_half_pixel"});
  const int64_t ratio = attributes.get_int("sampling_ratio", 0);
  if (ratio < 0 || ratio > 4096)  // every bin reads ratio * ratio points
    context.fail("attribute 'sampling_ratio' is " + std::to_string(ratio) + ", expected 0 (chosen by size) or up to 4096 points along an axis");
  Shape out = region_shape(context, 4, attributes.get_int("output_height", 1), attributes.get_int("output_width", 1));
  require_rank(context, 2, 1, 1, "batch_indices");
  if (context.has_rank(2)) {
    if (out[0])
      require_equal(context, context.dim(2, 0), out[0], "the dim of batch_indices");
    else
      out[0] = context.dim(2, 0);
  }
  context.set_output(0, context.dtype(0), with_unknowns(context, std::move(out)));
}

void infer_max_roi_pool(InferContext& context) {
  const std::vector<int64_t> pooled = spatial_ints(context, "pooled_shape", 2, 1, 1);
  context.set_output(0, context.dtype(0), with_unknowns(context, region_shape(context, 5, pooled[0], pooled[1])));
}

/// boxes[n, b, 4], scores[n, c, b] → [selected, 3]; how many are selected, only the run tells.
void infer_non_max_suppression(InferContext& context) {
  if (const int64_t format = context.attributes().get_int("center_point_box", 0); format != 0 && format != 1)
    context.fail("attribute 'center_point_box' is " + std::to_string(format) + ", expected 0 (two corners) or 1 (centre and size)");
  require_rank(context, 0, 3, 3, "boxes");
  require_rank(context, 1, 3, 3, "scores");
  if (context.has_rank(0)) {
    require_equal(context, context.dim(0, 2), context.constant(4), [&] { return "the last dim of boxes" + to_string(context.shape(0)); });
    if (context.has_rank(1)) {
      const auto scores = [&] { return "a dim of scores" + to_string(context.shape(1)) + " for boxes" + to_string(context.shape(0)); };
      require_equal(context, context.dim(1, 0), context.dim(0, 0), scores);
      require_equal(context, context.dim(1, 2), context.dim(0, 1), scores);
    }
  }
  for (size_t i : {2, 3, 4})
    if (context.has_input(i)) require_rank(context, i, 0, 1, "a limit");
  context.set_output(0, DType::int64, {context.unknown_dim(), context.constant(3)});
}

REGISTER_OP("", "RoiAlign", 22, "mean or maximum of points in each bin of each region",
            OpSchema()
                .in("X", dtypes::floats, "T1")
                .in("rois", dtypes::floats, "T1")
                .in("batch_indices", onnx_types::int64)
                .out("Y", dtypes::floats, "T1")
                .attribute("coordinate_transformation_mode", std::string("half_pixel"))
                .attribute("mode", std::string("avg"))
                .attribute("output_height", int64_t{1})
                .attribute("output_width", int64_t{1})
                .attribute("sampling_ratio", int64_t{0})
                .attribute("spatial_scale", 1.0f)
                .infer(infer_roi_align));
REGISTER_OP("", "MaxRoiPool", 22, "largest element in each bin of each region",
            OpSchema()
                .in("X", dtypes::floats, "T")
                .in("rois", dtypes::floats, "T")
                .out("Y", dtypes::floats, "T")
                .required_attribute("pooled_shape", std::vector<int64_t>{})
                .attribute("spatial_scale", 1.0f)
                .infer(infer_max_roi_pool));
REGISTER_OP("", "NonMaxSuppression", 11, "the best boxes that do not overlap a better one",
            OpSchema()
                .in("boxes", dtype_set(DType::float32))
                .in("scores", dtype_set(DType::float32))
                .optional_in("max_output_boxes_per_class", onnx_types::int64)
                .optional_in("iou_threshold", dtype_set(DType::float32))
                .optional_in("score_threshold", dtype_set(DType::float32))
                .out("selected_indices", onnx_types::int64)
                .attribute("center_point_box", int64_t{0})
                .infer(infer_non_max_suppression));

}  // namespace
}  // namespace ge
