// The nodes that every graph has: Data (an input), Const (a tensor), NetOutput (the outputs).
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_const(InferContext& context) {
  const Tensor& value = *context.attributes().get_tensor("value");
  context.set_output(0, value.dtype(), constant_shape(context.symbols(), value.dims()));
  const auto ints = value.count() <= max_symbolic_values ? value.to_ints() : std::nullopt;
  if (!ints) return;
  std::vector<Expr> values;
  for (int64_t element : *ints) values.push_back(context.constant(element));
  context.set_values(0, std::move(values));
}

OpSchema net_output() {
  OpSchema schema;
  schema.variadic_in("outputs").of(kinds::any);
  schema.inputs.back().optional = true;
  return schema;
}

REGISTER_OP("", "Data", 1, "an input of its graph; its type is set there", OpSchema().out("value").of(kinds::any));
REGISTER_OP("", "Const", 1, "a constant tensor",
            OpSchema().out("value").required_attribute("value", Tensor()).infer(infer_const));
REGISTER_OP("", "NetOutput", 1, "the outputs of its graph", net_output());

}  // namespace
}  // namespace ge
