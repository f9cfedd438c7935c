#include "ge/import/onnx/before_7.hpp"
#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

// Models of opsets 1 to 6.
using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

using Ints = std::vector<int64_t>;

/// A model of one node with output "y", reading "x" (float32[2, 3, 4, 5]), "b" (float32[`second`]) and parameters "p".
OnnxModel one_node(int64_t opset, const OnnxNode& node, const std::vector<std::string>& second = {}) {
  OnnxGraph g;
  g.input("x", DType::float32, {"2", "3", "4", "5"}).input("b", DType::float32, second).input("p", DType::float32, {"3"});
  g.input_unknown_rank("u", DType::float32);
  return OnnxModel(g.node(OnnxNode(node).name("n")).output("y")).opset(opset);
}

Ints constant_ints(const Graph& graph, const Node& node, size_t slot) {
  REQUIRE(node.inputs().size() > slot);
  const Tensor* tensor = graph.constant_value(node.inputs()[slot]);
  REQUIRE(tensor != nullptr);
  return *tensor->to_ints();
}

}  // namespace

TEST_CASE("ops that did not change are read from opset 1 on, without consumed_inputs", "[import][CR-1]") {
  for (const char* op : {"Relu", "HardSigmoid", "Elu", "Softplus", "Softsign", "GlobalAveragePool", "GlobalMaxPool", "ReduceLogSum", "Softmax", "Identity"}) {
    CAPTURE(op);
    for (const int64_t opset : {1, 6}) CHECK(only(*import_onnx(one_node(opset, OnnxNode(op, {"x"}, {"y"}))), op).attributes().has("consumed_inputs") == false);
  }
  const auto hinted = import_onnx(one_node(1, OnnxNode("LeakyRelu", {"x"}, {"y"}).set("alpha", 0.5f).set("consumed_inputs", Ints{0})));
  CHECK(only(*hinted, "LeakyRelu").attributes().size() == 1);
  CHECK_THAT(import_error(one_node(6, OnnxNode("Relu", {"x"}, {"y"}).set("consumed_inputs", Ints{0}))), Contains("'consumed_inputs' is not one"));
}

TEST_CASE("later upgrades start from opset 1", "[import][CR-1]") {
  const auto slice = import_onnx(one_node(1, OnnxNode("Slice", {"x"}, {"y"}).set("starts", Ints{1}).set("ends", Ints{2})));
  CHECK(constant_ints(*slice, only(*slice, "Slice"), 1) == Ints{1});
  const auto clip = import_onnx(one_node(1, OnnxNode("Clip", {"x"}, {"y"}).set("max", 6.0f).set("consumed_inputs", Ints{0})));
  CHECK(only(*clip, "Clip").attributes().empty());
  CHECK(only(*clip, "Clip").inputs().size() == 3);
}

TEST_CASE("ops without a form before opset 7 are refused by name", "[import][CR-1]") {
  CHECK_THAT(import_error(one_node(6, OnnxNode("Sin", {"x"}, {"y"}))), Contains("node 'n' (Sin): is no op of opset 6") && Contains("version_converter"));
  CHECK_THAT(import_error(one_node(1, OnnxNode("Tile", {"x", "b", "b"}, {"y"}))), Contains("node 'n' (Tile): of opset 1 to 5"));
  CHECK_FALSE(onnx::known_before_7("Where"));
  for (const char* op : {"Abs", "Unsqueeze", "Hardmax", "HardSigmoid", "Add", "Xor", "LRN"}) CHECK(onnx::known_before_7(op));
}

TEST_CASE("nodes in subgraphs are checked too", "[import][CR-1]") {
  OnnxGraph g, sub("s");
  sub.node(OnnxNode("Sin", {"x"}, {"r"}).name("inner")).output("r");
  g.input("x", DType::float32, {"2"}).input("c", DType::boolean, {});
  g.node(OnnxNode("If", {"c"}, {"y"}).set("then_branch", sub).set("else_branch", sub)).output("y");
  CHECK_THAT(import_error(OnnxModel(g).opset(6)), Contains("node 'inner' (Sin): is no op of opset 6"));
}

