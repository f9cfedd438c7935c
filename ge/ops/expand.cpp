// Expand (13) and Tile (13): elements repeated.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

/// Both ways: a 1 in the wanted shape keeps the input's dim.
void infer_expand(InferContext& context) {
  require_rank(context, 1, 1, 1, "shape");
  const std::vector<Expr>* wanted = context.values(1);
  const auto length = known_length(context, 1);
  if (!context.has_rank(0) || (wanted == nullptr && !length)) return context.set_output_unknown_rank(0, context.dtype(0));
  const Shape& in = context.shape(0);
  if (wanted == nullptr) return context.set_output(0, context.dtype(0), context.unknown_shape(std::max(in.size(), *length)));
  Shape target;
  for (Expr value : *wanted) target.push_back(as_dim(context, value, "an element of shape"));
  context.set_output(0, context.dtype(0), context.broadcast(in, target));
  rearrange_values(context, 0, 0, [&](auto at, auto from) {
    for (size_t d = 0; d < from.size(); ++d) from[d] = in[d].is_constant(1) ? 0 : at[at.size() - from.size() + d];
  });
}

void infer_tile(InferContext& context) {
  require_rank(context, 1, 1, 1, "repeats");
  const std::vector<Expr>* repeats = context.values(1);
  const auto length = repeats ? std::optional(repeats->size()) : known_length(context, 1);
  if (!context.has_rank(0)) {
    if (length)
      context.set_output(0, context.dtype(0), context.unknown_shape(*length));
    else
      context.set_output_unknown_rank(0, context.dtype(0));
    return;
  }
  Shape out = context.shape(0);
  if (length && *length != out.size())
    context.fail("repeats has " + std::to_string(*length) + " entries, expected the rank " + std::to_string(out.size()));
  for (size_t d = 0; d < out.size(); ++d)
    out[d] = repeats ? out[d] * as_dim(context, (*repeats)[d], "an element of repeats") : context.unknown_dim();
  context.set_output(0, context.dtype(0), std::move(out));
  const auto in = valued_input_dims(context, 0);
  rearrange_values(context, 0, 0, [&](auto at, auto from) {
    for (size_t d = 0; d < from.size(); ++d) from[d] = at[d] % (*in)[d];
  });
}

REGISTER_OP("", "Expand", 13, "broadcast to a shape",
            OpSchema()
                .in("input", onnx_types::classic, "T")
                .in("shape", onnx_types::int64)
                .out("output", onnx_types::classic, "T")
                .content(1)
                .infer(infer_expand));
REGISTER_OP("", "Tile", 13, "repeated along each axis",
            OpSchema()
                .in("input", onnx_types::classic, "T")
                .in("repeats", onnx_types::int64)
                .out("output", onnx_types::classic, "T")
                .content(1)
                .infer(infer_tile));

}  // namespace
}  // namespace ge
