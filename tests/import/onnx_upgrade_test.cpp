#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

/// A model of one node with outputs "y…", reading "x" (float32[2, 3, 4, 5]).
std::unique_ptr<Graph> one_node(int64_t opset, const OnnxNode& node, const std::vector<std::string>& outputs = {"y"}, DType dtype = DType::float32) {
  OnnxGraph g;
  g.input("x", dtype, {"2", "3", "4", "5"}).node(OnnxNode(node));
  for (const std::string& output : outputs) g.output(output);
  return import_onnx(OnnxModel(g).opset(opset));
}

std::vector<int64_t> ints(const Graph& graph, const Node& node, size_t slot) {
  REQUIRE(node.inputs().size() > slot);
  const Tensor* tensor = graph.constant_value(node.inputs()[slot]);
  REQUIRE(tensor != nullptr);
  CHECK(tensor->dtype() == DType::int64);
  return *tensor->to_ints();
}

std::vector<double> numbers(const Graph& graph, const Node& node, size_t slot) {
  REQUIRE(node.inputs().size() > slot);
  const Tensor* tensor = graph.constant_value(node.inputs()[slot]);
  REQUIRE(tensor != nullptr);
  return *tensor->to_doubles();
}

using Ints = std::vector<int64_t>;
using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("Clip 6: bounds become inputs of x's dtype, absent ones stay absent", "[import][CR-1]") {
  const auto both = one_node(9, OnnxNode("Clip", {"x"}, {"y"}).set("min", -1.0f).set("max", 6.0f));
  CHECK(numbers(*both, only(*both, "Clip"), 1) == Numbers{-1});
  CHECK(numbers(*both, only(*both, "Clip"), 2) == Numbers{6});
  CHECK(only(*both, "Clip").attributes().empty());
  const auto upper = one_node(9, OnnxNode("Clip", {"x"}, {"y"}).set("max", 6.0f), {"y"}, DType::float16);
  CHECK_FALSE(only(*upper, "Clip").inputs()[1]);
  CHECK(upper->constant_value(only(*upper, "Clip").inputs()[2])->dtype() == DType::float16);
  const auto none = one_node(9, OnnxNode("Clip", {"x"}, {"y"}));
  CHECK(only(*none, "Clip").inputs().size() == 1);
}

TEST_CASE("a bound's dtype is followed through nodes", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float64, {"2"}).node(OnnxNode("Relu", {"x"}, {"r"})).node(OnnxNode("Clip", {"r"}, {"y"}).set("min", 0.0f)).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(9));
  CHECK(graph->constant_value(only(*graph, "Clip").inputs()[1])->dtype() == DType::float64);
}

TEST_CASE("Slice 1: starts, ends and axes become inputs", "[import][CR-1]") {
  const auto graph = one_node(9, OnnxNode("Slice", {"x"}, {"y"}).set("starts", Ints{0, 1}).set("ends", Ints{2, -1}).set("axes", Ints{0, 3}));
  const Node& slice = only(*graph, "Slice");
  CHECK(ints(*graph, slice, 1) == Ints{0, 1});
  CHECK(ints(*graph, slice, 2) == Ints{2, -1});
  CHECK(ints(*graph, slice, 3) == Ints{0, 3});
  CHECK_THROWS_WITH(one_node(9, OnnxNode("Slice", {"x"}, {"y"}).set("starts", Ints{0})), Contains("'ends' (ints) is missing"));
}

TEST_CASE("Pad 2: pads and a value other than 0 become inputs", "[import][CR-1]") {
  const auto plain = one_node(10, OnnxNode("Pad", {"x"}, {"y"}).set("pads", Ints{0, 0, 1, 1, 0, 0, 1, 1}).set("mode", "reflect"));
  CHECK(ints(*plain, only(*plain, "Pad"), 1) == Ints{0, 0, 1, 1, 0, 0, 1, 1});
  CHECK(only(*plain, "Pad").inputs().size() == 2);
  CHECK(only(*plain, "Pad").attributes().get_string("mode", "") == "reflect");
  const auto valued = one_node(10, OnnxNode("Pad", {"x"}, {"y"}).set("pads", Ints{0, 0, 1, 1, 0, 0, 1, 1}).set("value", 2.5f));
  CHECK(numbers(*valued, only(*valued, "Pad"), 2) == Numbers{2.5});
}

