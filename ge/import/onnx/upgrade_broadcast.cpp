#include "ge/import/onnx/upgrade.hpp"

// Before opset 7 only the second operand was broadcast, when attribute "broadcast" said so: its axes went to the last
// ones of the first operand, or to those from "axis" on. Without "broadcast" the shapes were equal, which opset 7's
// rule (numpy's) gives the same result for.
namespace ge::onnx {
namespace {

/// Input 1 with `count` axes of one element after its own `rank`.
void add_axes_at_end(Upgrade& u, size_t rank, size_t count) {
  std::vector<int64_t> axes;
  for (size_t i = 0; i < count; ++i) axes.push_back(static_cast<int64_t>(rank + i));
  u.set_input(1, u.add_before("Unsqueeze", {u.node.inputs[1], u.add_constant("axes", Tensor::ints(axes))}));
}

/// Is input 1 known to hold one element? It then goes with any shape of at least its rank.
bool one_element(const Upgrade& u) {
  const Tensor* second = u.constant(1);
  return (second != nullptr && second->count() == 1) || u.rank(1) == size_t{0};
}

/// Add, And, Div, Equal, Greater, Less, Mul, Or, Pow, Sub, Xor, opset 1 and 6 → 7.
///   A[2, 3, 4, 5] + B[3, 4], axis = 1  →  A + Unsqueeze(B, axes = [2])
void broadcast_like_numpy(Upgrade& u) {
  const bool stretches = u.node.attributes.get_int("broadcast", 0) != 0;
  const bool has_axis = u.node.attributes.has("axis");
  const int64_t axis = u.node.attributes.get_int("axis", 0);
  u.node.attributes.erase("broadcast");
  u.node.attributes.erase("axis");
  if (!stretches || !has_axis || u.node.inputs.size() < 2 || one_element(u)) return;
  const auto first = u.rank(0), second = u.rank(1);
  if (!first || !second)
    return u.finding("aligns input 1 with input 0 by attribute 'axis' (before opset 7), which needs ranks that are not declared; convert the model to opset 7 "
                     "or newer with onnx.version_converter");
  const auto all = static_cast<int64_t>(*first), own = static_cast<int64_t>(*second);
  if (axis < 0 || axis > all - own)
    return u.finding("attribute 'axis' is " + std::to_string(axis) + ", expected 0 to " + std::to_string(all - own) + " for inputs of rank " +
                     std::to_string(all) + " and " + std::to_string(own));
  if (axis < all - own) add_axes_at_end(u, *second, static_cast<size_t>(all - own - axis));
}

/// Gemm, opset 1 and 6 → 7: C goes to the last axes in both forms.
void drop_broadcast(Upgrade& u) { u.node.attributes.erase("broadcast"); }

/// PRelu, opset 1 and 6 → 7: a slope of more than one element was given by channel, the second axis of X[n, c, …].
void slope_by_channel(Upgrade& u) {
  if (one_element(u)) return;
  const auto first = u.rank(0), second = u.rank(1);
  if (first && second && *first == *second) return;
  if (!first || second != size_t{1})
    return u.finding("has its slope by channel (before opset 7), which needs ranks that are not declared; convert the model to opset 7 or newer with "
                     "onnx.version_converter");
  if (*first > 2) add_axes_at_end(u, 1, *first - 2);
}

}  // namespace
}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(Add, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(And, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(Div, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(Equal, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(Greater, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(Less, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(Mul, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(Or, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(Pow, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(Sub, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(Xor, 7, "broadcasts like numpy", ge::onnx::broadcast_like_numpy);
REGISTER_ONNX_UPGRADE(Gemm, 7, "broadcast goes", ge::onnx::drop_broadcast);
REGISTER_ONNX_UPGRADE(PRelu, 7, "the slope broadcasts like numpy", ge::onnx::slope_by_channel);
