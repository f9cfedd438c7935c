#include "ge/ops/elementwise_shapes.hpp"

namespace ge {

void set_like_first(InferContext& context, DType dtype) {
  if (context.has_rank(0))
    context.set_output(0, dtype, context.shape(0));
  else
    context.set_output_unknown_rank(0, dtype);
}

void infer_like_first(InferContext& context) { set_like_first(context, context.dtype(0)); }

std::optional<Shape> broadcast_inputs(InferContext& context) {
  for (size_t i = 0; i < context.input_count(); ++i)
    if (!context.has_rank(i)) return std::nullopt;
  Shape shape = context.shape(0);
  for (size_t i = 1; i < context.input_count(); ++i) shape = context.broadcast(shape, context.shape(i));
  return shape;
}

void set_broadcast(InferContext& context, DType dtype) {
  if (auto shape = broadcast_inputs(context))
    context.set_output(0, dtype, std::move(*shape));
  else
    context.set_output_unknown_rank(0, dtype);
}

void infer_broadcast(InferContext& context) { set_broadcast(context, context.dtype(0)); }

void require_broadcasts_to(InferContext& context, const Shape& from, const Shape& to, const std::string& what) {
  const auto describe = [&] {
    return what + " has shape " + to_string(from) + ", expected one that broadcasts to " + to_string(to);
  };
  if (from.size() > to.size()) context.fail(describe());
  for (size_t i = 0; i < from.size(); ++i) {
    const Expr found = from[i], expected = to[to.size() - from.size() + i];
    if (found != expected) context.require(logical_or(equal(found, expected), equal(found, 1)), describe);
  }
}

}  // namespace ge