TEST_CASE("Squeeze, Unsqueeze, Split and TopK: integers become inputs", "[import][CR-1]") {
  const auto squeeze = one_node(11, OnnxNode("Squeeze", {"x"}, {"y"}).set("axes", Ints{0, -1}));
  CHECK(ints(*squeeze, only(*squeeze, "Squeeze"), 1) == Ints{0, -1});
  const auto unsqueeze = one_node(12, OnnxNode("Unsqueeze", {"x"}, {"y"}).set("axes", Ints{0}));
  CHECK(ints(*unsqueeze, only(*unsqueeze, "Unsqueeze"), 1) == Ints{0});
  const auto sized = one_node(11, OnnxNode("Split", {"x"}, {"y", "z"}).set("axis", 3).set("split", Ints{2, 3}), {"y", "z"});
  CHECK(ints(*sized, only(*sized, "Split"), 1) == Ints{2, 3});
  CHECK_FALSE(only(*sized, "Split").attributes().has("num_outputs"));
  const auto equal_parts = one_node(13, OnnxNode("Split", {"x"}, {"y", "z"}), {"y", "z"});
  CHECK(only(*equal_parts, "Split").attributes().need_int("num_outputs") == 2);
  const auto top = one_node(9, OnnxNode("TopK", {"x"}, {"y", "z"}).set("k", 3), {"y", "z"});
  CHECK(ints(*top, only(*top, "TopK"), 1) == Ints{3});
}

TEST_CASE("Reduce: axes become an input, at 13 for ReduceSum and at 18 for the rest", "[import][CR-1]") {
  const auto sum = one_node(11, OnnxNode("ReduceSum", {"x"}, {"y"}).set("axes", Ints{1, -1}).set("keepdims", 0));
  CHECK(ints(*sum, only(*sum, "ReduceSum"), 1) == Ints{1, -1});
  CHECK(only(*sum, "ReduceSum").attributes().need_int("keepdims") == 0);
  for (const char* op : {"ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"}) {
    CAPTURE(op);
    const auto graph = one_node(17, OnnxNode(op, {"x"}, {"y"}).set("axes", Ints{2}));
    CHECK(ints(*graph, only(*graph, op), 1) == Ints{2});
    const auto all = one_node(17, OnnxNode(op, {"x"}, {"y"}));
    CHECK(only(*all, op).inputs().size() == 1);
  }
}

TEST_CASE("Softmax 1: on the last axis it only names the axis", "[import][CR-1]") {
  for (const int axis : {3, -1}) {
    const auto graph = one_node(11, OnnxNode("Softmax", {"x"}, {"y"}).set("axis", axis));
    CHECK(only(*graph, "Softmax").attributes().need_int("axis") == -1);
    CHECK(count_ops(*graph, "Flatten") == 0);
  }
}

// x ─► Flatten(1) ─► Softmax(-1) ─► Reshape ─► y        Shape(x) ─► Reshape
TEST_CASE("Softmax 1: elsewhere it works on a flattened matrix", "[import][CR-1]") {
  for (const char* op : {"Softmax", "LogSoftmax", "Hardmax"}) {
    const auto graph = one_node(9, OnnxNode(op, {"x"}, {"y"}).name("s"));
    const OutputRef x = graph->node(graph->inputs()[0]).output();
    const Node& flatten = only(*graph, "Flatten");
    const Node& reshape = only(*graph, "Reshape");
    const Node& softmax = only(*graph, op);
    CHECK(flatten.inputs()[0] == x);
    CHECK(flatten.attributes().need_int("axis") == 1);
    CHECK(softmax.inputs()[0] == flatten.output());
    CHECK(softmax.attributes().need_int("axis") == -1);
    CHECK(reshape.inputs()[0] == softmax.output());
    CHECK(reshape.inputs()[1] == only(*graph, "Shape").output());
    CHECK(only(*graph, "Shape").inputs()[0] == x);
    CHECK(graph->outputs()[0] == reshape.output());
    CHECK(reshape.outputs()[0].name == "y");
    CHECK(softmax.name() == "s");
  }
  const auto newer = one_node(13, OnnxNode("Softmax", {"x"}, {"y"}).set("axis", 1));
  CHECK(only(*newer, "Softmax").attributes().need_int("axis") == 1);
}

