#include "ge/import/onnx/upgrade.hpp"

#include <cmath>

// Ops whose form changed between opset 1 and 7, but for broadcasting (upgrade_broadcast.cpp).
namespace ge::onnx {
namespace {

/// BatchNormalization, Dropout, opset 6 → 7: "is_test" goes; a node for inference has it set.
void refuse_not_test(Upgrade& u) {
  if (u.node.attributes.get_int("is_test", 0) == 0) u.finding("attribute 'is_test' is 0, which asks for training (before opset 7); export the model for inference");
  u.node.attributes.erase("is_test");
}

/// Cast, opset 1 → 6: the dtype was given by the name of a TensorProto.DataType.
void cast_name_to_number(Upgrade& u) {
  static constexpr std::pair<std::string_view, DType> names[] = {
      {"FLOAT", DType::float32}, {"UINT8", DType::uint8},    {"INT8", DType::int8},       {"UINT16", DType::uint16},       {"INT16", DType::int16},
      {"INT32", DType::int32},   {"INT64", DType::int64},    {"STRING", DType::string},   {"BOOL", DType::boolean},        {"FLOAT16", DType::float16},
      {"DOUBLE", DType::float64}, {"UINT32", DType::uint32}, {"UINT64", DType::uint64},   {"COMPLEX64", DType::complex64}, {"COMPLEX128", DType::complex128},
  };
  const std::string to = u.node.attributes.get_string("to", "");
  for (const auto& [name, dtype] : names)
    if (name == to) return u.node.attributes.set("to", static_cast<int64_t>(dtype));
  u.finding("attribute 'to' is '" + to + "', expected the name of a TensorProto.DataType of opset 1, such as 'FLOAT'");
  u.node.attributes.set("to", static_cast<int64_t>(DType::float32));
}

/// Concat, opset 1 → 4.
void say_concat_axis(Upgrade& u) {
  if (!u.node.attributes.has("axis")) u.node.attributes.set("axis", int64_t{1});
}

/// GRU, LSTM, RNN, opset 1 and 3 → 7: "output_sequence" said whether Y is computed; now its use does.
void drop_output_sequence(Upgrade& u) { u.node.attributes.erase("output_sequence"); }

/// GlobalLpPool, LpPool, opset 1 → 2: p was a float.
void whole_p(Upgrade& u) {
  const float p = u.node.attributes.get_float("p", 2);
  if (!(p >= 1) || p > 1000 || p != std::floor(p)) u.finding("attribute 'p' is " + std::to_string(p) + ", only whole numbers from 1 to 1000 are supported");
  else u.node.attributes.set("p", static_cast<int64_t>(p));
}

/// Pad, opset 1 → 2.
void rename_paddings(Upgrade& u) {
  if (!u.node.attributes.has("paddings")) return u.finding("attribute 'paddings' (ints) is missing");
  u.node.attributes.set("pads", u.node.attributes.get_ints("paddings"));
  u.node.attributes.erase("paddings");
}

/// Reshape, opset 1 → 5.
void shape_to_input(Upgrade& u) {
  if (!u.ints_to_input("shape", 1)) u.finding("attribute 'shape' (ints) is missing");
}

/// Selu, opset 1 → 6: the defaults became more precise.
void say_old_selu_defaults(Upgrade& u) {
  if (!u.node.attributes.has("alpha")) u.node.attributes.set("alpha", 1.6732f);
  if (!u.node.attributes.has("gamma")) u.node.attributes.set("gamma", 1.0507f);
}

/// Split, opset 1 → 2: the axis had no default; sizes may be an input, as from opset 13 on.
void need_split_axis(Upgrade& u) {
  if (!u.node.attributes.has("axis")) u.finding("attribute 'axis' (int) is missing, which has no default in opset 1");
}

/// Tile, opset 1 → 6.
void refuse_one_axis_tile(Upgrade& u) {
  u.finding("of opset 1 to 5 takes one axis and a number of tiles, which is not supported; convert the model to opset 6 or newer");
}

/// Upsample, opset 1 → 7: one factor for each of the last two axes of X[n, c, h, w].
void scales_by_axis(Upgrade& u) {
  Attributes& attributes = u.node.attributes;
  for (const char* needed : {"height_scale", "width_scale"})
    if (!attributes.has(needed)) return u.finding("attribute '" + std::string(needed) + "' (float) is missing");
  attributes.set("scales", std::vector<float>{1, 1, attributes.get_float("height_scale", 1), attributes.get_float("width_scale", 1)});
  attributes.erase("height_scale");
  attributes.erase("width_scale");
  if (attributes.get_string("mode", "nearest") == "bilinear") attributes.set("mode", std::string("linear"));
}

}  // namespace
}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(BatchNormalization, 7, "is_test goes", ge::onnx::refuse_not_test);
REGISTER_ONNX_UPGRADE(Dropout, 7, "is_test goes", ge::onnx::refuse_not_test);
REGISTER_ONNX_UPGRADE(Cast, 6, "the dtype is a number", ge::onnx::cast_name_to_number);
REGISTER_ONNX_UPGRADE(Concat, 4, "the axis is said", ge::onnx::say_concat_axis);
REGISTER_ONNX_UPGRADE(GRU, 7, "output_sequence goes", ge::onnx::drop_output_sequence);
REGISTER_ONNX_UPGRADE(LSTM, 7, "output_sequence goes", ge::onnx::drop_output_sequence);
REGISTER_ONNX_UPGRADE(RNN, 7, "output_sequence goes", ge::onnx::drop_output_sequence);
REGISTER_ONNX_UPGRADE(GlobalLpPool, 2, "p becomes an integer", ge::onnx::whole_p);
REGISTER_ONNX_UPGRADE(LpPool, 2, "p becomes an integer", ge::onnx::whole_p);
REGISTER_ONNX_UPGRADE(Pad, 2, "paddings become pads", ge::onnx::rename_paddings);
REGISTER_ONNX_UPGRADE(Reshape, 5, "the shape becomes an input", ge::onnx::shape_to_input);
REGISTER_ONNX_UPGRADE(Selu, 6, "the old defaults are said", ge::onnx::say_old_selu_defaults);
REGISTER_ONNX_UPGRADE(Split, 2, "the axis is said", ge::onnx::need_split_axis);
REGISTER_ONNX_UPGRADE(Tile, 6, "refused", ge::onnx::refuse_one_axis_tile);
REGISTER_ONNX_UPGRADE(Upsample, 7, "a scale for every axis", ge::onnx::scales_by_axis);
