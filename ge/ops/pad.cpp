// Pad (25): dim + begin + end on each padded axis; negative pads crop.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_pad(InferContext& context) {
  require_one_of(context, "mode", context.attributes().get_string("mode", "constant"), {"constant", "reflect", "edge", "wrap"});
  const std::vector<Expr>* pads = context.values(1);
  const auto given = context.has_input(3) ? context.constant_ints(3) : std::nullopt;
  if (!context.has_rank(0)) return context.set_output_unknown_rank(0, context.dtype(0));
  Shape out = context.shape(0);
  std::vector<size_t> axes;
  if (given)
    axes = normal_axes(context, *given, out.size());
  else if (!context.has_input(3))
    for (size_t d = 0; d < out.size(); ++d) axes.push_back(d);
  if (context.has_input(3) && !given) return context.set_output(0, context.dtype(0), context.unknown_shape(out.size()));

  if (const auto count = pads ? std::optional(pads->size()) : known_length(context, 1); count && *count != 2 * axes.size())
    context.fail("pads has " + std::to_string(*count) + " entries, expected " + std::to_string(2 * axes.size()) + ", two for each of " +
                 std::to_string(axes.size()) + " axes");
  for (size_t i = 0; i < axes.size(); ++i) {
    Expr& dim = out[axes[i]];
    if (pads == nullptr)
      dim = context.unknown_dim();
    else
      dim = as_dim(context, dim + (*pads)[i] + (*pads)[i + axes.size()], [&] { return "the padded dim at axis " + std::to_string(axes[i]); });
  }
  context.set_output(0, context.dtype(0), std::move(out));
}

REGISTER_OP("", "Pad", 25, "elements added or cropped at both ends of axes",
            OpSchema()
                .in("data", onnx_types::movable, "T")
                .in("pads", onnx_types::int64)
                .optional_in("constant_value", onnx_types::movable, "T")
                .optional_in("axes", onnx_types::index)
                .out("output", onnx_types::movable, "T")
                .attribute("mode", std::string("constant"))
                .content(1)
                .content(3)
                .infer(infer_pad));

}  // namespace
}  // namespace ge
