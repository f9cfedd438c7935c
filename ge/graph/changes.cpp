#include "ge/graph/changes.hpp"

#include <algorithm>

namespace ge {
namespace {

/// Appends a graph's changes behind those of its subgraphs; true when there are any.
bool take(Graph& graph, GraphChanges& into) {
  std::vector<NodeId> changed_owners;
  for (NodeId id : graph.subgraph_owners()) {
    bool changed = false;
    for (GraphId sub : graph.node(id).subgraphs())
      if (sub.value < graph.subgraph_count()) changed |= take(graph.subgraph(sub), into);
    if (changed) changed_owners.push_back(id);
  }
  std::vector<NodeId> nodes = graph.take_touched();
  if (!changed_owners.empty()) {
    nodes.insert(nodes.end(), changed_owners.begin(), changed_owners.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  if (nodes.empty()) return false;
  into.graphs.push_back({&graph, std::move(nodes)});
  return true;
}

}  // namespace

GraphChanges take_changes(Graph& root) {
  GraphChanges changes;
  take(root, changes);
  return changes;
}

}  // namespace ge
