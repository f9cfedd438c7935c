#pragma once
#include "ge/executor/static/davinci_model.hpp"
#include "ge/graph/evaluator.hpp"

namespace ge {

/// Runs single nodes at compile time through the same program, instantiate and executor as everything else: the node
/// becomes a model of its own, its inputs that model's constants.
class GE_API KernelEvaluator final : public ConstantEvaluator {
 public:
  /// Runs inline on the caller's thread. `engines` as in LoadOptions.
  explicit KernelEvaluator(std::vector<std::string> engines = {}, int64_t max_memory_bytes = INT64_MAX);
  std::vector<Tensor> evaluate(const Graph& graph, NodeId node, std::span<const Tensor> inputs) override;

 private:
  std::vector<std::string> engines_;
  int64_t max_memory_bytes_;
  ThreadPool inline_runner_{1};
};

}  // namespace ge
