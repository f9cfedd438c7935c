// SplitToSequence (24), ConcatFromSequence (11): between a tensor and a sequence of its parts. The copying is done by the
// kernels of Split and Concat.
#include "ge/ops/element_types.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

/// The parts agree on all axes but the one that is split; without `split` they are slices of 1, and `keepdims` 0 drops the
/// axis (it says nothing where `split` is given).
void infer_split_to_sequence(InferContext& context) {
  TensorType parts = held_type(ValueKind::sequence, context.input(0));
  if (context.has_input(1)) require_rank(context, 1, 0, 1, "split");
  if (parts.shape) {
    if (parts.rank() == 0) context.fail("input has rank 0, expected at least 1");
    const size_t axis = context.axis(context.attributes().get_int("axis", 0), parts.rank());
    if (context.has_input(1)) (*parts.shape)[axis] = Expr();
    else if (flag(context, "keepdims", true)) (*parts.shape)[axis] = context.constant(1);
    else parts.shape->erase(parts.shape->begin() + static_cast<std::ptrdiff_t>(axis));
  }
  context.set_output(0, parts);
}

void infer_concat_from_sequence(InferContext& context) {
  TensorType type = element_type(context, 0);
  const int64_t given = context.attributes().need_int("axis");
  const bool stacked = flag(context, "new_axis", false);
  if (!type.shape) return context.set_output_unknown_rank(0, type.dtype);
  if (!stacked && type.rank() == 0) context.fail("the elements have rank 0, which cannot be joined along an axis; set new_axis to 1");
  const size_t axis = context.axis(given, type.rank() + stacked);
  if (stacked) type.shape->insert(type.shape->begin() + static_cast<std::ptrdiff_t>(axis), context.unknown_dim());
  else (*type.shape)[axis] = context.unknown_dim();
  context.set_output(0, type);
}

REGISTER_OP("", "SplitToSequence", 24, "a sequence of consecutive parts of an axis",
            OpSchema().in("input", onnx_types::classic, "T").optional_in("split", onnx_types::index)
                .out("output_sequence", onnx_types::classic, "T").of(kinds::sequence)
                .attribute("keepdims", int64_t{1}).attribute("axis", int64_t{0}).content(1).done_by_walk().infer(infer_split_to_sequence));
REGISTER_OP("", "ConcatFromSequence", 11, "the elements of a sequence one after the other",
            OpSchema().in("input_sequence", onnx_types::classic & ~dtype_bit(DType::bfloat16), "T").of(kinds::sequence)
                .out("concat_result", onnx_types::classic & ~dtype_bit(DType::bfloat16), "T")
                .required_attribute("axis", int64_t{}).attribute("new_axis", int64_t{0}).done_by_walk().infer(infer_concat_from_sequence));

}  // namespace
}  // namespace ge
