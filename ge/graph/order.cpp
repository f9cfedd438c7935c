#include "ge/graph/order.hpp"

#include "ge/graph/bgl.hpp"

#include <deque>
#include <queue>

namespace ge {
namespace {

/// Follows unfinished producers from an unfinished node until one repeats: that is a cycle. Walks the edges, as the sort
/// did, so that it ends even where slots disagree with them (which verify reports).
[[noreturn]] void raise_cycle(const Graph& graph, const std::vector<uint32_t>& pending) {
  uint32_t at = 0;
  while (pending[at] == 0 || graph.nodes()[at].dead()) ++at;
  std::vector<uint32_t> path;
  std::vector<bool> seen(pending.size());
  while (!seen[at]) {
    seen[at] = true;
    path.push_back(at);
    NodeId next;
    for (auto [edge, end] = boost::in_edges(at, graph.boost().adjacency); edge != end; ++edge) {
      const auto source = static_cast<uint32_t>(boost::source(*edge, graph.boost().adjacency));
      if (pending[source] != 0 && !graph.nodes()[source].dead()) next = NodeId(source);
    }
    if (!next) throw Error(ErrorCode::invalid_model, "graph '" + graph.name() + "': node '" + graph.nodes()[at].name() + "' has an edge from a removed node");
    at = next.value;
  }
  std::string text = "graph '" + graph.name() + "' has a cycle: ";
  size_t first = 0;
  while (path[first] != at) ++first;
  for (size_t i = path.size(); i-- > first;) text += "'" + graph.nodes()[path[i]].name() + "' -> ";
  throw Error(ErrorCode::invalid_model, text + "'" + graph.nodes()[path.back()].name() + "'");
}

template <class Push, class Pop>
std::vector<NodeId> kahn(const Graph& graph, Push push, Pop pop) {
  const auto& adjacency = graph.boost().adjacency;
  std::vector<uint32_t> pending(graph.node_count());
  std::vector<NodeId> order;
  order.reserve(graph.live_node_count());
  for (const Node& node : graph.nodes()) {
    if (node.dead()) continue;
    pending[node.id().value] = static_cast<uint32_t>(boost::in_degree(node.id().value, adjacency));
    if (pending[node.id().value] == 0) push(node.id().value);
  }
  for (uint32_t at = 0; pop(at);) {
    order.push_back(NodeId(at));
    for (auto [edge, end] = boost::out_edges(at, adjacency); edge != end; ++edge) {
      const auto target = static_cast<uint32_t>(boost::target(*edge, adjacency));
      if (--pending[target] == 0) push(target);
    }
  }
  if (order.size() != graph.live_node_count()) raise_cycle(graph, pending);
  return order;
}

}  // namespace

std::vector<NodeId> topological_order(const Graph& graph, OrderKind kind) {
  if (kind == OrderKind::by_id) {
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    return kahn(graph, [&](uint32_t v) { ready.push(v); }, [&](uint32_t& v) { return ready.empty() ? false : (v = ready.top(), ready.pop(), true); });
  }
  std::deque<uint32_t> ready;
  const auto push = [&](uint32_t v) { ready.push_back(v); };
  if (kind == OrderKind::breadth_first)
    return kahn(graph, push, [&](uint32_t& v) { return ready.empty() ? false : (v = ready.front(), ready.pop_front(), true); });
  return kahn(graph, push, [&](uint32_t& v) { return ready.empty() ? false : (v = ready.back(), ready.pop_back(), true); });
}

}  // namespace ge
