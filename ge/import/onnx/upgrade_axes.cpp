#include "ge/import/onnx/upgrade.hpp"

// Ops whose attributes of integers became inputs, so that they can be computed.
namespace ge::onnx {
namespace {

/// Squeeze, Unsqueeze, opset 11 → 13.
void axes_to_input(Upgrade& u) { u.ints_to_input("axes", 1); }

/// Reduce*, opset 13 → 18 (ReduceSum 11 → 13). No axes, or an empty list, means all axes in both forms.
void reduce_axes_to_input(Upgrade& u) {
  if (u.node.attributes.get_ints("axes").empty()) u.node.attributes.erase("axes");
  u.ints_to_input("axes", 1);
}

/// Slice, opset 1 → 10.
void slice_to_inputs(Upgrade& u) {
  for (const char* needed : {"starts", "ends"})
    if (!u.node.attributes.has(needed)) return u.finding("attribute '" + std::string(needed) + "' (ints) is missing");
  u.ints_to_input("starts", 1);
  u.ints_to_input("ends", 2);
  u.ints_to_input("axes", 3);
}

/// Split, opset 11 → 13.
void split_to_input(Upgrade& u) { u.ints_to_input("split", 1); }

/// Split, opset 13 → 18: without sizes, the number of parts is an attribute.
void split_count(Upgrade& u) {
  if (!u.node.has_input(1)) u.node.attributes.set("num_outputs", static_cast<int64_t>(u.node.outputs.size()));
}

/// TopK, opset 1 → 10.
void top_k_to_input(Upgrade& u) {
  if (!u.node.attributes.has("k")) return u.finding("attribute 'k' (int) is missing");
  const int64_t k = u.node.attributes.get_int("k", 0);
  u.set_input(1, u.add_constant("k", Tensor::ints(std::span(&k, 1))));
  u.node.attributes.erase("k");
}

/// DFT, opset 17 → 20: the axis, 1 by default, becomes an input, -2 by default.
void dft_axis_to_input(Upgrade& u) {
  u.set_input(2, u.add_constant("axis", Tensor::scalar(u.node.attributes.get_int("axis", 1))));
  u.node.attributes.erase("axis");
}

}  // namespace
}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(Squeeze, 13, "axes become an input", ge::onnx::axes_to_input);
REGISTER_ONNX_UPGRADE(Unsqueeze, 13, "axes become an input", ge::onnx::axes_to_input);
REGISTER_ONNX_UPGRADE(ReduceSum, 13, "axes become an input", ge::onnx::reduce_axes_to_input);
REGISTER_ONNX_UPGRADE(ReduceL1, 18, "axes become an input", ge::onnx::reduce_axes_to_input);
REGISTER_ONNX_UPGRADE(ReduceL2, 18, "axes become an input", ge::onnx::reduce_axes_to_input);
REGISTER_ONNX_UPGRADE(ReduceLogSum, 18, "axes become an input", ge::onnx::reduce_axes_to_input);
REGISTER_ONNX_UPGRADE(ReduceLogSumExp, 18, "axes become an input", ge::onnx::reduce_axes_to_input);
REGISTER_ONNX_UPGRADE(ReduceMax, 18, "axes become an input", ge::onnx::reduce_axes_to_input);
REGISTER_ONNX_UPGRADE(ReduceMean, 18, "axes become an input", ge::onnx::reduce_axes_to_input);
REGISTER_ONNX_UPGRADE(ReduceMin, 18, "axes become an input", ge::onnx::reduce_axes_to_input);
REGISTER_ONNX_UPGRADE(ReduceProd, 18, "axes become an input", ge::onnx::reduce_axes_to_input);
REGISTER_ONNX_UPGRADE(ReduceSumSquare, 18, "axes become an input", ge::onnx::reduce_axes_to_input);
REGISTER_ONNX_UPGRADE(Slice, 10, "starts, ends and axes become inputs", ge::onnx::slice_to_inputs);
REGISTER_ONNX_UPGRADE(Split, 13, "sizes become an input", ge::onnx::split_to_input);
REGISTER_ONNX_UPGRADE(Split, 18, "the number of parts is said where no sizes are", ge::onnx::split_count);
REGISTER_ONNX_UPGRADE(TopK, 10, "k becomes an input", ge::onnx::top_k_to_input);
REGISTER_ONNX_UPGRADE(DFT, 20, "the axis becomes an input", ge::onnx::dft_axis_to_input);
