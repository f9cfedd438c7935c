/// Round by round: run with the predicates of the graph's Ifs as outputs, make them constants, inline; an If that comes up
/// from a branch is the next round's.
#include "ge/session/open_branches.hpp"

#include "ge/graph/infer.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/run_passes.hpp"
#include "ge/session/run_graph.hpp"

namespace ge {
namespace {

constexpr int max_rounds = 64;

struct Taken {
  NodeId node;  ///< an If
  Tensor predicate;
};

std::vector<NodeId> branching_nodes(const Graph& graph) {
  std::vector<NodeId> found;
  for (const Node& node : graph.nodes()) {
    if (node.dead() || node.subgraphs().empty()) continue;
    const OpSchema* schema = find_schema(node.domain(), node.op());
    if (schema != nullptr && schema->control_flow == ControlFlow::branch && graph.constant_value(node.inputs()[0]) == nullptr) found.push_back(node.id());
  }
  return found;
}

void inline_taken(Graph& graph, const std::vector<Taken>& round) {
  Patch patch;
  for (const Taken& taken : round) patch.rewire({taken.node, 0}, graph.add_constant("taken_" + std::to_string(taken.node.value), taken.predicate));
  graph.apply(patch);
  infer(graph);
  PassContext context;
  PassOptions only_inlining;
  for (const Registered& pass : passes().list())
    if (pass.key != "inline_constant_if") only_inlining.disabled.insert(pass.key);
  run_passes(graph, context, only_inlining);
}

}  // namespace

GraphSource open_branches(const GraphSource& source, const std::vector<Value>& inputs, const BisectOptions& options) {
  std::vector<std::vector<Taken>> rounds;
  const auto opened = [&source](const std::vector<std::vector<Taken>>& so_far) {
    auto graph = source();
    for (const auto& round : so_far) inline_taken(*graph, round);
    return graph;
  };
  while (rounds.size() < max_rounds) {
    auto graph = opened(rounds);
    const std::vector<NodeId> nodes = branching_nodes(*graph);
    if (nodes.empty()) break;
    std::vector<OutputRef> predicates;
    std::vector<std::string> names;
    for (NodeId id : nodes) {
      predicates.push_back(graph->node(id).inputs()[0]);
      names.push_back("predicate_" + std::to_string(id.value));
    }
    graph->set_outputs(predicates, names);
    const std::vector<Value> values = run_graph(std::move(graph), inputs, {options.reference_engines, options.runner, options.max_memory_bytes});
    rounds.emplace_back();
    for (size_t i = 0; i < nodes.size(); ++i) rounds.back().push_back({nodes[i], values[i].tensors.at(0)});
  }
  return [opened, rounds] { return opened(rounds); };
}

}  // namespace ge
