#pragma once
#include "ge/graph/changes.hpp"
#include "ge/ops/infer_context.hpp"

#include <map>

namespace ge {

/// Names a node across a root and its subgraphs; `graph` is none for the root.
struct NodeKey {
  GraphId graph;
  NodeId node;
  friend auto operator<=>(const NodeKey&, const NodeKey&) = default;
};

/// What inference found beside the types it wrote into the graph.
struct GE_API InferResult {
  /// Assumptions, by the node that makes them; instantiate checks them at run time.
  std::map<NodeKey, std::vector<Condition>> conditions;
  /// Nodes whose dims or rank stay open, with the reason.
  std::vector<std::pair<NodeKey, std::string>> open;
  size_t nodes = 0;

  std::string dump(const Graph& root) const;
};

/// Takes:      a verified root graph whose Data nodes have dtypes and shapes.
/// Gives:      types (dtype, symbolic shape, small integer values) on every output, in place.
/// Invariants: two symbols are never made one; what is not known is a fresh symbol or an unknown rank.
/// Next:       ge/passes/run_passes.hpp
/// Elements of small integer inputs become symbols "name[i]". Throws one Error(invalid_model) with every node whose
/// inputs contradict its op.
GE_API InferResult infer(Graph& root);

/// The same for a graph that changes: infers what was touched and what follows from it. An op whose inputs and attributes
/// stay as they were keeps its types, unknown dims included. Not thread-safe.
class GE_API Inference {
 public:
  /// Infers everything, as infer() does.
  explicit Inference(Graph& root);
  ~Inference();
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;
  /// Follows changes that take_changes(root) gave. Throws as infer() does.
  void update(const GraphChanges& changes);

 private:
  std::unique_ptr<class GraphInference> walk_;
};

}  // namespace ge
