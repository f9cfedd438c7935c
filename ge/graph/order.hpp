#pragma once
#include "ge/graph/graph.hpp"

namespace ge {

enum class OrderKind {
  by_id,          ///< among the ready nodes the lowest id first: the source model's order where that is valid
  breadth_first,  ///< in the order in which nodes become ready
  depth_first,    ///< the node that became ready last first
};

/// All live nodes, producers (data and control) before readers. Deterministic. O(n log n + m).
/// Throws Error(invalid_model) naming the nodes of a cycle.
GE_API std::vector<NodeId> topological_order(const Graph& graph, OrderKind kind = OrderKind::by_id);

}  // namespace ge
