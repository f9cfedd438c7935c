#include "ge/ops/schema.hpp"
#include "import/onnx_writer.hpp"
#include "passes/graph_case.hpp"
#include "support/catch.hpp"

// Upgrades of ops that may not be linked in: each case asks first.
using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

static bool linked(const char* op) {
  if (find_schema("", op) != nullptr) return true;
  WARN(std::string("skipped: op ") + op + " is not linked in");
  return false;
}

TEST_CASE("RoiAlign 10 keeps its old coordinates", "[import][CR-1]") {
  if (!linked("RoiAlign")) return;
  OnnxGraph g;
  g.input("x", DType::float32, {"1", "1", "4", "4"}).input("r", DType::float32, {"1", "4"}).input("i", DType::int64, {"1"});
  g.node(OnnxNode("RoiAlign", {"x", "r", "i"}, {"y"})).output("y");
  const auto old_form = import_onnx(OnnxModel(g).opset(10));
  CHECK(only(*old_form, "RoiAlign").attributes().get_string("coordinate_transformation_mode", "") == "output_half_pixel");
  const auto new_form = import_onnx(OnnxModel(g).opset(16));
  CHECK_FALSE(only(*new_form, "RoiAlign").attributes().has("coordinate_transformation_mode"));
}

TEST_CASE("GridSample 16: modes are renamed", "[import][CR-1]") {
  if (!linked("GridSample")) return;
  const auto mode = [](OnnxNode node) {
    OnnxGraph g;
    g.input("x", DType::float32, {"1", "1", "4", "4"}).input("p", DType::float32, {"1", "2", "2", "2"}).node(node).output("y");
    return only(*import_onnx(OnnxModel(g).opset(16)), "GridSample").attributes().get_string("mode", "");
  };
  CHECK(mode(OnnxNode("GridSample", {"x", "p"}, {"y"})) == "linear");
  CHECK(mode(OnnxNode("GridSample", {"x", "p"}, {"y"}).set("mode", "bicubic")) == "cubic");
  CHECK(mode(OnnxNode("GridSample", {"x", "p"}, {"y"}).set("mode", "nearest")) == "nearest");
}

TEST_CASE("Scatter becomes ScatterElements", "[import][CR-1]") {
  if (!linked("ScatterElements")) return;
  OnnxGraph g;
  g.input("x", DType::float32, {"4"}).input("i", DType::int64, {"2"}).input("u", DType::float32, {"2"});
  g.node(OnnxNode("Scatter", {"x", "i", "u"}, {"y"}).set("axis", 0)).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(10));
  CHECK(only(*graph, "ScatterElements").attributes().need_int("axis") == 0);
}

TEST_CASE("GridSample 22 keeps its modes", "[import][CR-1]") {
  const auto graph = [](const char* mode, int64_t opset) {
    OnnxGraph g;
    g.input("x", DType::float32, {"1", "1", "4"}).input("p", DType::float32, {"1", "2", "1"}).node(OnnxNode("GridSample", {"x", "p"}, {"y"}).set("mode", mode)).output("y");
    return OnnxModel(g).opset(opset);
  };
  CHECK(only(*import_onnx(graph("cubic", 22)), "GridSample").attributes().get_string("mode", "") == "cubic");
}

TEST_CASE("ImageDecoder is refused by what it does", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::uint8, {"n"}).node(OnnxNode("ImageDecoder", {"x"}, {"y"}).name("read")).output("y");
  CHECK_THAT(import_error(OnnxModel(g).opset(20)), Contains("node 'read' (ImageDecoder): decodes images") && Contains("make the pixels an input"));
}

TEST_CASE("DFT 17: the axis becomes an input", "[import][CR-1]") {
  if (!linked("DFT")) return;
  OnnxGraph g;
  g.input("x", DType::float32, {"1", "8", "1"}).node(OnnxNode("DFT", {"x"}, {"y"})).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(17));
  const Node& dft = only(*graph, "DFT");
  REQUIRE(dft.inputs().size() == 3);
  CHECK_FALSE(dft.inputs()[1]);
  CHECK(*graph->constant_value(dft.inputs()[2]) == Tensor::scalar(1));
}

TEST_CASE("GroupNormalization of opset 18 gets its scale and bias by channel", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float32, {"1", "C"}).input("s", DType::float32, {"2"}).input("b", DType::float32, {"2"});
  g.node(OnnxNode("GroupNormalization", {"x", "s", "b"}, {"y"}).name("gn").set("num_groups", 2)).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(18));
  const Node& norm = only(*graph, "GroupNormalization");
  for (size_t i : {1, 2}) CHECK(testing::text(*graph, norm.inputs()[i]).starts_with("Reshape(Expand(Unsqueeze("));
  CHECK(count_ops(*import_onnx(OnnxModel(g).opset(21)), "Expand") == 0);
}

TEST_CASE("a mask of Attention of opset 23 is stretched over past and present keys", "[import][CR-1]") {
  OnnxGraph g;
  for (const char* name : {"q", "k", "v", "pk", "pv"}) g.input(name, DType::float32, {"1", "1", "S", "4"});
  g.input("mask", DType::boolean, {"S", "1"});
  g.node(OnnxNode("Attention", {"q", "k", "v", "mask", "pk", "pv"}, {"y"})).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(23));
  CHECK(testing::text(*graph, only(*graph, "Attention").inputs()[3]) == "Expand(mask, Add(Shape(pk), Shape(k)))");
  CHECK(count_ops(*import_onnx(OnnxModel(g).opset(24)), "Expand") == 0);
}
