#pragma once
#include "ge/graph/infer.hpp"
#include "ge/model/program.hpp"

#include <functional>

namespace ge {

/// How constants are stored; asked per reading node. Both empty: as in the model.
struct Packing {
  /// The packing that the node's kernel wants for constant input `input` ("" for none).
  std::function<std::string(const Graph&, NodeId, size_t input)> choose;
  std::function<Tensor(const std::string& packing, const Tensor& plain)> apply;
};

/// Takes:      an inferred root graph and what inference assumed.
/// Gives:      a GeModel: flat tables and constants (SX-16, SX-17); plain data that the run side reads without the IR.
/// Invariants: each op's operands are defined before it; captures of branches and bodies are the outer values' ids;
///             equal expressions are one row; a constant is stored once per packing.
/// Next:       ge/model/om.hpp
/// Throws Error(unsupported) for ops that must not reach a program.
GE_API GeModel build_program(const Graph& root, const InferResult& inferred, const Packing& packing = {});

}  // namespace ge
