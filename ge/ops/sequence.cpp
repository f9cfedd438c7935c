// Sequences of tensors: SequenceConstruct (11), SequenceEmpty (11), SequenceAt (11), SequenceInsert (11), SequenceErase (11),
// SequenceLength (11). None computes anything: which tensor is where is settled while a program is instantiated. How many
// elements there are, and which one a position means, is known only there.
#include "ge/ops/element_types.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

/// What opset 11 lets sequences hold.
constexpr DTypeSet sequence_types = onnx_types::classic & ~dtype_bit(DType::bfloat16);

void infer_construct(InferContext& context) {
  TensorType type = held_type(ValueKind::sequence, context.input(0));
  for (size_t i = 1; i < context.input_count(); ++i) type = shared_type(ValueKind::sequence, type, context.input(i));
  context.set_output(0, type);
}

void infer_empty(InferContext& context) {
  context.set_output(0, {dtype_attribute(context, "dtype", DType::float32), std::nullopt, std::nullopt, ValueKind::sequence});
}

/// A position is one element: a scalar, or (as ONNX's own tests have it) a tensor of one.
void check_position(InferContext& context, size_t i) {
  if (context.has_input(i)) require_rank(context, i, 0, 1, "position");
}

void infer_at(InferContext& context) {
  check_position(context, 1);
  context.set_output(0, element_type(context, 0));
}

void infer_insert(InferContext& context) {
  check_position(context, 2);
  context.set_output(0, shared_type(ValueKind::sequence, context.input(0), context.input(1)));
}

void infer_erase(InferContext& context) {
  check_position(context, 1);
  context.set_output(0, context.input(0));
}

void infer_length(InferContext& context) { context.set_output(0, DType::int64, {}); }

REGISTER_OP("", "SequenceConstruct", 11, "a sequence of the inputs",
            OpSchema().variadic_in("inputs", sequence_types, "T").out("output_sequence", sequence_types, "T").of(kinds::sequence)
                .done_by_walk().infer(infer_construct));
REGISTER_OP("", "SequenceEmpty", 11, "a sequence without elements",
            OpSchema().out("output", sequence_types).of(kinds::sequence).optional_attribute("dtype", int64_t{}).done_by_walk().infer(infer_empty));
REGISTER_OP("", "SequenceAt", 11, "the element at a position",
            OpSchema().in("input_sequence", sequence_types, "T").of(kinds::sequence).in("position", onnx_types::index)
                .out("tensor", sequence_types, "T").content(1).done_by_walk().infer(infer_at));
REGISTER_OP("", "SequenceInsert", 11, "a sequence with one more element, by default at its end",
            OpSchema().in("input_sequence", sequence_types, "T").of(kinds::sequence).in("tensor", sequence_types, "T")
                .optional_in("position", onnx_types::index).out("output_sequence", sequence_types, "T").of(kinds::sequence)
                .content(2).done_by_walk().infer(infer_insert));
REGISTER_OP("", "SequenceErase", 11, "a sequence without one of its elements, by default the last",
            OpSchema().in("input_sequence", sequence_types, "T").of(kinds::sequence).optional_in("position", onnx_types::index)
                .out("output_sequence", sequence_types, "T").of(kinds::sequence).content(1).done_by_walk().infer(infer_erase));
REGISTER_OP("", "SequenceLength", 11, "how many elements a sequence has",
            OpSchema().in("input_sequence", sequence_types).of(kinds::sequence).out("length", onnx_types::int64).done_by_walk().infer(infer_length));

}  // namespace
}  // namespace ge
