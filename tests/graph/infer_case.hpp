#pragma once
#include "ge/graph/infer.hpp"

#include "graph/any_op.hpp"
#include "passes/graph_case.hpp"

namespace ge::testing {

using Refs = std::vector<OutputRef>;

/// A root graph to infer, and what inference wrote into it.
struct InferGraph : GraphBuild {
  Graph root{"net"};
  InferGraph() : GraphBuild(root) {}
  const TensorType& type(OutputRef ref) const { return root.type(ref); }
  Expr dim(OutputRef ref, size_t axis) const { return root.type(ref).shape->at(axis); }
  Expr symbol(const char* name) const { return root.symbols().find_symbol(name); }
  /// The message that infer() ends with; it must end with Error(invalid_model).
  std::string findings() {
    return error_of(ErrorCode::invalid_model, [&] { infer(root); });
  }
};

/// How often `part` stands in `text`.
inline size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace ge::testing
