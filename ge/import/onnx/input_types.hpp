#pragma once
#include "ge/import/onnx.hpp"
#include "ge/import/onnx/draft.hpp"

namespace ge::onnx {

/// The types of the root's inputs, in order: declared dims as constants and symbols (one symbol for each name, a new
/// one for each unnamed dim), after the options' shapes. Throws Error(invalid_argument) when an option names no input,
/// has another rank or contradicts a declared dim or another option.
std::vector<TensorType> input_types(const GraphDraft& root, const ImportOptions& options, SymbolTable& symbols);

}  // namespace ge::onnx
