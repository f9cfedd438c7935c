/// Graph::apply and the other edits that drop edges: the one place that keeps a node's input slots and the Boost.Graph
/// edges in step.
///
/// 1. Check that the patch names only what is there.
/// 2. Follow replacements to their ends (a → b and b → c give a → c), refuse circles.
/// 3. Plan what each changed slot reads. A rewire of a slot counts more than replacements of what it read, and of
///    several rewires the last one.
/// 4. Check that nothing will read a removed node. Up to here nothing has changed.
/// 5. Write the slots, then rebuild each touched edge list once: an edge is stale when its target's slot no longer names
///    its source. One pass per source keeps a hub with 100,000 readers linear.
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
  const std::set<NodeId> inputs(graph.inputs().begin(), graph.inputs().end());
  for (NodeId id : patch.removals) {
    if (!graph.has(id)) refuse(graph, "removal names node " + std::to_string(id.value) + ", which is not there");
    if (id == graph.net_output()) refuse(graph, "the NetOutput cannot be removed; set_outputs replaces it");
    if (inputs.contains(id)) refuse(graph, "'" + graph.node(id).name() + "' is an input of the graph; remove_input removes it");
  }
}

/// The replacements of a patch, each leading as far as it leads every reader.
class Replacements {
 public:
  Replacements(const Graph& graph, const Patch& patch) : graph_(graph) {
    for (const auto& [from, to, except] : patch.replacements) {
      if (from == to) continue;
      const auto [it, fresh] = by_from_.try_emplace(from, Step{to, except});
      if (!fresh && (it->second.to != to || it->second.except != except))
        refuse(graph, "value '" + graph.tensor_name(from) + "' is replaced twice, in different ways");
    }
    for (auto& [from, step] : by_from_) shorten(from);
  }

  /// What `reader` reads in place of `ref`.
  OutputRef follow(OutputRef ref, NodeId reader) const {
    for (auto it = by_from_.find(ref); it != by_from_.end() && it->second.except != reader; it = by_from_.find(ref)) ref = it->second.to;
    return ref;
  }

 private:
  struct Step {
    OutputRef to;
    NodeId except;
    enum class State { fresh, walked, done } state = State::fresh;
  };

  /// Makes a chain's steps point to its end, or to the first value with an exception: there readers part.
  void shorten(OutputRef from) {
    std::vector<std::pair<const OutputRef, Step>*> path;
    OutputRef end = from;
    for (auto it = by_from_.find(end); it != by_from_.end() && it->second.state != Step::State::done; it = by_from_.find(end)) {
      if (it->second.state == Step::State::walked) refuse(graph_, "replacements form a circle through '" + graph_.tensor_name(end) + "'");
      it->second.state = Step::State::walked;
      path.push_back(&*it);
      end = it->second.to;
    }
    if (auto it = by_from_.find(end); it != by_from_.end() && !it->second.except) end = it->second.to;
    for (size_t i = path.size(); i-- > 0;) {
      auto& [value, step] = *path[i];
      step.to = end;
      step.state = Step::State::done;
      if (step.except) end = value;
    }
  }

  const Graph& graph_;
  std::map<OutputRef, Step> by_from_;
};

/// What each slot that changes reads after the patch, sorted by slot.
std::vector<Patch::Rewire> plan_moves(const Graph& graph, const Patch& patch) {
  const Replacements replaced(graph, patch);
  std::vector<Patch::Rewire> moves;
  for (const auto& r : patch.replacements)
    for (const InputRef& user : graph.users(r.from)) moves.push_back({user, replaced.follow(r.from, user.node)});
  for (const auto& r : patch.rewires) moves.push_back({r.at, r.to ? replaced.follow(r.to, r.at.node) : OutputRef{}});
  std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  std::vector<Patch::Rewire> last;
  for (size_t i = 0; i < moves.size(); ++i) {
    const auto& [at, to] = moves[i];
    if (i + 1 < moves.size() && moves[i + 1].at == at) continue;
    if (graph.node(at.node).inputs()[at.slot] != to) last.push_back(moves[i]);
  }
  return last;
}

