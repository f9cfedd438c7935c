// Transpose (25): output axis i is input axis perm[i]; all axes reversed by default.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

void infer_transpose(InferContext& context) {
  std::vector<int64_t> perm = context.attributes().get_ints("perm");
  const bool given = context.attributes().has("perm");
  if (!context.has_rank(0)) {
    if (given)
      context.set_output(0, context.dtype(0), context.unknown_shape(perm.size()));
    else
      context.set_output_unknown_rank(0, context.dtype(0));
    return;
  }
  const Shape& in = context.shape(0);
  if (!given)
    for (size_t i = in.size(); i-- > 0;) perm.push_back(static_cast<int64_t>(i));
  if (perm.size() != in.size())
    context.fail("attribute 'perm' has " + std::to_string(perm.size()) + " axes, expected " + std::to_string(in.size()) +
                 " for input shape " + to_string(in));
  const std::vector<size_t> axes = normal_axes(context, perm, in.size());
  Shape out;
  for (size_t axis : axes) out.push_back(in[axis]);
  context.set_output(0, context.dtype(0), std::move(out));
  rearrange_values(context, 0, 0, [&](auto at, auto from) {
    for (size_t i = 0; i < axes.size(); ++i) from[axes[i]] = at[i];
  });
}

REGISTER_OP("", "Transpose", 25, "axes in another order",
            OpSchema()
                .in("data", onnx_types::movable, "T")
                .out("transposed", onnx_types::movable, "T")
                .optional_attribute("perm", std::vector<int64_t>{})
                .infer(infer_transpose));

}  // namespace
}  // namespace ge
