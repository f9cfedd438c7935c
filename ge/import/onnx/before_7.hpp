#pragma once
#include "ge/import/onnx/draft.hpp"

// Opsets 1 to 6. Most of their ops have the meaning of opset 7 already; those whose meaning changed have upgrade steps
// of versions up to 7 (upgrade_before_7.cpp, upgrade_broadcast.cpp). What neither covers is refused by name.
namespace ge::onnx {

/// Is there a form of the op before opset 7 that is read, as it is or by upgrade steps?
bool known_before_7(std::string_view op);

/// Of nodes written for opsets 1 to 6 refuses those of other ops, and takes off the attribute "consumed_inputs" (a hint
/// of opsets 1 to 5 that says nothing about the result).
void take_old_forms(GraphDraft& root, Diagnostics& findings);

}  // namespace ge::onnx
