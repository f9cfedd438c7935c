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
void scale_by_channel(Upgrade& u) {
  const int64_t groups = u.node.attributes.get_int("num_groups", 0);
  if (groups < 1 || !u.node.has_input(0)) return;  // inference says what is wrong
  Attributes channel_axis, first_axis;
  channel_axis.set("start", int64_t{1});
  channel_axis.set("end", int64_t{2});
  first_axis.set("axis", int64_t{0});
  const std::string count = u.add_constant("groups", Tensor::ints(std::vector<int64_t>{groups}));
  const std::string one = u.add_constant("one", Tensor::ints(std::vector<int64_t>{1})), flat = u.add_constant("flat", Tensor::ints(std::vector<int64_t>{-1}));
  const std::string channels = u.add_before("Div", {u.add_before("Shape", {u.node.inputs[0]}, channel_axis), count});
  const std::string by_group = u.add_before("Concat", {count, channels}, first_axis);
  for (size_t i : {1, 2}) {
    if (!u.node.has_input(i)) continue;
    const std::string column = u.add_before("Unsqueeze", {u.node.inputs[i], one});  // [groups, 1]
    u.set_input(i, u.add_before("Reshape", {u.add_before("Expand", {column, by_group}), flat}));
  }
}

}  // namespace
}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(BatchNormalization, 9, "spatial goes", ge::onnx::refuse_not_spatial);
REGISTER_ONNX_UPGRADE(BatchNormalization, 14, "outputs of training mode are refused", ge::onnx::refuse_training);
REGISTER_ONNX_UPGRADE(Dropout, 12, "the ratio becomes an input", ge::onnx::ratio_to_input);
REGISTER_ONNX_UPGRADE(GroupNormalization, 21, "scale and bias by channel", ge::onnx::scale_by_channel);
