// Shape (25) and Size (25): dims as values.
#include "ge/ops/schema.hpp"

#include <algorithm>

namespace ge {
namespace {

/// Axes start..end of the input, each bound counted from the back where negative, then clamped to 0..rank.
void infer_shape(InferContext& context) {
  if (!context.has_rank(0)) return context.set_output(0, DType::int64, {context.unknown_dim()});
  const Shape& in = context.shape(0);
  const auto rank = static_cast<int64_t>(in.size());
  const auto clamped = [&](int64_t bound) { return std::clamp<int64_t>(bound < 0 ? bound + rank : bound, 0, rank); };
  const int64_t start = clamped(context.attributes().get_int("start", 0));
  const int64_t end = std::max(start, clamped(context.attributes().get_int("end", rank)));
  context.set_output(0, DType::int64, {context.constant(end - start)});
  context.set_values(0, std::vector<Expr>(in.begin() + start, in.begin() + end));
}

void infer_size(InferContext& context) {
  context.set_output(0, DType::int64, Shape{});
  if (context.has_rank(0)) context.set_values(0, {product(context.symbols(), context.shape(0), 0, context.rank(0))});
}

REGISTER_OP("", "Shape", 25, "the dims of a tensor",
            OpSchema()
                .in("data")
                .out("shape", dtype_set(DType::int64))
                .attribute("start", int64_t{0})
                .optional_attribute("end", int64_t{})
                .infer(infer_shape));
REGISTER_OP("", "Size", 25, "the number of elements of a tensor",
            OpSchema().in("data").out("size", dtype_set(DType::int64)).infer(infer_size));

}  // namespace
}  // namespace ge