TEST_CASE("Upsample 7 and 9 become Resize", "[import][CR-1]") {
  const auto seven = one_node(8, OnnxNode("Upsample", {"x"}, {"y"}).set("mode", "linear").set("scales", std::vector<float>{1, 1, 2, 2}));
  const Node& resize = only(*seven, "Resize");
  CHECK_FALSE(resize.inputs()[1]);
  CHECK(numbers(*seven, resize, 2) == Numbers{1, 1, 2, 2});
  CHECK(resize.attributes().get_string("mode", "") == "linear");
  CHECK(resize.attributes().get_string("coordinate_transformation_mode", "") == "asymmetric");

  OnnxGraph g;
  g.input("x", DType::float32, {"1", "1", "2", "2"}).input("s", DType::float32, {"4"}).node(OnnxNode("Upsample", {"x", "s"}, {"y"})).output("y");
  const auto nine = import_onnx(OnnxModel(g).opset(9));
  CHECK(only(*nine, "Resize").inputs()[2] == nine->node(nine->inputs()[1]).output());
  CHECK(only(*nine, "Resize").attributes().get_string("nearest_mode", "") == "floor");
}

TEST_CASE("Resize 10: nearest rounds down where an axis grows, up where it shrinks", "[import][CR-1]") {
  const auto with_scales = [](std::vector<float> scales) {
    OnnxGraph g;
    g.input("x", DType::float32, {"1", "1", "4", "4"}).initializer("s", Tensor::from<float>(DType::float32, {4}, scales));
    g.node(OnnxNode("Resize", {"x", "s"}, {"y"})).output("y");
    return import_onnx(OnnxModel(g).opset(10));
  };
  const auto shrink = with_scales({1, 1, 0.5f, 0.5f});
  CHECK(only(*shrink, "Resize").attributes().get_string("nearest_mode", "") == "ceil");
  CHECK(numbers(*shrink, only(*shrink, "Resize"), 2) == Numbers{1, 1, 0.5, 0.5});
  const auto mixed = with_scales({1, 1, 0.5f, 2});
  const Node& last = mixed->node(mixed->outputs()[0].node);
  const Node& first = mixed->node(last.inputs()[0].node);
  CHECK(numbers(*mixed, first, 2) == Numbers{1, 1, 1, 2});
  CHECK(first.attributes().get_string("nearest_mode", "") == "floor");
  CHECK(numbers(*mixed, last, 2) == Numbers{1, 1, 0.5, 1});
  CHECK(last.attributes().get_string("nearest_mode", "") == "ceil");
}

TEST_CASE("Resize 11 and newer: empty tensors and an unused region become absent", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float32, {"1", "1", "4", "4"}).input("roi", DType::float32, {"8"});
  g.initializer("none", Tensor::zeros(DType::float32, {0})).initializer("sizes", Tensor::ints(Ints{1, 1, 8, 8}));
  g.node(OnnxNode("Resize", {"x", "roi", "none", "sizes"}, {"y"})).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(19));
  const Node& resize = only(*graph, "Resize");
  CHECK_FALSE(resize.inputs()[1]);
  CHECK_FALSE(resize.inputs()[2]);
  CHECK(ints(*graph, resize, 3) == Ints{1, 1, 8, 8});
}

