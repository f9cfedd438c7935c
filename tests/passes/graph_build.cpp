#include "passes/graph_case.hpp"

#include <cstdio>

namespace ge::testing {

OutputRef GraphBuild::input(std::string name, std::vector<Dim> dims, DType dtype) {
  Shape shape;
  for (const Dim& dim : dims) shape.push_back(size(dim));
  return graph.add_input(std::move(name), {dtype, std::move(shape), std::nullopt});
}

OutputRef GraphBuild::input_of_unknown_rank(std::string name, DType dtype) {
  return graph.add_input(std::move(name), {dtype, std::nullopt, std::nullopt});
}

OutputRef GraphBuild::constant(Tensor value) { return graph.add_constant("c", std::move(value)); }

OutputRef GraphBuild::scalar(float value) { return constant(Tensor::from<float>(DType::float32, {}, std::span<const float>(&value, 1))); }

OutputRef GraphBuild::filled(std::vector<int64_t> dims, float value) {
  const std::vector<float> values(static_cast<size_t>(*element_count(dims)), value);
  return constant(Tensor::from<float>(DType::float32, dims, std::span<const float>(values)));
}

OutputRef GraphBuild::ints(std::vector<int64_t> values) { return constant(Tensor::ints(values)); }

OutputRef GraphBuild::boolean(bool value) {
  const uint8_t byte = value;
  return constant(Tensor::from<uint8_t>(DType::boolean, {}, std::span<const uint8_t>(&byte, 1)));
}

OutputRef GraphBuild::op(std::string type, std::vector<OutputRef> inputs, Attributes attrs, size_t outputs) {
  NodeSpec spec;
  spec.op = std::move(type);
  spec.inputs = std::move(inputs);
  spec.attributes = std::move(attrs);
  for (size_t i = 0; i < outputs; ++i) spec.outputs.push_back("t" + std::to_string(graph.node_count()) + "_" + std::to_string(i));
  return {graph.add_node(std::move(spec)), 0};
}

void GraphBuild::outputs(std::vector<OutputRef> refs) {
  std::vector<std::string> names;
  for (size_t i = 0; i < refs.size(); ++i) names.push_back("out" + std::to_string(i));
  graph.set_outputs(std::move(refs), std::move(names));
}

Expr GraphBuild::size(const Dim& dim) {
  SymbolTable& symbols = graph.symbols();
  if (const int* number = std::get_if<int>(&dim.size_or_name)) return symbols.constant(*number);
  const std::string& name = std::get<std::string>(dim.size_or_name);
  const Expr known = symbols.find_symbol(name);
  return known ? known : symbols.symbol(name, {1, INT64_MAX});
}

OutputRef GraphBuild::owner(const char* type, std::vector<OutputRef> inputs, const std::vector<OutputRef>& captures, Attributes attrs,
                std::vector<GraphId> subgraphs, size_t outputs) {
  NodeSpec spec;
  spec.op = type;
  spec.inputs = std::move(inputs);
  spec.inputs.insert(spec.inputs.end(), captures.begin(), captures.end());
  spec.attributes = std::move(attrs);
  spec.subgraphs = std::move(subgraphs);
  for (size_t i = 0; i < outputs; ++i) spec.outputs.push_back("t" + std::to_string(graph.node_count()) + "_" + std::to_string(i));
  return {graph.add_node(std::move(spec)), 0};
}

std::string text(const Graph& graph) {
  std::string out;
  for (OutputRef ref : graph.outputs()) out += (out.empty() ? "" : "; ") + text(graph, ref);
  return out;
}

std::string text(const Graph& graph, OutputRef ref) {
  if (!ref) return "_";
  const Node& node = graph.node(ref.node);
  if (node.is(op_types::data)) return node.outputs()[0].name;
  if (const Tensor* tensor = graph.constant_value(ref)) {
    const auto elements = tensor->to_doubles();
    if (!elements || elements->size() > 8) return std::string(to_string(tensor->dtype())) + dims_to_string(tensor->dims());
    std::string out;
    for (double element : *elements) {
      char number[32];
      std::snprintf(number, sizeof number, "%g", element);
      out += (out.empty() ? "" : ", ") + std::string(number);
    }
    return tensor->dims().empty() ? out : "[" + out + "]";
  }
  std::string out = node.op() + "(";
  for (size_t i = 0; i < node.inputs().size(); ++i) out += (i ? ", " : "") + text(graph, node.inputs()[i]);
  out += ")";
  if (!node.subgraphs().empty()) {
    out += "{";
    for (size_t i = 0; i < node.subgraphs().size(); ++i) out += (i ? " | " : "") + text(graph.subgraph(node.subgraphs()[i]));
    out += "}";
  }
  return ref.index == 0 ? out : out + "." + std::to_string(ref.index);
}

}  // namespace ge::testing
