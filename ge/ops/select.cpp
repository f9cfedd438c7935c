// Slices reversed, picked or made unique: ReverseSequence (28), Compress (28), Unique (28).
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

#include <algorithm>

namespace ge {
namespace {

void infer_reverse_sequence(InferContext& context) {
  const int64_t batch = context.attributes().get_int("batch_axis", 1), time = context.attributes().get_int("time_axis", 0);
  if (std::min(batch, time) != 0 || std::max(batch, time) != 1)
    context.fail("attributes 'batch_axis' and 'time_axis' are " + std::to_string(batch) + " and " + std::to_string(time) + ", expected 0 and 1, or 1 and 0");
  require_rank(context, 0, 2, SIZE_MAX, "input");
  require_rank(context, 1, 1, 1, "sequence_lens");
  if (context.has_rank(0) && context.has_rank(1))
    require_equal(context, context.dim(1, 0), context.dim(0, static_cast<size_t>(batch)), "the dim of sequence_lens");
  infer_like_first(context);
}

/// How many slices are picked or unique, only the run tells: the dim at the axis is unknown; without an axis the output
/// has that one dim.
Shape selected_shape(InferContext& context) {
  if (!context.attributes().has("axis")) return {context.unknown_dim()};
  Shape out = context.shape(0);
  out[context.axis(context.attributes().get_int("axis", 0), out.size())] = context.unknown_dim();
  return out;
}

void set_selected(InferContext& context) {
  if (context.attributes().has("axis") && !context.has_rank(0)) return context.set_output_unknown_rank(0, context.dtype(0));
  context.set_output(0, context.dtype(0), selected_shape(context));
}

void infer_compress(InferContext& context) {
  require_rank(context, 0, 1, SIZE_MAX, "input");
  require_rank(context, 1, 1, 1, "condition");
  set_selected(context);
}

void infer_unique(InferContext& context) {
  set_selected(context);
  const bool by_axis = context.attributes().has("axis");
  for (size_t i : {1, 3}) context.set_output(i, DType::int64, {context.unknown_dim()});
  if (!context.has_rank(0)) return context.set_output(2, DType::int64, {context.unknown_dim()});
  Expr count = context.constant(1);
  if (by_axis) {
    count = context.dim(0, context.axis(context.attributes().get_int("axis", 0), context.rank(0)));
  } else {
    for (const Expr dim : context.shape(0)) count = count * dim;
  }
  context.set_output(2, DType::int64, {count});
}

REGISTER_OP("", "ReverseSequence", 28, "the first elements of each sequence in reverse order",
            OpSchema()
                .in("input", onnx_types::classic, "T")
                .in("sequence_lens", onnx_types::int64)
                .out("Y", onnx_types::classic, "T")
                .attribute("batch_axis", int64_t{1})
                .attribute("time_axis", int64_t{0})
                .infer(infer_reverse_sequence));
REGISTER_OP("", "Compress", 28, "the slices whose condition holds",
            OpSchema()
                .in("input", onnx_types::classic, "T")
                .in("condition", dtypes::boolean)
                .out("output", onnx_types::classic, "T")
                .optional_attribute("axis", int64_t{})
                .infer(infer_compress));
REGISTER_OP("", "Unique", 28, "elements or slices without repetitions, where they are and how often",
            OpSchema()
                .in("X", onnx_types::classic, "T")
                .out("Y", onnx_types::classic, "T")
                .optional_out("indices", onnx_types::int64)
                .optional_out("inverse_indices", onnx_types::int64)
                .optional_out("counts", onnx_types::int64)
                .optional_attribute("axis", int64_t{})
                .attribute("sorted", int64_t{1})
                .infer(infer_unique));

}  // namespace
}  // namespace ge
