// Squeeze (25), Unsqueeze (25), Flatten (25): views with axes of size 1 removed, inserted, or axes merged.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

#include <algorithm>

namespace ge {
namespace {

/// The axes that Squeeze removes when none are given: all of size 1; nullopt when a dim may or may not be 1.
std::optional<std::vector<size_t>> axes_of_size_1(InferContext& context) {
  std::vector<size_t> axes;
  for (size_t d = 0; d < context.rank(0); ++d) {
    const Expr is_1 = equal(context.dim(0, d), 1);
    if (known_true(is_1))
      axes.push_back(d);
    else if (!known_false(is_1))
      return std::nullopt;
  }
  return axes;
}

void infer_squeeze(InferContext& context) {
  const auto given = context.has_input(1) ? context.constant_ints(1) : std::nullopt;
  if (!context.has_rank(0)) return context.set_output_unknown_rank(0, context.dtype(0));
  const size_t rank = context.rank(0);
  std::optional<std::vector<size_t>> axes;
  if (given)
    axes = normal_axes(context, *given, rank);
  else if (!context.has_input(1))
    axes = axes_of_size_1(context);
  if (!axes) {
    const auto count = context.has_input(1) ? known_length(context, 1) : std::nullopt;
    if (count && *count <= rank) return context.set_output(0, context.dtype(0), context.unknown_shape(rank - *count));
    return context.set_output_unknown_rank(0, context.dtype(0));
  }
  Shape out;
  for (size_t d = 0; d < rank; ++d) {
    if (std::find(axes->begin(), axes->end(), d) == axes->end())
      out.push_back(context.dim(0, d));
    else
      require_equal(context, context.dim(0, d), context.constant(1), [&] { return "the squeezed dim at axis " + std::to_string(d); });
  }
  context.set_output(0, context.dtype(0), std::move(out));
  pass_values(context);
}

void infer_unsqueeze(InferContext& context) {
  const auto given = context.constant_ints(1);
  const auto count = given ? std::optional(given->size()) : known_length(context, 1);
  if (!context.has_rank(0) || !count) return context.set_output_unknown_rank(0, context.dtype(0));
  const size_t rank = context.rank(0) + *count;
  if (!given) return context.set_output(0, context.dtype(0), context.unknown_shape(rank));
  const std::vector<size_t> axes = normal_axes(context, *given, rank);
  Shape out;
  size_t next = 0;
  for (size_t d = 0; d < rank; ++d)
    out.push_back(std::find(axes.begin(), axes.end(), d) == axes.end() ? context.dim(0, next++) : context.constant(1));
  context.set_output(0, context.dtype(0), std::move(out));
  pass_values(context);
}

/// Two axes: the product of those before `axis` and of the rest. `axis` may be the rank itself.
void infer_flatten(InferContext& context) {
  if (!context.has_rank(0)) return context.set_output(0, context.dtype(0), context.unknown_shape(2));
  const Shape& in = context.shape(0);
  const auto rank = static_cast<int64_t>(in.size());
  const int64_t given = context.attributes().get_int("axis", 1);
  if (given < -rank || given > rank)
    context.fail("attribute 'axis' is " + std::to_string(given) + ", expected " + std::to_string(-rank) + " to " + std::to_string(rank) +
                 " for input shape " + to_string(in));
  const auto axis = static_cast<size_t>(given < 0 ? given + rank : given);
  context.set_output(0, context.dtype(0), {product(context.symbols(), in, 0, axis), product(context.symbols(), in, axis, in.size())});
  pass_values(context);
}

REGISTER_OP("", "Squeeze", 25, "axes of size 1 removed",
            OpSchema()
                .in("data", onnx_types::movable, "T")
                .optional_in("axes", onnx_types::int64)
                .out("squeezed", onnx_types::movable, "T")
                .content(1)
                .infer(infer_squeeze));
REGISTER_OP("", "Unsqueeze", 25, "axes of size 1 inserted",
            OpSchema()
                .in("data", onnx_types::movable, "T")
                .in("axes", onnx_types::int64)
                .out("expanded", onnx_types::movable, "T")
                .content(1)
                .infer(infer_unsqueeze));
REGISTER_OP("", "Flatten", 25, "reshaped to two axes",
            OpSchema().in("input", onnx_types::movable, "T").out("output", onnx_types::movable, "T").attribute("axis", int64_t{1}).infer(infer_flatten));

}  // namespace
}  // namespace ge
