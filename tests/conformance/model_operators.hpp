#pragma once
#include <set>
#include <string>
#include <utility>

namespace ge::conformance {

struct ModelOperators {
  /// (domain, name) of every node, those in subgraphs and functions included; "" is ai.onnx. Calls of the model's own
  /// functions are left out.
  std::set<std::pair<std::string, std::string>> ops;
  std::set<std::string> kinds;  ///< of inputs and outputs that are no tensors: "sequence", "optional", "map", "sparse tensor"

  bool has(const std::string& op) const { return ops.contains({"", op}); }
};

/// Read from the protobuf fields alone, so that models that cannot be imported are seen too. Throws Error.
ModelOperators read_model_operators(const std::string& path);

}  // namespace ge::conformance
