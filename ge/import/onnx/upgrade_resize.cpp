#include "ge/import/onnx/upgrade.hpp"

#include <algorithm>

namespace ge::onnx {
namespace {

/// Upsample, opset 7 → 9.
void upsample_scales_to_input(Upgrade& u) {
  if (!u.node.attributes.has("scales")) return u.finding("attribute 'scales' (floats) is missing");
  const auto scales = u.node.attributes.get_floats("scales");
  u.set_input(1, u.add_constant("scales", Tensor::from<float>(DType::float32, {static_cast<int64_t>(scales.size())}, scales)));
  u.node.attributes.erase("scales");
}

/// Upsample, opset 9 → 10: the same as Resize of that opset.
void upsample_to_resize(Upgrade& u) { u.node.op = "Resize"; }

/// Scales of Resize-10 below 1 in the "nearest" mode; empty when there are none or they are not known.
std::vector<float> shrinking(const Upgrade& u) {
  const Tensor* scales = u.constant(1);
  if (u.node.attributes.get_string("mode", "nearest") != "nearest" || scales == nullptr || scales->dtype() != DType::float32) return {};
  std::vector<float> shrink(static_cast<size_t>(scales->count()));
  for (size_t i = 0; i < shrink.size(); ++i) shrink[i] = std::min(scales->at<float>(static_cast<int64_t>(i)), 1.0f);
  return std::all_of(shrink.begin(), shrink.end(), [](float s) { return s == 1.0f; }) ? std::vector<float>() : shrink;
}

/// Resize, opset 10 → 11. Opset 10 maps coordinates as x_in = x_out / scale ("asymmetric"). Its "nearest" mode leaves
/// rounding open; common practice rounds down where an axis grows and up where it shrinks. Nearest works on each axis
/// alone, so axes that shrink are split off into a Resize of their own.
void resize_modes(Upgrade& u) {
  Attributes& attributes = u.node.attributes;
  attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
  if (u.node.inputs.size() > 1) u.node.inputs.insert(u.node.inputs.begin() + 1, std::string());  // roi
  if (attributes.get_string("mode", "nearest") != "nearest") return;
  attributes.set("nearest_mode", std::string("floor"));
}

void resize_to_11(Upgrade& u) {
  const std::vector<float> shrink = shrinking(u);
  const Tensor* scales = u.constant(1);
  resize_modes(u);
  if (shrink.empty()) return;
  std::vector<float> grow(shrink.size());
  for (size_t i = 0; i < grow.size(); ++i) grow[i] = std::max(scales->at<float>(static_cast<int64_t>(i)), 1.0f);
  const std::vector<int64_t> dims{static_cast<int64_t>(grow.size())};
  if (std::any_of(grow.begin(), grow.end(), [](float s) { return s != 1.0f; })) {
    const std::string factors = u.add_constant("grow", Tensor::from<float>(DType::float32, dims, grow));
    u.node.inputs[0] = u.add_before("Resize", {u.node.inputs[0], "", factors}, u.node.attributes);
    u.node.inputs[2] = u.add_constant("shrink", Tensor::from<float>(DType::float32, dims, shrink));
  }
  u.node.attributes.set("nearest_mode", std::string("ceil"));
}

/// Resize, every opset: absent inputs may be written as empty tensors, and the region of interest only matters to
/// "tf_crop_and_resize". Both become absent inputs.
void drop_empty_inputs(Upgrade& u) {
  for (size_t i = 1; i < u.node.inputs.size(); ++i)
    if (const Tensor* tensor = u.constant(i); tensor != nullptr && tensor->count() == 0) u.node.inputs[i].clear();
  if (u.node.has_input(1) && u.node.attributes.get_string("coordinate_transformation_mode", "half_pixel") != "tf_crop_and_resize") u.node.inputs[1].clear();
}

}  // namespace
}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(Upsample, 9, "scales become an input", ge::onnx::upsample_scales_to_input);
REGISTER_ONNX_UPGRADE(Upsample, 10, "becomes Resize", ge::onnx::upsample_to_resize);
REGISTER_ONNX_UPGRADE(Resize, 11, "coordinates and rounding are said", ge::onnx::resize_to_11);
REGISTER_ONNX_UPGRADE(Resize, 1000, "empty inputs become absent", ge::onnx::drop_empty_inputs);
