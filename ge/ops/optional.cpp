// Optional (28), OptionalHasElement (28), OptionalGetElement (28): a tensor or a sequence that may be absent. Whether it is
// there is settled while a program is instantiated.
#include "ge/ops/element_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_optional(InferContext& context) {
  if (context.has_input(0) == context.attributes().has("type"))
    context.fail(context.has_input(0) ? "has both an input and attribute 'type', expected one of them"
                                      : "has neither an input nor attribute 'type', which says what an optional without element would hold");
  const TensorType held = context.has_input(0) ? context.input(0) : type_attribute(context, "type");
  context.set_output(0, held_type(optional_of(held.kind), held));
}

/// A tensor or a sequence always has itself as its element; no input has none.
void infer_has_element(InferContext& context) {
  context.set_output(0, DType::boolean, {});
  if (!context.has_input(0)) context.set_values(0, {context.constant(0)});
  else if (!is_optional(context.input(0).kind)) context.set_values(0, {context.constant(1)});
}

void infer_get_element(InferContext& context) {
  if (!is_optional(context.input(0).kind)) return context.set_output(0, context.input(0));
  TensorType held = context.input(0);
  held.kind = held_by(held.kind);
  context.set_output(0, held.is_tensor() ? element_type(context, 0) : held);
}

REGISTER_OP("", "Optional", 28, "an optional that holds the input, or nothing",
            OpSchema().optional_in("input", dtypes::all, "V").of(kinds::tensor | kinds::sequence).out("output", dtypes::all, "V").of(kinds::optional)
                .optional_attribute("type", std::string()).done_by_walk().infer(infer_optional));
REGISTER_OP("", "OptionalHasElement", 28, "whether an optional holds something",
            OpSchema().optional_in("input").of(kinds::any).out("output", dtypes::boolean).done_by_walk().infer(infer_has_element));
REGISTER_OP("", "OptionalGetElement", 28, "what an optional holds",
            OpSchema().in("input", dtypes::all, "V").of(kinds::any).out("output", dtypes::all, "V").of(kinds::tensor | kinds::sequence)
                .done_by_walk().infer(infer_get_element));

}  // namespace
}  // namespace ge
