#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

TEST_CASE("nodes, tensor names and declared shapes come through", "[import][CR-1]") {
  OnnxGraph g("net");
  g.input("x", DType::float32, {"N", "3", "", ""}).input("m", DType::int64, {"N", ""}).input_unknown_rank("u", DType::float32);
  g.initializer("w", Tensor::from<float>(DType::float32, {1}, std::vector<float>{2}));
  g.node(OnnxNode("Mul", {"x", "w"}, {"y"}).name("scale")).node(OnnxNode("Relu", {"y"}, {"z"})).node(OnnxNode("Relu", {"u"}, {"v"}));
  g.output("z").output("v").output("x").output("w");
  const auto graph = import_onnx(OnnxModel(g).opset(13));

  CHECK(graph->name() == "net");
  CHECK(std::vector<std::string>(graph->output_names().begin(), graph->output_names().end()) == std::vector<std::string>{"z", "v", "x", "w"});
  const Node& mul = only(*graph, "Mul");
  CHECK(mul.name() == "scale");
  CHECK(mul.outputs()[0].name == "y");
  CHECK(graph->node(graph->outputs()[0].node).name() == "Relu_0");
  CHECK(graph->node(graph->outputs()[1].node).name() == "Relu_1");
  CHECK(graph->outputs()[2] == graph->node(graph->inputs()[0]).output());
  REQUIRE(graph->constant_value(graph->outputs()[3]) != nullptr);
  CHECK(graph->constant_value(graph->outputs()[3])->at<float>(0) == 2.0f);

  const Shape& x = *graph->type({graph->inputs()[0], 0}).shape;
  const Shape& m = *graph->type({graph->inputs()[1], 0}).shape;
  CHECK(x[0] == m[0]);  // one dim_param is one symbol
  CHECK(x[1].is_constant(3));
  CHECK(x[2] != x[3]);  // unnamed dims are distinct symbols
  CHECK(x[2] != m[1]);
  CHECK(graph->type({graph->inputs()[1], 0}).dtype == DType::int64);
  CHECK_FALSE(graph->type({graph->inputs()[2], 0}).shape.has_value());
}

TEST_CASE("negative dims are symbols, zero is a size", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float32, {"-1", "0"}).node(OnnxNode("Relu", {"x"}, {"y"})).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(13));
  const Shape& shape = *graph->type({graph->inputs()[0], 0}).shape;
  CHECK(shape[0].is_symbol());
  CHECK(shape[1].is_constant(0));
}

TEST_CASE("a dim named without a letter is unnamed: exporters write '?' for every dim that they do not know", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float32, {"?", "?", "*", "*", "N1", "N1"}).node(OnnxNode("Relu", {"x"}, {"y"})).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(13));
  const Shape& shape = *graph->type({graph->inputs()[0], 0}).shape;
  CHECK(shape[0] != shape[1]);
  CHECK(shape[2] != shape[3]);
  CHECK(to_string(shape) == "[x_0, x_1, x_2, x_3, N1, N1]");
}

TEST_CASE("an initializer that is listed as an input is a constant", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float32, {"2"}).input("w", DType::float32, {"2"});
  g.initializer("w", Tensor::from<float>(DType::float32, {2}, std::vector<float>{1, 2}));
  g.node(OnnxNode("Add", {"x", "w"}, {"y"})).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(7));
  CHECK(graph->inputs().size() == 1);
  CHECK(graph->constant_value(only(*graph, "Add").inputs()[1]) != nullptr);
}

TEST_CASE("Constant nodes of every attribute become constants", "[import][CR-1]") {
  OnnxGraph g;
  g.node(OnnxNode("Constant", {}, {"a"}).set("value", Tensor::scalar(7)));
  g.node(OnnxNode("Constant", {}, {"b"}).set("value_int", 8));
  g.node(OnnxNode("Constant", {}, {"c"}).set("value_ints", std::vector<int64_t>{1, 2}));
  g.node(OnnxNode("Constant", {}, {"d"}).set("value_float", 0.5f));
  g.node(OnnxNode("Constant", {}, {"e"}).set("value_floats", std::vector<float>{1, 2, 3}));
  g.node(OnnxNode("Constant", {}, {"f"}).set("value_string", "text"));
  g.node(OnnxNode("Constant", {}, {"h"}).set("value_strings", std::vector<std::string>{"p", "q"}));
  for (const char* name : {"a", "b", "c", "d", "e", "f", "h"}) g.output(name);
  const auto graph = import_onnx(OnnxModel(g).opset(13));
  const auto value = [&](size_t i) { return *graph->constant_value(graph->outputs()[i]); };
  CHECK(count_ops(*graph, "Constant") == 0);
  CHECK(value(0) == Tensor::scalar(7));
  CHECK(value(1) == Tensor::scalar(8));
  CHECK(value(2) == Tensor::ints(std::vector<int64_t>{1, 2}));
  CHECK(value(3) == Tensor::from<float>(DType::float32, {}, std::vector<float>{0.5f}));
  CHECK(value(4) == Tensor::from<float>(DType::float32, {3}, std::vector<float>{1, 2, 3}));
  CHECK(value(5) == Tensor::strings({}, {"text"}));
  CHECK(value(6) == Tensor::strings({2}, {"p", "q"}));
}

