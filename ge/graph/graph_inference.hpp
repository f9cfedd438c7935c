#pragma once
/// Inside inference: the walk, shared by ge/graph/infer.cpp and ge/graph/infer_control_flow.cpp.
#include "ge/base/diagnostics.hpp"
#include "ge/graph/infer.hpp"
#include "ge/ops/infer_context.hpp"

#include <set>

namespace ge {

class GraphInference {
 public:
  explicit GraphInference(Graph& root) : root_(root) {}
  void infer_all();
  void update(const GraphChanges& changes);
  InferResult& result() { return result_; }

 private:
  static NodeKey key(const Graph& graph, NodeId id) { return {graph.is_root() ? GraphId{} : graph.id(), id}; }
  void name_elements(NodeId id);
  void walk(Graph& graph);
  void step(Graph& graph, NodeId id);
  bool follows_failure(const Graph& graph, NodeId id) const;
  bool outputs_failed(const Graph& sub) const;
  void fail(Graph& graph, NodeId id);
  void leave_open(Graph& graph, NodeId id);
  void visit(Graph& graph, NodeId id);
  void note_open(const Graph& graph, NodeId id, const InferContext& context);

  // Control flow (infer_control_flow.cpp).
  void feed(Graph& sub, size_t input, TensorType type) { sub.set_type({sub.inputs()[input], 0}, std::move(type)); }
  void branch(Graph& graph, NodeId id);
  TensorType join(const Graph& graph, NodeId id, Expr predicate, const TensorType& a, const TensorType& b);
  void loop(Graph& graph, NodeId id);
  bool widen_carried(Graph& body, size_t input, const TensorType& out);
  void map(Graph& graph, NodeId id);

  Graph& root_;
  InferResult result_;
  Diagnostics found_;
  std::set<NodeKey> failed_;  ///< nodes with a finding, and those that depend on them
  int undecided_ = 0;  ///< depth of branches that may never be taken: their contradictions do not end the compile
};

}  // namespace ge
