#pragma once
#include "ge/base/dtype.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// The operators that are linked in, as lists and documents show them.
namespace ge::tools {

struct OperatorRow {
  std::string key, domain, name, doc;
  int64_t version = 0;              ///< opset that introduced the form in use; 0 where `becomes` says it all
  int64_t first = 0, last = 0;      ///< opsets that import takes; 0 for ops that no ONNX model has
  std::string becomes;              ///< for an operator that import turns into another one
  /// Dtypes as text by type variable ("T": "floats"), else by the input or output ("indices": "int32, int64"; "input_sequence":
  /// "sequence of T").
  std::vector<std::pair<std::string, std::string>> types;
  std::vector<std::string> engines; ///< that have a kernel for it, the first asked first; "executor" for control flow and sequences, "body" where other ops take its place
};

/// All registered operators, and the ai.onnx operators that import turns into others, sorted by key.
std::vector<OperatorRow> operator_table();

/// "floats, int32, int64": sets that have a name by it. "all" for everything.
std::string dtypes_text(DTypeSet types);

/// The whole schemas as a JSON array: domain, name, version, opsets, inputs, outputs, attributes with defaults, engines.
std::string operators_json();

}  // namespace ge::tools
