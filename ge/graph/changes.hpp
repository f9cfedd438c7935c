#pragma once
#include "ge/graph/graph.hpp"

#include <vector>

namespace ge {

/// What was touched in a root and in the subgraphs that its live nodes own. An owner counts as touched where one of its
/// subgraphs was.
struct GraphChanges {
  struct Touched {
    Graph* graph;
    std::vector<NodeId> nodes;  ///< ascending
  };
  std::vector<Touched> graphs;  ///< inner graphs before their owners; only those with touched nodes

  /// The touched nodes of one graph; empty when it is not among them.
  const std::vector<NodeId>& of(const Graph& graph) const {
    static const std::vector<NodeId> none;
    for (size_t i = graphs.size(); i-- > 0;)
      if (graphs[i].graph == &graph) return graphs[i].nodes;
    return none;
  }
};

/// Takes what was touched since the last call (Graph::take_touched on each graph). O(changes + owners of subgraphs).
GE_API GraphChanges take_changes(Graph& root);

}  // namespace ge
