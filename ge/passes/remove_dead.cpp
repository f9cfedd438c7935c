/// Removes what no output needs.
///
///  1. Live are the graph's NetOutput, nodes without outputs (they are there for an effect), and whatever a live node
///     reads or runs after (control edges). All other nodes go, except the graph's inputs.
///  2. A value that a live If, Loop or SequenceMap captures goes when no branch, or the body, reads it: the Data nodes and
///     the owner's input slot together, so that positions keep fitting. What an If does not read in one branch only, a
///     Loop's iteration number, condition and carried values, and what a SequenceMap gives its body, stay.
///
/// Before: y = Relu(x); z = Exp(x); outputs y      After: y = Relu(x); outputs y
#include "ge/ops/schema.hpp"
#include "ge/passes/pass.hpp"

#include <algorithm>

namespace ge {
namespace {

std::vector<bool> find_live(const Graph& graph) {
  std::vector<bool> live(graph.node_count(), false);
  std::vector<NodeId> open;
  const auto reach = [&](NodeId id) {
    if (!id || live[id.value]) return;
    live[id.value] = true;
    open.push_back(id);
  };
  for (const Node& node : graph.nodes())
    if (!node.dead() && (node.outputs().empty() || node.is(op_types::data))) reach(node.id());
  while (!open.empty()) {
    const Node& node = graph.node(open.back());
    open.pop_back();
    for (OutputRef ref : node.inputs()) reach(ref.node);
    for (NodeId before : node.control_inputs()) reach(before);
  }
  return live;
}

/// Index of the first captured value among the inputs of the node's subgraphs, and the slot of the node that feeds it;
/// nullopt for nodes that capture nothing.
struct Captures {
  size_t first_input, first_slot;
};
std::optional<Captures> captures_of(const Node& node) {
  if (node.subgraphs().empty()) return std::nullopt;
  const OpSchema* schema = find_schema(node.domain(), node.op());
  if (schema == nullptr) return std::nullopt;
  if (schema->control_flow == ControlFlow::branch) return Captures{0, 1};  // If: inputs [condition, captures...]
  if (schema->control_flow != ControlFlow::loop && schema->control_flow != ControlFlow::map) return std::nullopt;
  // Loop: inputs [trip count, condition, carried..., captures...]; SequenceMap: inputs [own..., captures...]
  const auto first = static_cast<size_t>((schema->control_flow == ControlFlow::loop ? 2 : 0) + node.attributes().need_int("_carried"));
  return Captures{first, first};
}

/// True when it removed something. These edits are not a patch's: inputs of subgraphs change with the owner's slots.
bool drop_captures(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const auto captures = captures_of(node);
  if (!captures || node.inputs().size() <= captures->first_slot) return false;
  const std::vector<GraphId> subgraphs(node.subgraphs().begin(), node.subgraphs().end());
  std::vector<uint32_t> slots;
  const size_t count = node.inputs().size() - captures->first_slot;
  for (size_t i = 0; i < count; ++i) {
    const bool unread = std::all_of(subgraphs.begin(), subgraphs.end(), [&](GraphId sub) {
      const Graph& body = graph.subgraph(sub);
      return body.user_count(body.inputs()[captures->first_input + i]) == 0;
    });
    if (unread) slots.push_back(static_cast<uint32_t>(captures->first_slot + i));
  }
  for (size_t n = slots.size(); n-- > 0;)  // from the last, so that indices stay valid
    for (GraphId sub : subgraphs) graph.subgraph(sub).remove_input(slots[n] - captures->first_slot + captures->first_input);
  if (!slots.empty()) graph.remove_input_slots(id, slots);
  return !slots.empty();
}

Patch remove_dead(Graph& graph, PassContext&) {
  std::vector<bool> live = find_live(graph);
  bool dropped = false;
  for (uint32_t i = 0; i < live.size(); ++i)
    if (live[i]) dropped |= drop_captures(graph, NodeId(i));
  if (dropped) live = find_live(graph);
  Patch patch;
  for (const Node& node : graph.nodes())
    if (!node.dead() && !live[node.id().value]) patch.remove(node.id());
  return patch;
}

}  // namespace
}  // namespace ge

REGISTER_PASS("remove_dead", 90, "removes nodes and captured values that no output needs", ge::remove_dead);
