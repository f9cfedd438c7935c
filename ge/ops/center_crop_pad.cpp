// CenterCropPad (ONNX 18): the axes named get the dims of input 1; without names, all axes in order.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_center_crop_pad(InferContext& context) {
  const DType dtype = context.dtype(0);
  require_rank(context, 1, 1, 1, "shape");
  const auto count = known_length(context, 1);
  const std::vector<int64_t> given = context.attributes().get_ints("axes");
  const bool all = !context.attributes().has("axes");
  if (!context.has_rank(0)) {
    if (all && count) return context.set_output(0, dtype, context.unknown_shape(*count));
    return context.set_output_unknown_rank(0, dtype);
  }
  Shape out = context.shape(0);
  std::vector<size_t> axes = normal_axes(context, given, out.size());
  for (size_t axis = 0; all && axis < out.size(); ++axis) axes.push_back(axis);
  if (count && *count != axes.size())
    context.fail("input 1 (shape) has " + std::to_string(*count) + " elements, expected one for each of " + std::to_string(axes.size()) + " axes");
  const std::vector<Expr>* wanted = context.values(1);
  for (size_t i = 0; i < axes.size(); ++i)
    out[axes[i]] = wanted != nullptr ? as_dim(context, (*wanted)[i], "an element of input 1 (shape)") : context.unknown_dim();
  context.set_output(0, dtype, std::move(out));
}

REGISTER_OP("", "CenterCropPad", 18, "the middle of an input, or zeros around it",
            OpSchema()
                .in("input_data", onnx_types::classic, "T")
                .in("shape", onnx_types::index)
                .out("output_data", onnx_types::classic, "T")
                .optional_attribute("axes", std::vector<int64_t>{})
                .content(1)
                .infer(infer_center_crop_pad));

}  // namespace
}  // namespace ge
