#pragma once
#include "ge/graph/graph.hpp"

namespace ge {

/// Runs single nodes at compile time: how passes reach kernels without depending on the run side. Implemented in
/// ge/session. Not thread-safe.
class GE_API ConstantEvaluator {
 public:
  virtual ~ConstantEvaluator() = default;
  /// The outputs of `node` for these inputs (a default Tensor is an absent input; outputs that the node does not name
  /// come back empty). Nodes with subgraphs are not evaluated. Throws Error(unsupported) when no kernel runs it and
  /// Error(run_failed) when the kernel refuses the values; the caller then leaves the node alone.
  virtual std::vector<Tensor> evaluate(const Graph& graph, NodeId node, std::span<const Tensor> inputs) = 0;
};

}  // namespace ge
