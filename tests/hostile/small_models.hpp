#pragma once
#include "import/onnx_writer.hpp"

#include <string>
#include <utility>
#include <vector>

// Small ONNX models that together use every part of the format: what hostile bytes are made from.
namespace ge::testing {

inline Tensor ramp(std::vector<int64_t> dims) {
  const auto count = element_count(dims).value_or(0);
  std::vector<float> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = 0.125f * static_cast<float>(i % 17) - 1.0f;
  return Tensor::from<float>(DType::float32, std::move(dims), values);
}

/// TensorProto of 4 bytes "ABCD" that lie at byte 4 of the file "w.bin".
inline ProtoBytes external_weights(const std::string& name) {
  const auto entry = [](const char* key, const char* value) { return ProtoBytes().bytes(1, key).bytes(2, value); };
  ProtoBytes p = tensor_header(name, static_cast<int64_t>(DType::uint8), {4});
  return p.message(13, entry("location", "w.bin")).message(13, entry("offset", "4")).message(13, entry("length", "4")).integer(14, 1);
}
inline constexpr std::string_view external_file = "abcdABCDefgh";

/// Several kB: convolution, a local function, an If with captures, a Loop with scan output, arithmetic on shapes;
/// initialisers as raw, float, int64, int32 (half) and string data, with `with_external` one outside the file.
inline OnnxModel every_feature(bool with_external = false) {
  OnnxGraph then_graph("then"), else_graph("else"), body("body"), g("every feature");
  then_graph.node(OnnxNode("Add", {"r", "b"}, {"s"})).output("s");
  else_graph.initializer("k", ramp({1, 4, 1, 1})).node(OnnxNode("Mul", {"r", "k"}, {"m"})).output("m");
  body.input("i", DType::int64, {}).input("go", DType::boolean, {}).input("acc", DType::float32, {"N", "4"});
  body.node(OnnxNode("Identity", {"go"}, {"on"})).node(OnnxNode("Add", {"acc", "mean"}, {"next"})).node(OnnxNode("ReduceSum", {"next"}, {"sum"}).set("keepdims", 0));
  body.output("on").output("next").output("sum");

  g.input("x", DType::float32, {"N", "3", "6", "W"}).input("c", DType::boolean, {});
  g.initializer("w", ramp({4, 3, 3, 3})).initializer("big", ramp({4, 4, 16}));
  g.initializer(tensor_header("b", 1, {1, 4, 1, 1}).packed<float>(4, {1, 2, 3, 4}));
  g.initializer(tensor_header("half", 10, {4}).packed_integers(5, {0x3c00, 0x4000, 0xbc00, 0}));
  g.initializer(tensor_header("flat", 7, {2}).packed_integers(7, {0, -1})).initializer(tensor_header("trips", 7, {}).packed_integers(7, {3}));
  g.initializer("words", Tensor::strings({2}, {"hello", ""}));
  g.node(OnnxNode("Conv", {"x", "w"}, {"y"}).set("pads", std::vector<int64_t>{1, 1, 1, 1}).name("conv"));
  g.node(OnnxNode("act", {"y"}, {"r"}, "local").set("top", 6.0f).name("call"));
  g.node(OnnxNode("If", {"c"}, {"z"}).set("then_branch", then_graph).set("else_branch", else_graph).name("choose"));
  g.node(OnnxNode("ReduceMean", {"z"}, {"mean"}).set("axes", std::vector<int64_t>{2, 3}).set("keepdims", 0));
  g.node(OnnxNode("Loop", {"trips", "", "mean"}, {"last", "sums"}).set("body", body).name("loop"));
  g.node(OnnxNode("Shape", {"z"}, {"shape"})).node(OnnxNode("Gather", {"shape", "first"}, {"n"}).set("axis", 0));
  g.initializer(tensor_header("first", 7, {1}).packed_integers(7, {0})).initializer(tensor_header("minus", 7, {1}).packed_integers(7, {-1}));
  g.node(OnnxNode("Concat", {"n", "minus"}, {"target"}).set("axis", 0)).node(OnnxNode("Reshape", {"z", "target"}, {"rows"}));
  g.node(OnnxNode("Cast", {"half"}, {"wide"}).set("to", 1)).node(OnnxNode("Mul", {"last", "wide"}, {"scaled"}));
  g.node(OnnxNode("Transpose", {"big"}, {"turned"}).set("perm", std::vector<int64_t>{2, 0, 1}));
  g.output("rows").output("scaled").output("sums").output("turned").output("words");
  if (with_external) g.initializer(external_weights("ext")).node(OnnxNode("Cast", {"ext"}, {"letters"}).set("to", 7)).output("letters");
  OnnxFunction act("local", "act", {"a"}, {"o"});
  act.node(OnnxNode("Clip", {"a"}, {"t"}).refer("max", "top", 1)).node(OnnxNode("Relu", {"t"}, {"o"})).opset(9).attribute("top");
  return OnnxModel(g).opset(12).opset(1, "local").function(act);
}

/// By name, all of which compile from memory.
inline std::vector<std::pair<std::string, std::string>> small_models() {
  const auto one = [](const OnnxGraph& g, int64_t opset = 17) { return OnnxModel(g).opset(opset).bytes(); };
  std::vector<std::pair<std::string, std::string>> all{{"every_feature", every_feature().bytes()}};

  OnnxGraph sizes("sizes");
  sizes.input("x", DType::float32, {"A", "B"}).input("n", DType::int64, {"2"});
  sizes.node(OnnxNode("NonZero", {"x"}, {"nz"})).node(OnnxNode("Shape", {"nz"}, {"s"})).node(OnnxNode("ConstantOfShape", {"n"}, {"c"}));
  sizes.node(OnnxNode("Range", {"zero", "trips", "one"}, {"r"})).node(OnnxNode("TopK", {"x", "one1"}, {"top", "at"}));
  for (const auto& [name, value] : {std::pair("zero", 0), {"trips", 5}, {"one", 1}}) sizes.initializer(name, Tensor::scalar(value));
  sizes.initializer("one1", Tensor::ints(std::vector<int64_t>{1}));
  sizes.node(OnnxNode("Expand", {"r", "bounds"}, {"e"})).initializer("bounds", Tensor::ints(std::vector<int64_t>{2, 5}));
  all.emplace_back("sizes", one(sizes.output("s").output("c").output("e").output("top")));

  OnnxGraph body("body"), loop("loop");
  body.input("i", DType::int64, {}).input("go", DType::boolean, {}).input("v", DType::float32, {""});
  body.node(OnnxNode("Concat", {"v", "v"}, {"vv"}).set("axis", 0)).node(OnnxNode("ReduceMax", {"vv"}, {"m"}).set("keepdims", 0));
  body.node(OnnxNode("Less", {"m", "limit"}, {"on"})).output("on").output("vv").output("m");
  loop.input("v0", DType::float32, {"1"}).input("trips", DType::int64, {}).initializer("limit", ramp({}));
  loop.node(OnnxNode("Loop", {"trips", "", "v0"}, {"v_end", "ms"}).set("body", body)).output("v_end").output("ms");
  all.emplace_back("growing_loop", one(loop));

  OnnxGraph matmul("dense");
  matmul.input("x", DType::float32, {"N", "8"}).initializer("w", ramp({8, 4})).initializer("b", ramp({4}));
  matmul.node(OnnxNode("Gemm", {"x", "w", "b"}, {"h"})).node(OnnxNode("Softmax", {"h"}, {"p"}).set("axis", 1)).node(OnnxNode("ArgMax", {"p"}, {"k"}).set("axis", 1)).output("p").output("k");
  all.emplace_back("dense", one(matmul, 13));
  return all;
}

}  // namespace ge::testing
