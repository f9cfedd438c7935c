#include "ge/import/onnx/upgrade.hpp"

#include <algorithm>

namespace ge::onnx {
namespace {

/// BatchNormalization, opset 7 → 9: without "spatial" each place of an image is a channel of its own, so the axes behind
/// the first one are made one.
void spatial_by_shape(Upgrade& u) {
  const bool spatial = u.node.attributes.get_int("spatial", 1) != 0;
  u.node.attributes.erase("spatial");
  if (spatial || u.node.inputs.size() < 5) return;
  const std::string flat = u.add_constant("flat", Tensor::ints(std::vector<int64_t>{-1}));
  const std::string image = u.add_before("Shape", {u.node.inputs[0]}), statistic = u.add_before("Shape", {u.node.inputs[3]});
  Attributes axis;
  axis.set("axis", int64_t{1});
  u.node.inputs[0] = u.add_before("Flatten", {u.node.inputs[0]}, axis);
  for (size_t i = 1; i < 5; ++i) u.node.inputs[i] = u.add_before("Reshape", {u.node.inputs[i], flat});
  u.add_after("Reshape", {image});
  for (size_t i : {1u, 2u}) u.add_after("Reshape", {statistic}, {}, i);
}

/// BatchNormalization, opset 9 → 14: training was asked for by using the optional outputs, now by an attribute.
void outputs_to_training(Upgrade& u) {
  auto& outputs = u.node.outputs;
  const auto uses = [&](size_t i) { return i < outputs.size() && !outputs[i].empty(); };
  if (uses(3) || uses(4)) u.finding("uses the outputs saved_mean and saved_var, which are meant for its gradient and not defined otherwise; export the model without them");
  if (uses(1) || uses(2)) u.node.attributes.set("training_mode", int64_t{1});
  outputs.resize(std::min<size_t>(outputs.size(), uses(2) ? 3 : uses(1) ? 2 : 1));
}

/// Dropout, opset 7 → 10: the mask had the data's dtype, now it is bool.
void mask_of_numbers(Upgrade& u) {
  if (u.node.has_input(0)) u.add_after("CastLike", {u.node.inputs[0]}, {}, 1);
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

REGISTER_ONNX_UPGRADE(BatchNormalization, 9, "spatial goes", ge::onnx::spatial_by_shape);
REGISTER_ONNX_UPGRADE(BatchNormalization, 14, "training becomes an attribute", ge::onnx::outputs_to_training);
REGISTER_ONNX_UPGRADE(Dropout, 10, "the mask becomes one of bools", ge::onnx::mask_of_numbers);
REGISTER_ONNX_UPGRADE(Dropout, 12, "the ratio becomes an input", ge::onnx::ratio_to_input);
REGISTER_ONNX_UPGRADE(GroupNormalization, 21, "scale and bias by channel", ge::onnx::scale_by_channel);
