#pragma once
#include "ge/import/onnx/draft.hpp"

#include <unordered_map>

namespace ge::onnx {

/// What is known of the values of a graph and of those around it while its nodes are upgraded in order.
class KnownValues {
 public:
  KnownValues(const KnownValues* outer, const GraphDraft& graph);
  /// Null when the value is no constant.
  const Tensor* constant(const std::string& name) const;
  /// undefined when not known.
  DType dtype(const std::string& name) const;
  /// The declared rank of a graph input, the rank of a constant; nullopt for others.
  std::optional<size_t> rank(const std::string& name) const;
  /// Notes the dtypes of an upgraded node's outputs, as far as its schema ties them to inputs.
  void learn(const NodeDraft& node);

 private:
  bool defines(const std::string& name) const;

  const KnownValues* outer_;
  const GraphDraft& graph_;
  std::unordered_map<std::string, const ValueInfo*> inputs_;
  std::unordered_map<std::string, DType> dtypes_;  ///< of node outputs so far
};

}  // namespace ge::onnx
