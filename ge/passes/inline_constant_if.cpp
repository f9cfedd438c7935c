/// If (ONNX If): a branch that is always taken replaces its If.
///
/// Before: If(true, a, b) { then(a, b): Add(a, b)   else(a, b): Mul(a, b) }      After: Add(a, b)
///
/// The branch's nodes are cloned into the owner's graph, its Data nodes being the values that the If captures. Subgraphs
/// of cloned nodes move with them: the branch that owned them is not reachable once the If is gone.
#include "ge/graph/order.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/facts.hpp"
#include "ge/passes/pass.hpp"

#include <map>

namespace ge {
namespace {

/// Which subgraph runs; nullopt when that depends on the run.
std::optional<size_t> taken_branch(const Graph& graph, const Node& node) {
  const OpSchema* schema = find_schema(node.domain(), node.op());
  if (schema == nullptr || schema->control_flow != ControlFlow::branch) return std::nullopt;
  const auto predicate = known_ints(graph, node.inputs()[0]);
  if (!predicate || predicate->size() != 1) return std::nullopt;
  return (*predicate)[0] != 0 ? 0 : 1;
}

/// Clones `branch` into `graph`; gives what the branch's outputs are there.
std::vector<OutputRef> clone_into(Graph& graph, const Graph& branch, const std::vector<OutputRef>& arguments) {
  std::map<OutputRef, OutputRef> mapped;
  std::map<NodeId, NodeId> cloned;
  for (size_t i = 0; i < branch.inputs().size(); ++i) mapped[{branch.inputs()[i], 0}] = arguments.at(i);
  for (NodeId id : topological_order(branch)) {
    const Node& node = branch.node(id);
    if (node.is(op_types::data) || node.is(op_types::net_output)) continue;
    NodeSpec spec;
    spec.op = node.op();
    spec.name = node.name();
    spec.domain = node.domain();
    spec.attributes = node.attributes();
    for (OutputRef ref : node.inputs()) spec.inputs.push_back(ref ? mapped.at(ref) : OutputRef{});
    for (const NodeOutput& output : node.outputs()) spec.outputs.push_back(output.name);
    spec.subgraphs.assign(node.subgraphs().begin(), node.subgraphs().end());
    const NodeId clone = graph.add_node(std::move(spec));
    cloned[id] = clone;
    for (uint32_t i = 0; i < node.outputs().size(); ++i) {
      mapped[node.output(i)] = {clone, i};
      graph.set_type({clone, i}, node.outputs()[i].type);
    }
    for (NodeId before : node.control_inputs())
      if (auto it = cloned.find(before); it != cloned.end()) graph.add_control_edge(it->second, clone);
  }
  std::vector<OutputRef> outputs;
  for (OutputRef ref : branch.outputs()) outputs.push_back(mapped.at(ref));
  return outputs;
}

Patch inline_constant_if(Graph& graph, PassContext&) {
  Patch patch;
  const size_t count = graph.node_count();  // not the clones: what they own is looked at in the next call
  for (uint32_t i = 0; i < count; ++i) {
    const NodeId id(i);
    if (graph.node(id).subgraphs().empty() || has_control_edges(graph, graph.node(id))) continue;
    const auto taken = taken_branch(graph, graph.node(id));
    if (!taken) continue;
    const std::vector<OutputRef> arguments(graph.node(id).inputs().begin() + 1, graph.node(id).inputs().end());
    const Graph& branch = graph.subgraph(graph.node(id).subgraphs()[*taken]);
    const std::vector<OutputRef> outputs = clone_into(graph, branch, arguments);
    for (uint32_t output = 0; output < outputs.size(); ++output) patch.replace({id, output}, outputs[output]);
    patch.remove(id);
  }
  return patch;
}

}  // namespace
}  // namespace ge

REGISTER_PASS("inline_constant_if", 20, "replaces an If whose condition is constant with the branch taken", ge::inline_constant_if);
