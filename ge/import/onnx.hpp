#pragma once
#include "ge/graph/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Takes: the bytes of an .onnx file (protobuf), mapped, never copied as a whole.
// Gives: a root Graph in which every node has its newest opset's form and every subgraph is closed.
// Invariants: all ops and attributes are known to op_schemas(); Data nodes have their declared dtype and shape, Const
//   nodes theirs, nothing else is typed; constants are views of the mapped file wherever its encoding allows.
// Next file: ge/graph/infer.hpp
namespace ge {

struct ImportOptions {
  /// Shapes that replace declared ones, by input name. -1 keeps the declared dim (or makes a symbol, where the rank
  /// was not declared). A value for a named dim holds for every input that has a dim of that name.
  std::map<std::string, std::vector<int64_t>> input_shapes;
};

/// Takes a path. External data is looked for in the file's folder. Throws Error(io) when the file cannot be read,
/// Error(invalid_model) with all findings when the model cannot be imported, Error(invalid_argument) when an option
/// contradicts the model.
GE_API std::unique_ptr<Graph> import_onnx_file(const std::string& path, const ImportOptions& options = {});

/// Takes the bytes of a model, kept alive by `owner` (which constants hold on to). External data is looked for in
/// `base_folder`; when that is empty, a model with external data is refused.
GE_API std::unique_ptr<Graph> import_onnx_bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                                const std::string& base_folder, const ImportOptions& options = {});

}  // namespace ge