void check_removals(const Graph& graph, const std::vector<Patch::Rewire>& moves, const std::set<NodeId>& leaving) {
  const auto check_read = [&](NodeId reader, OutputRef value) {
    if (value && leaving.contains(value.node) && !leaving.contains(reader))
      refuse(graph, "node '" + graph.node(value.node).name() + "' is removed but '" + graph.node(reader).name() + "' reads it");
  };
  const auto moves_away = [&](InputRef at) {
    const auto it = std::lower_bound(moves.begin(), moves.end(), at, [](const auto& move, InputRef other) { return move.at < other; });
    return it != moves.end() && it->at == at;
  };
  for (const auto& [at, to] : moves) check_read(at.node, to);
  for (NodeId id : leaving)
    for (const InputRef& user : graph.users(id))
      if (!moves_away(user)) check_read(user.node, graph.node(user.node).inputs()[user.slot]);
}

}  // namespace

size_t Graph::apply(const Patch& patch) {
  check(*this, patch);
  const std::vector<Patch::Rewire> moves = plan_moves(*this, patch);
  const std::set<NodeId> leaving(patch.removals.begin(), patch.removals.end());
  check_removals(*this, moves, leaving);

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
  std::set<NodeId> lost_readers;
  for (const auto& [at, to] : moves) {
    OutputRef& slot = nodes_[at.node.value].inputs_[at.slot];
    if (slot) lost_readers.insert(slot.node);
    slot = to;
    touched_.push_back(at.node);
  }
  for (NodeId source : lost_readers) drop_stale(source);
  for (const auto& [at, to] : moves)
    if (to) boost::add_edge(to.node.value, at.node.value, EdgeProperty{to.index, at.slot, EdgeKind::data}, adjacency);

  size_t changes = moves.size();
  std::set<NodeId> sources, waited;
  for (NodeId id : leaving) {
    Node& node = nodes_[id.value];
    if (node.dead_) continue;
    for (OutputRef ref : node.inputs_)
      if (ref) sources.insert(ref.node);
    for (NodeId before : node.control_inputs_) sources.insert(before);
    for (NodeId after : control_users(id)) waited.insert(after);
    sources.insert(id);
    node.dead_ = true;
    ++dead_, ++changes;
  }
  for (NodeId after : waited) std::erase_if(nodes_[after.value].control_inputs_, [&](NodeId before) { return nodes_[before.value].dead_; });
  for (NodeId source : sources) drop_stale(source);
  for (NodeId id : leaving) {
    Node& node = nodes_[id.value];
    node.inputs_.clear(), node.control_inputs_.clear(), node.subgraphs_.clear();
    node.attributes_ = {};
  }
  return changes;
}

void Graph::remove_input(size_t index) {
  if (index >= inputs_.size()) refuse(*this, "there is no input " + std::to_string(index) + ", only " + std::to_string(inputs_.size()));
  const NodeId id = inputs_[index];
  if (user_count(id) != 0) refuse(*this, "input '" + node(id).name() + "' is still read");
  inputs_.erase(inputs_.begin() + static_cast<std::ptrdiff_t>(index));
  ++root_->inputs_removed_;
  Patch patch;
  patch.remove(id);
  apply(patch);
}

void Graph::remove_input_slots(NodeId id, std::span<const uint32_t> slots) {
  Node& node = nodes_.at(id.value);
  touched_.push_back(id);
  for (size_t i = 0; i < slots.size(); ++i)
    if (slots[i] >= node.inputs_.size() || (i > 0 && slots[i] <= slots[i - 1]))
      refuse(*this, "node '" + node.name_ + "' has no input slot " + std::to_string(slots[i]) + " to remove, or the slots do not ascend");
  boost::remove_in_edge_if(id.value, [&](auto edge) { return boost_->adjacency[edge].kind == EdgeKind::data; }, boost_->adjacency);
  for (size_t i = slots.size(); i-- > 0;) node.inputs_.erase(node.inputs_.begin() + slots[i]);
  for (uint32_t slot = 0; slot < node.inputs_.size(); ++slot)
    if (const OutputRef ref = node.inputs_[slot])
      boost::add_edge(ref.node.value, id.value, EdgeProperty{ref.index, slot, EdgeKind::data}, boost_->adjacency);
}

}  // namespace ge
