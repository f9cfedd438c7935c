#include "ge/session/kernel_evaluator.hpp"

#include "ge/build/build_program.hpp"
#include "ge/graph/infer.hpp"
#include "ge/session/run_graph.hpp"

namespace ge {

KernelEvaluator::KernelEvaluator(std::vector<std::string> engines, int64_t max_memory_bytes)
    : engines_(std::move(engines)), max_memory_bytes_(max_memory_bytes) {}

namespace {

/// A root graph that holds a copy of one node, fed by constants.
std::unique_ptr<Graph> isolate(const Node& node, std::span<const Tensor> inputs) {
  auto graph = std::make_unique<Graph>("evaluate " + node.name());
  NodeSpec spec{.op = node.op(), .name = node.name(), .domain = node.domain(), .attributes = node.attributes(), .inputs = {}, .outputs = {}, .subgraphs = {}};
  for (size_t i = 0; i < inputs.size(); ++i) spec.inputs.push_back(inputs[i] ? graph->add_constant("input_" + std::to_string(i), inputs[i]) : OutputRef{});
  for (const NodeOutput& output : node.outputs()) spec.outputs.push_back(output.name);
  const NodeId copy = graph->add_node(std::move(spec));
  std::vector<OutputRef> outputs;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < node.outputs().size(); ++i) {
    if (node.outputs()[i].name.empty()) continue;
    outputs.push_back({copy, i});
    names.push_back(node.outputs()[i].name);
  }
  graph->set_outputs(std::move(outputs), std::move(names));
  return graph;
}

}  // namespace

std::vector<Tensor> KernelEvaluator::evaluate(const Graph& graph, NodeId id, std::span<const Tensor> inputs) {
  const Node& node = graph.node(id);
  if (!node.subgraphs().empty()) throw Error(ErrorCode::unsupported, "nodes with subgraphs are not evaluated");
  auto single = isolate(node, inputs);
  const InferResult inferred = infer(*single);
  for (OutputRef ref : single->outputs())
    if (!single->type(ref).is_tensor()) throw Error(ErrorCode::unsupported, "sequences and optionals are not evaluated");
  auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(build_program(*single, inferred), ""));
  auto file = OmFile::from_buffer(bytes, *bytes, {OmReadOptions::Weights::lazy});
  ModelParam param;
  param.runner = &inline_runner_;
  param.max_memory_bytes = max_memory_bytes_;
  DavinciModel model(std::make_shared<const LoadedProgram>(std::move(file), engines_), param);
  std::vector<OutputTensor> outputs(single->outputs().size());
  model.NnExecute({}, outputs);

  std::vector<Tensor> results;
  size_t next = 0;
  for (const NodeOutput& output : node.outputs()) results.push_back(output.name.empty() ? Tensor() : to_tensor(outputs[next++]));
  return results;
}

}  // namespace ge
