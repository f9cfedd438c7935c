#include "ge/import/onnx/upgrade.hpp"

namespace ge::onnx {

/// Softmax, LogSoftmax, Hardmax, opset 11 → 13. The old form takes x as a matrix, the dims from `axis` on being its
/// columns; the new form works along one axis. They agree on the last axis; elsewhere:
///   y = Reshape(Softmax(Flatten(x, axis), axis = -1), Shape(x))
static void flatten_around(Upgrade& u) {
  const int64_t axis = u.node.attributes.get_int("axis", 1);
  u.node.attributes.set("axis", int64_t{-1});
  const auto rank = u.rank(0);
  if (!u.node.has_input(0) || axis == -1 || (rank && axis == static_cast<int64_t>(*rank) - 1)) return;

  const std::string x = u.node.inputs[0];
  const std::string shape = u.add_before("Shape", {x});
  Attributes flatten, reshape;
  flatten.set("axis", axis);
  reshape.set("allowzero", int64_t{1});  // the shape is meant as it is, zeros included
  u.node.inputs[0] = u.add_before("Flatten", {x}, flatten);
  u.add_after("Reshape", {shape}, reshape);
}

}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(Softmax, 13, "one axis instead of a flattened matrix", ge::onnx::flatten_around);
REGISTER_ONNX_UPGRADE(LogSoftmax, 13, "one axis instead of a flattened matrix", ge::onnx::flatten_around);
REGISTER_ONNX_UPGRADE(Hardmax, 13, "one axis instead of a flattened matrix", ge::onnx::flatten_around);