TEST_CASE("binary ops before 7: broadcasting to the last axes is numpy's", "[import][CR-1]") {
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Pow"})
    for (const int64_t opset : {1, 6}) {
      CAPTURE(op);
      const auto graph = import_onnx(one_node(opset, OnnxNode(op, {"x", "b"}, {"y"}).set("broadcast", 1), {"4", "5"}));
      CHECK(only(*graph, op).attributes().empty());
      CHECK(only(*graph, op).inputs()[1] == graph->node(graph->inputs()[1]).output());
    }
  const auto greater = import_onnx(one_node(1, OnnxNode("Greater", {"u", "u"}, {"y"}).set("broadcast", 0)));
  CHECK(only(*greater, "Greater").attributes().empty());
}

TEST_CASE("binary ops before 7: an axis in the middle adds axes behind", "[import][CR-1]") {
  const auto add = [](int axis, const std::vector<std::string>& dims) {
    return one_node(6, OnnxNode("Add", {"x", "b"}, {"y"}).set("broadcast", 1).set("axis", axis), dims);
  };
  const auto middle = import_onnx(add(1, {"3", "4"}));
  const Node& unsqueeze = only(*middle, "Unsqueeze");
  CHECK(only(*middle, "Add").inputs()[1] == unsqueeze.output());
  CHECK(constant_ints(*middle, unsqueeze, 1) == Ints{2});
  const auto front = import_onnx(add(0, {"2"}));
  CHECK(constant_ints(*front, only(*front, "Unsqueeze"), 1) == Ints{1, 2, 3});
  CHECK(count_ops(*import_onnx(add(2, {"4", "5"})), "Unsqueeze") == 0);
  CHECK(count_ops(*import_onnx(add(0, {})), "Unsqueeze") == 0);
  CHECK_THAT(import_error(add(3, {"4", "5"})), Contains("'axis' is 3, expected 0 to 2"));
  CHECK_THAT(import_error(add(-1, {"5"})), Contains("'axis' is -1"));
  CHECK_THAT(import_error(one_node(6, OnnxNode("Add", {"u", "b"}, {"y"}).set("broadcast", 1).set("axis", 1), {"3"})), Contains("node 'n' (Add)") && Contains("ranks"));
}

TEST_CASE("PRelu before 7: the slope belongs to channels", "[import][CR-1]") {
  const auto by_channel = import_onnx(one_node(6, OnnxNode("PRelu", {"x", "b"}, {"y"}), {"3"}));
  CHECK(constant_ints(*by_channel, only(*by_channel, "Unsqueeze"), 1) == Ints{1, 2});
  CHECK(count_ops(*import_onnx(one_node(6, OnnxNode("PRelu", {"x", "b"}, {"y"}), {})), "Unsqueeze") == 0);
  CHECK(count_ops(*import_onnx(one_node(6, OnnxNode("PRelu", {"x", "x"}, {"y"}), {})), "Unsqueeze") == 0);
  CHECK_THAT(import_error(one_node(6, OnnxNode("PRelu", {"u", "b"}, {"y"}), {"3"})), Contains("slope by channel"));
}

TEST_CASE("Gemm 6 loses broadcast", "[import][CR-1]") {
  OnnxGraph g;
  g.input("a", DType::float32, {"2", "3"}).input("b", DType::float32, {"3", "4"}).input("c", DType::float32, {"4"});
  g.node(OnnxNode("Gemm", {"a", "b", "c"}, {"y"}).set("broadcast", 1).set("transA", 0)).output("y");
  CHECK(only(*import_onnx(OnnxModel(g).opset(6)), "Gemm").attributes().size() == 1);
}

TEST_CASE("Cast 1: the dtype's name becomes its number", "[import][CR-1]") {
  const auto cast = [](const char* to) { return one_node(1, OnnxNode("Cast", {"x"}, {"y"}).set("to", to)); };
  CHECK(only(*import_onnx(cast("DOUBLE")), "Cast").attributes().need_int("to") == 11);
  CHECK(only(*import_onnx(cast("BOOL")), "Cast").attributes().need_int("to") == 9);
  CHECK_THAT(import_error(cast("float")), Contains("'to' is 'float', expected the name"));
  CHECK(only(*import_onnx(one_node(6, OnnxNode("Cast", {"x"}, {"y"}).set("to", 7))), "Cast").attributes().need_int("to") == 7);
}

