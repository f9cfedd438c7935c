/// Graph::apply and the other edits that drop edges: the one place that keeps a node's input slots and the Boost.Graph
/// edges in step.
///
/// 1. Check that the patch names only what is there.
/// 2. Follow replacements to their ends (a → b and b → c give a → c), refuse circles.
/// 3. Write the new sources into the input slots, collecting the nodes that lost readers and the edges to add.
/// 4. Rebuild each touched edge list once: an edge is stale when its target's slot no longer names its source. One
///    pass per source keeps a hub with 100,000 readers linear.
#include "ge/graph/bgl.hpp"
#include "ge/graph/graph.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ge {
namespace {

[[noreturn]] void refuse(const Graph& graph, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, "patch of graph '" + graph.name() + "': " + what);
}

void check_value(const Graph& graph, OutputRef ref, const char* role) {
  if (!graph.has(ref.node) || graph.node(ref.node).dead() || ref.index >= graph.node(ref.node).outputs().size())
    refuse(graph, std::string(role) + " names output " + std::to_string(ref.index) + " of node " + std::to_string(ref.node.value) + ", which is not there");
}

void check(const Graph& graph, const Patch& patch) {
  for (const auto& r : patch.replacements) {
    check_value(graph, r.from, "replacement source");
    check_value(graph, r.to, "replacement target");
  }
  for (const auto& r : patch.rewires) {
    if (r.to) check_value(graph, r.to, "rewire target");
    if (!graph.has(r.at.node) || r.at.slot >= graph.node(r.at.node).inputs().size())
      refuse(graph, "rewire names input slot " + std::to_string(r.at.slot) + " of node " + std::to_string(r.at.node.value) + ", which is not there");
  }
  for (NodeId id : patch.removals)
    if (!graph.has(id)) refuse(graph, "removal names node " + std::to_string(id.value) + ", which is not there");
}

OutputRef follow(const Graph& graph, const std::map<OutputRef, OutputRef>& replaced, OutputRef ref) {
  for (size_t steps = 0; steps <= replaced.size(); ++steps) {
    auto it = replaced.find(ref);
    if (it == replaced.end()) return ref;
    ref = it->second;
  }
  refuse(graph, "replacements form a circle through '" + graph.tensor_name(ref) + "'");
}

}  // namespace

size_t Graph::apply(const Patch& patch) {
  check(*this, patch);
  std::map<OutputRef, OutputRef> replaced;
  for (const auto& r : patch.replacements)
    if (!r.except && r.from != r.to) replaced[r.from] = r.to;

  std::vector<Patch::Rewire> moves = patch.rewires;
  for (auto& move : moves)
    if (move.to) move.to = follow(*this, replaced, move.to);
  for (const auto& r : patch.replacements) {
    const OutputRef to = follow(*this, replaced, r.to);
    for (const InputRef& user : users(r.from))
      if (user.node != r.except) moves.push_back({user, to});
  }

  std::set<NodeId> lost_readers;
  std::map<InputRef, OutputRef> moved;  // what each changed slot read before
  size_t changes = 0;
  for (const auto& [at, to] : moves) {
    OutputRef& slot = nodes_[at.node.value].inputs_[at.slot];
    if (slot == to) continue;
    if (slot) lost_readers.insert(slot.node);
    moved.try_emplace(at, slot);
    slot = to;
    ++changes;
  }
  auto& adjacency = boost_->adjacency;
  const auto drop_stale = [&](NodeId source) {
    boost::remove_out_edge_if(source.value, [&](auto edge) {
      const EdgeProperty& property = adjacency[edge];
      const Node& target = nodes_[boost::target(edge, adjacency)];
      if (target.dead_) return true;
      if (property.kind == EdgeKind::control)
        return std::find(target.control_inputs_.begin(), target.control_inputs_.end(), source) == target.control_inputs_.end();
      return property.input >= target.inputs_.size() || target.inputs_[property.input] != OutputRef{source, property.output};
    }, adjacency);
  };
  for (NodeId source : lost_readers) drop_stale(source);
  for (const auto& [at, before] : moved)
    if (const OutputRef now = nodes_[at.node.value].inputs_[at.slot]; now && now != before)
      boost::add_edge(now.node.value, at.node.value, EdgeProperty{now.index, at.slot, EdgeKind::data}, adjacency);

  std::set<NodeId> sources;
  std::set<NodeId> leaving(patch.removals.begin(), patch.removals.end());
  for (NodeId id : leaving) {
    for (const InputRef& user : users(id))
      if (!leaving.contains(user.node)) refuse(*this, "node '" + node(id).name() + "' is removed but '" + node(user.node).name() + "' reads it");
  }
  for (NodeId id : leaving) {
    Node& node = nodes_[id.value];
    if (node.dead_) continue;
    for (OutputRef ref : node.inputs_)
      if (ref) sources.insert(ref.node);
    for (NodeId before : node.control_inputs_) sources.insert(before);
    for (NodeId after : control_users(id)) std::erase(nodes_[after.value].control_inputs_, id);
    sources.insert(id);
    node.dead_ = true;
    ++dead_, ++changes;
  }
  for (NodeId source : sources) drop_stale(source);
  for (NodeId id : leaving) {
    Node& node = nodes_[id.value];
    node.inputs_.clear(), node.control_inputs_.clear(), node.subgraphs_.clear();
    node.attributes_ = {};
  }
  return changes;
}

void Graph::remove_input(size_t index) {
  const NodeId id = inputs_[index];
  if (user_count(id) != 0) refuse(*this, "input '" + node(id).name() + "' is still read");
  inputs_.erase(inputs_.begin() + static_cast<std::ptrdiff_t>(index));
  Patch patch;
  patch.remove(id);
  apply(patch);
}

void Graph::remove_input_slots(NodeId id, std::span<const uint32_t> slots) {
  Node& node = nodes_.at(id.value);
  boost::remove_in_edge_if(id.value, [&](auto edge) { return boost_->adjacency[edge].kind == EdgeKind::data; }, boost_->adjacency);
  for (size_t i = slots.size(); i-- > 0;) node.inputs_.erase(node.inputs_.begin() + slots[i]);
  for (uint32_t slot = 0; slot < node.inputs_.size(); ++slot)
    if (const OutputRef ref = node.inputs_[slot])
      boost::add_edge(ref.node.value, id.value, EdgeProperty{ref.index, slot, EdgeKind::data}, boost_->adjacency);
}

}  // namespace ge