TEST_CASE("nodes in any order are sorted, absent inputs stay absent", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float32, {"4"});
  g.initializer("hi", Tensor::from<float>(DType::float32, {}, std::vector<float>{6}));
  g.node(OnnxNode("Clip", {"y", "", "hi"}, {"z"})).node(OnnxNode("Relu", {"x"}, {"y"})).output("z");
  const auto graph = import_onnx(OnnxModel(g).opset(13));
  const Node& clip = only(*graph, "Clip");
  REQUIRE(clip.inputs().size() == 3);
  CHECK(clip.inputs()[0] == only(*graph, "Relu").output());
  CHECK_FALSE(clip.inputs()[1]);
}

TEST_CASE("input shapes given as options replace declared ones", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float32, {"N", "3", ""}).input("h", DType::float32, {"N", ""}).input_unknown_rank("u", DType::float32);
  g.node(OnnxNode("Relu", {"x"}, {"y"})).node(OnnxNode("Relu", {"h"}, {"k"})).node(OnnxNode("Relu", {"u"}, {"v"})).output("y").output("k").output("v");
  const OnnxModel model = OnnxModel(g).opset(13);
  const auto graph = import_onnx(model, {{{"x", {2, 3, -1}}, {"u", {-1, 5}}}});
  const auto shape = [&](size_t i) { return *graph->type({graph->inputs()[i], 0}).shape; };
  CHECK(shape(0)[0].is_constant(2));
  CHECK(shape(0)[2].is_symbol());
  CHECK(shape(1)[0].is_constant(2));  // the same dim_param
  CHECK(shape(2).size() == 2);
  CHECK(shape(2)[0].is_symbol());
  CHECK(shape(2)[1].is_constant(5));

  CHECK_THAT(import_error(model, {{{"x", {2, 3}}}}), Contains("'x'") && Contains("rank 2") && Contains("rank 3"));
  CHECK_THAT(import_error(model, {{{"x", {2, 4, 5}}}}), Contains("dim 1 is 4") && Contains("[N, 3, ?]"));
  CHECK_THAT(import_error(model, {{{"x", {2, 3, 5}}, {"h", {4, 1}}}}), Contains("N") && Contains("'h' gives 4"));
  CHECK_THAT(import_error(model, {{{"q", {1}}}}), Contains("no such input") && Contains("'x' 'h' 'u'"));
  CHECK_THAT(import_error(model, {{{"x", {-2, 3, 1}}}}), Contains("dim -2"));
}

TEST_CASE("an output without a name is absent only where the op calls it optional", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float32, {"6"});
  g.initializer("k", Tensor::from<int64_t>(DType::int64, {1}, std::vector<int64_t>{2}));
  g.node(OnnxNode("Split", {"x"}, {"", "b", ""}).set("num_outputs", int64_t{3}).name("cut"));
  g.node(OnnxNode("TopK", {"x", "k"}, {"", "i"})).node(OnnxNode("Unique", {"x"}, {"u", "", "j"})).output("b").output("i").output("u").output("j");
  const auto graph = import_onnx(OnnxModel(g).opset(18));
  const auto there = [&](const char* op) {
    std::vector<bool> found;
    for (const auto& output : only(*graph, op).outputs()) found.push_back(!output.name.empty());
    return found;
  };
  CHECK(there("Split") == std::vector<bool>{true, true, true});
  CHECK(there("TopK") == std::vector<bool>{true, true});
  CHECK(there("Unique") == std::vector<bool>{true, false, true});
  CHECK(only(*graph, "Split").outputs()[1].name == "b");
}
