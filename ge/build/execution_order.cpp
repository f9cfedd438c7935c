#include "ge/build/execution_order.hpp"

#include "ge/build/schedule.hpp"
#include "ge/graph/order.hpp"

namespace ge {

static std::vector<uint32_t> ids(const std::vector<NodeId>& order) {
  std::vector<uint32_t> out;
  out.reserve(order.size());
  for (NodeId id : order) out.push_back(id.value);
  return out;
}

std::vector<NodeId> execution_order(const Graph& graph) {
  const std::vector<NodeId> source = topological_order(graph);
  const Schedule schedule(graph);
  const std::vector<uint32_t> as_given = ids(source);
  std::vector<uint32_t> best = as_given;
  int64_t peak = schedule.peak(best);
  if (peak <= schedule.unavoidable()) return source;
  const auto offer = [&](std::vector<uint32_t> order) {
    const int64_t other = schedule.peak(order);
    if (other < peak) best = std::move(order), peak = other;
  };
  offer(ids(topological_order(graph, OrderKind::depth_first)));
  offer(order_greedily(schedule, Tie::by_id));
  offer(order_greedily(schedule, Tie::latest));
  offer(order_by_subtrees(schedule, as_given));
  std::vector<NodeId> out;
  out.reserve(best.size());
  for (uint32_t node : best) out.push_back(NodeId(node));
  return out;
}

}  // namespace ge
