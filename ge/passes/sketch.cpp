#include "ge/passes/sketch.hpp"

#include "ge/ops/schema.hpp"

#include <deque>

namespace ge {
namespace {

TensorType type_of(SymbolTable& symbols, const std::vector<int64_t>& ints) {
  TensorType type{DType::int64, Shape{symbols.constant(static_cast<int64_t>(ints.size()))}, std::nullopt};
  if (static_cast<int64_t>(ints.size()) > max_symbolic_values) return type;
  type.values.emplace();
  for (int64_t value : ints) type.values->push_back(symbols.constant(value));
  return type;
}

}  // namespace

bool gives_shape(const Graph& graph, const Sketch& sketch, const Shape& shape) {
  const OpSchema* schema = find_schema("", sketch.op);
  if (schema == nullptr) return false;
  std::deque<TensorType> made;
  std::vector<InferContext::Input> inputs;
  for (const Sketch::Input& input : sketch.inputs) {
    if (const auto* ref = std::get_if<OutputRef>(&input))
      inputs.push_back(*ref ? InferContext::Input{&graph.type(*ref), graph.constant_value(*ref)} : InferContext::Input{});
    else
      inputs.push_back({&made.emplace_back(type_of(graph.symbols(), std::get<std::vector<int64_t>>(input))), nullptr});
  }
  InferContext context(graph.symbols(), sketch.attributes, std::move(inputs), {true});
  try {
    check_and_infer(*schema, context);
  } catch (const Error&) {
    return false;
  }
  return context.results()[0].shape == shape;
}

OutputRef add_in_place_of(Graph& graph, OutputRef replaced, Sketch sketch) {
  const std::string name = graph.node(replaced.node).name();
  NodeSpec spec{std::move(sketch.op), name, "", std::move(sketch.attributes), {}, {graph.tensor_name(replaced)}, {}};
  for (const Sketch::Input& input : sketch.inputs) {
    const auto* ref = std::get_if<OutputRef>(&input);
    spec.inputs.push_back(ref != nullptr ? *ref : graph.add_constant(name + ".ints", Tensor::ints(std::get<std::vector<int64_t>>(input))));
  }
  return {graph.add_node(std::move(spec)), 0};
}

}  // namespace ge