TEST_CASE("Concat, Reshape, Pad, Split, Selu and Upsample of opset 1", "[import][CR-1]") {
  CHECK(only(*import_onnx(one_node(1, OnnxNode("Concat", {"x", "x"}, {"y"}))), "Concat").attributes().need_int("axis") == 1);
  const auto reshape = import_onnx(one_node(1, OnnxNode("Reshape", {"x"}, {"y"}).set("shape", Ints{6, -1}).set("consumed_inputs", Ints{0})));
  CHECK(constant_ints(*reshape, only(*reshape, "Reshape"), 1) == Ints{6, -1});
  CHECK_THAT(import_error(one_node(1, OnnxNode("Reshape", {"x"}, {"y"}))), Contains("'shape' (ints) is missing"));
  const auto pad = import_onnx(one_node(1, OnnxNode("Pad", {"x"}, {"y"}).set("paddings", Ints{0, 0, 1, 1, 0, 0, 1, 1})));
  CHECK(constant_ints(*pad, only(*pad, "Pad"), 1) == Ints{0, 0, 1, 1, 0, 0, 1, 1});
  const auto split = import_onnx(one_node(1, OnnxNode("Split", {"x"}, {"y"}).set("axis", 0).set("split", Ints{2})));
  CHECK(constant_ints(*split, only(*split, "Split"), 1) == Ints{2});
  CHECK_THAT(import_error(one_node(1, OnnxNode("Split", {"x"}, {"y"}))), Contains("'axis' (int) is missing"));
  const auto old_selu = import_onnx(one_node(1, OnnxNode("Selu", {"x"}, {"y"}))), selu = import_onnx(one_node(6, OnnxNode("Selu", {"x"}, {"y"})));
  CHECK(only(*old_selu, "Selu").attributes().get_float("alpha", 0) == 1.6732f);
  CHECK_FALSE(only(*selu, "Selu").attributes().has("alpha"));
  const auto upsample = import_onnx(one_node(1, OnnxNode("Upsample", {"x"}, {"y"}).set("height_scale", 2.0f).set("width_scale", 3.0f).set("mode", "bilinear")));
  const Node& resize = only(*upsample, "Resize");
  CHECK(resize.attributes().get_string("mode", "") == "linear");
  CHECK(*upsample->constant_value(resize.inputs()[2])->to_doubles() == std::vector<double>{1, 1, 2, 3});
}

TEST_CASE("BatchNormalization and Dropout 6 are read for inference only", "[import][CR-1]") {
  const OnnxNode norm("BatchNormalization", {"x", "p", "p", "p", "p"}, {"y"});
  CHECK(only(*import_onnx(one_node(6, OnnxNode(norm).set("is_test", 1))), "BatchNormalization").attributes().empty());
  CHECK(only(*import_onnx(one_node(1, OnnxNode(norm).set("is_test", 1).set("consumed_inputs", Ints{0, 0, 0, 1, 1}))), "BatchNormalization").attributes().empty());
  CHECK_THAT(import_error(one_node(6, norm)), Contains("'is_test' is 0"));
  CHECK(only(*import_onnx(one_node(6, OnnxNode("Dropout", {"x"}, {"y"}).set("is_test", 1))), "Dropout").inputs().size() == 2);
  CHECK_THAT(import_error(one_node(6, OnnxNode("Dropout", {"x"}, {"y"}))), Contains("'is_test' is 0"));
}

TEST_CASE("pooling norms of opset 1 had p as a float", "[import][CR-1]") {
  CHECK(only(*import_onnx(one_node(1, OnnxNode("GlobalLpPool", {"x"}, {"y"}).set("p", 3.0f))), "GlobalLpPool").attributes().need_int("p") == 3);
  CHECK(only(*import_onnx(one_node(1, OnnxNode("LpPool", {"x"}, {"y"}).set("kernel_shape", Ints{2, 2}))), "LpPool").attributes().need_int("p") == 2);
  CHECK_THAT(import_error(one_node(1, OnnxNode("GlobalLpPool", {"x"}, {"y"}).set("p", 1.5f))), Contains("only whole numbers"));
}

TEST_CASE("recurrent ops before 7 lose output_sequence", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float32, {"2", "1", "3"}).input("w", DType::float32, {"1", "4", "3"}).input("r", DType::float32, {"1", "4", "4"});
  g.node(OnnxNode("RNN", {"x", "w", "r"}, {"y"}).set("hidden_size", 4).set("output_sequence", 1)).output("y");
  CHECK_FALSE(only(*import_onnx(OnnxModel(g).opset(1)), "RNN").attributes().has("output_sequence"));
}
