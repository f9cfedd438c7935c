#pragma once
#include "ge/graph/graph.hpp"

namespace ge {

/// Takes:      an inferred graph (a root, branch or body).
/// Gives:      all its live nodes, producers (data and control) before readers, in the order of the smallest peak of live
///             bytes among: the source model's order, depth first, list scheduling on bytes taken less bytes given back
///             (two ways to break ties), and subtrees by need. Of equal peaks the first of these wins, so that an order is
///             changed only for less memory. Sizes: symbols at a nominal value.
/// Invariants: deterministic; O(n log n + m).
/// Next:       ge/build/build_program.hpp
/// Throws Error(invalid_model) naming the nodes of a cycle.
GE_API std::vector<NodeId> execution_order(const Graph& graph);

}  // namespace ge
