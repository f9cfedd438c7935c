#include "ge/import/onnx/upgrade.hpp"

#include <algorithm>

namespace ge::onnx {
namespace {

/// BatchNormalization, opset 7 → 9.
void refuse_not_spatial(Upgrade& u) {
  if (u.node.attributes.get_int("spatial", 1) != 1) u.finding("attribute 'spatial' is 0; statistics for each activation (before opset 9) are not supported");
  u.node.attributes.erase("spatial");
}

/// BatchNormalization, opset 9 → 14: training was asked for by using the optional outputs, now by an attribute.
void refuse_training(Upgrade& u) {
  auto& outputs = u.node.outputs;
  if (std::any_of(outputs.begin() + (outputs.empty() ? 0 : 1), outputs.end(), [](const std::string& name) { return !name.empty(); }))
    u.finding("uses the outputs of training mode; export the model for inference");
  if (outputs.size() > 1) outputs.resize(1);
}

/// Dropout, opset 10 → 12: the ratio becomes an input, and the lack of a third input says "inference".
void ratio_to_input(Upgrade& u) {
  const float ratio = u.node.attributes.get_float("ratio", 0.5f);
  u.set_input(1, u.add_constant("ratio", Tensor::from<float>(DType::float32, {}, std::span(&ratio, 1))));
  u.node.attributes.erase("ratio");
}

/// GroupNormalization, opset 18 → 21: scale and bias were given by group, now by channel.
void refuse_scale_by_group(Upgrade& u) { u.finding("of opset 18 to 20 has its scale by group, which is not supported; convert the model to opset 21 or newer"); }

}  // namespace
}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(BatchNormalization, 9, "spatial goes", ge::onnx::refuse_not_spatial);
REGISTER_ONNX_UPGRADE(BatchNormalization, 14, "outputs of training mode are refused", ge::onnx::refuse_training);
REGISTER_ONNX_UPGRADE(Dropout, 12, "the ratio becomes an input", ge::onnx::ratio_to_input);
REGISTER_ONNX_UPGRADE(GroupNormalization, 21, "refused", ge::onnx::refuse_scale_by_group);