TEST_CASE("BatchNormalization 7 to 9: places are channels without spatial, outputs say training", "[import][CR-1]") {
  const auto model = [](int64_t opset, OnnxNode node) {
    OnnxGraph g;
    g.input("x", DType::float32, {"2", "3"});
    for (const char* name : {"s", "b", "m", "v"}) g.input(name, DType::float32, {"3"});
    return OnnxModel(g.node(node).output("y")).opset(opset);
  };
  const std::vector<std::string> in{"x", "s", "b", "m", "v"};
  const auto graph = import_onnx(model(8, OnnxNode("BatchNormalization", in, {"y"}).set("spatial", 1).set("epsilon", 0.5f)));
  CHECK_FALSE(only(*graph, "BatchNormalization").attributes().has("spatial"));
  CHECK(only(*graph, "BatchNormalization").attributes().get_float("epsilon", 0) == 0.5f);
  CHECK(only(*import_onnx(model(9, OnnxNode("BatchNormalization", in, {"y", "", ""}))), "BatchNormalization").outputs().size() == 1);
  const auto places = import_onnx(model(8, OnnxNode("BatchNormalization", in, {"y"}).set("spatial", 0)));
  const Node& flat = only(*places, "BatchNormalization");
  CHECK_FALSE(flat.attributes().has("spatial"));
  CHECK(places->node(flat.inputs()[0].node).op() == "Flatten");
  for (size_t i = 1; i < 5; ++i) CHECK(places->node(flat.inputs()[i].node).op() == "Reshape");
  CHECK(places->node(places->outputs()[0].node).op() == "Reshape");
  const auto trained = import_onnx(model(9, OnnxNode("BatchNormalization", in, {"y", "m2", "", "", ""})));
  CHECK(only(*trained, "BatchNormalization").attributes().get_int("training_mode", 0) == 1);
  CHECK(only(*trained, "BatchNormalization").outputs().size() == 2);
  CHECK_THAT(import_error(model(9, OnnxNode("BatchNormalization", in, {"y", "m2", "v2", "saved"}))), Contains("saved_mean"));
}

TEST_CASE("Dropout 7: the ratio becomes an input", "[import][CR-1]") {
  const auto graph = one_node(7, OnnxNode("Dropout", {"x"}, {"y"}).set("ratio", 0.25f));
  CHECK(numbers(*graph, only(*graph, "Dropout"), 1) == Numbers{0.25});
  CHECK(only(*graph, "Dropout").inputs().size() == 2);
}

TEST_CASE("Dropout 7: the mask has the data's dtype", "[import][CR-1]") {
  const auto with_mask = [](int64_t opset) {
    OnnxGraph g;
    g.input("x", DType::float32, {"2"}).node(OnnxNode("Dropout", {"x"}, {"y", "mask"})).node(OnnxNode("Identity", {"mask"}, {"z"}));
    return import_onnx(OnnxModel(g.output("y").output("z")).opset(opset));
  };
  const auto old = with_mask(9), newer = with_mask(10);
  const Node& cast = only(*old, "CastLike");
  CHECK(old->node(cast.inputs()[0].node).op() == "Dropout");
  CHECK(cast.inputs()[0].index == 1);
  CHECK(old->node(only(*old, "Identity").inputs()[0].node).op() == "CastLike");
  CHECK(newer->node(only(*newer, "Identity").inputs()[0].node).op() == "Dropout");
}

TEST_CASE("attributes of the wrong kind are findings of the upgrade", "[import][CR-1]") {
  CHECK_THROWS_WITH(one_node(9, OnnxNode("Clip", {"x"}, {"y"}).name("c").set("min", "low")), Contains("node 'c' (Clip)") && Contains("kind string, expected float"));
  CHECK_THROWS_WITH(one_node(9, OnnxNode("Slice", {"x"}, {"y"}).set("starts", 1).set("ends", Ints{1})), Contains("kind int, expected ints"));
}
