#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

static Tensor floats(std::vector<float> values) { return Tensor::from<float>(DType::float32, {static_cast<int64_t>(values.size())}, values); }

static std::vector<std::string> input_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const NodeId id : graph.inputs()) names.push_back(graph.node(id).outputs()[0].name);
  return names;
}

// x ──► If(c) { If(d) { x + w } { y } } { y }    w is an initializer, y = Relu(x), all of the root
TEST_CASE("values captured through two levels become inputs at each, constants become constants", "[import][CR-1]") {
  OnnxGraph add("add"), pass("pass"), outer_then("outer_then"), outer_else("outer_else"), g("root");
  add.node(OnnxNode("Add", {"x", "w"}, {"s"})).output("s");
  pass.node(OnnxNode("Identity", {"y"}, {"p"})).output("p");
  outer_then.node(OnnxNode("If", {"d"}, {"i"}).name("inner").set("then_branch", add).set("else_branch", pass)).output("i");
  outer_else.node(OnnxNode("Identity", {"y"}, {"e"})).output("e");
  g.input("x", DType::float32, {"2"}).input("c", DType::boolean, {}).input("d", DType::boolean, {}).initializer("w", floats({1, 2}));
  g.node(OnnxNode("If", {"c"}, {"z"}).name("outer").set("then_branch", outer_then).set("else_branch", outer_else));
  g.node(OnnxNode("Relu", {"x"}, {"y"})).output("z");  // after its reader: captures count when nodes are sorted
  const auto graph = import_onnx(OnnxModel(g).opset(16));

  const Node& outer = only(*graph, "If");
  REQUIRE(outer.inputs().size() == 4);  // c, then captures: d, y, x
  CHECK(outer.inputs()[1] == graph->node(graph->inputs()[2]).output());
  CHECK(outer.inputs()[2] == only(*graph, "Relu").output());
  CHECK(outer.inputs()[3] == graph->node(graph->inputs()[0]).output());
  REQUIRE(outer.subgraphs().size() == 2);
  const Graph& then_graph = graph->subgraph(outer.subgraphs()[0]);
  const Graph& else_graph = graph->subgraph(outer.subgraphs()[1]);
  CHECK(input_names(then_graph) == std::vector<std::string>{"d", "y", "x"});
  CHECK(input_names(else_graph) == std::vector<std::string>{"d", "y", "x"});  // both branches take all captures

  const Node& inner = only(then_graph, "If");
  REQUIRE(inner.inputs().size() == 3);
  CHECK(inner.inputs()[0] == then_graph.node(then_graph.inputs()[0]).output());
  CHECK(inner.inputs()[1] == then_graph.node(then_graph.inputs()[2]).output());
  CHECK(inner.inputs()[2] == then_graph.node(then_graph.inputs()[1]).output());
  const Graph& add_graph = graph->subgraph(inner.subgraphs()[0]);
  CHECK(input_names(add_graph) == std::vector<std::string>{"x", "y"});
  const Node& sum = only(add_graph, "Add");
  const Tensor* w = add_graph.constant_value(sum.inputs()[1]);
  REQUIRE(w != nullptr);
  CHECK(*w == floats({1, 2}));
  CHECK(count_ops(then_graph, "Const") == 0);
}

TEST_CASE("branches of constants alone capture nothing", "[import][CR-1]") {
  OnnxGraph a("a"), b("b"), g;
  a.node(OnnxNode("Constant", {}, {"ka"}).set("value", floats({1}))).output("ka");
  b.initializer("kb", floats({2})).output("kb");
  g.input("c", DType::boolean, {});
  g.node(OnnxNode("If", {"c"}, {"z"}).set("then_branch", a).set("else_branch", b)).output("z");
  const auto graph = import_onnx(OnnxModel(g).opset(13));
  const Node& node = only(*graph, "If");
  CHECK(node.inputs().size() == 1);
  const Graph& then_graph = graph->subgraph(node.subgraphs()[0]);
  const Graph& else_graph = graph->subgraph(node.subgraphs()[1]);
  CHECK(*then_graph.constant_value(then_graph.outputs()[0]) == floats({1}));
  CHECK(*else_graph.constant_value(else_graph.outputs()[0]) == floats({2}));
}

TEST_CASE("a Constant node of an outer scope shares its bytes with its copies", "[import][CR-1]") {
  OnnxGraph a("a"), b("b"), g;
  a.node(OnnxNode("Relu", {"k"}, {"r"})).output("r");
  b.node(OnnxNode("Neg", {"k"}, {"n"})).output("n");
  g.input("c", DType::boolean, {}).node(OnnxNode("Constant", {}, {"k"}).set("value", floats({1, -1})));
  g.node(OnnxNode("If", {"c"}, {"z"}).set("then_branch", a).set("else_branch", b)).output("z").output("k");
  const auto graph = import_onnx(OnnxModel(g).opset(13));
  const Node& node = only(*graph, "If");
  CHECK(node.inputs().size() == 1);
  const auto bytes_in = [&](GraphId id, const char* op) {
    const Graph& sub = graph->subgraph(id);
    return sub.constant_value(only(sub, op).inputs()[0])->bytes().data();
  };
  const std::byte* root = graph->constant_value(graph->outputs()[1])->bytes().data();
  CHECK(bytes_in(node.subgraphs()[0], "Relu") == root);
  CHECK(bytes_in(node.subgraphs()[1], "Neg") == root);
}

TEST_CASE("a Loop gets its captures after its carried values", "[import][CR-1]") {
  OnnxGraph body("body"), g;
  body.input("i", DType::int64, {}).input("go", DType::boolean, {}).input("acc", DType::float32, {"2"});
  body.node(OnnxNode("Add", {"acc", "x"}, {"next"})).node(OnnxNode("Identity", {"go"}, {"again"})).node(OnnxNode("Identity", {"next"}, {"row"}));
  body.output("again").output("next").output("row");
  g.input("x", DType::float32, {"2"}).input("n", DType::int64, {});
  g.node(OnnxNode("Loop", {"n", "", "x"}, {"last", "rows"}).set("body", body)).output("last").output("rows");
  const auto graph = import_onnx(OnnxModel(g).opset(13));
  const Node& loop = only(*graph, "Loop");
  REQUIRE(loop.inputs().size() == 4);
  CHECK_FALSE(loop.inputs()[1]);
  CHECK(loop.inputs()[3] == graph->node(graph->inputs()[0]).output());
  CHECK(loop.attributes().need_int("_carried") == 1);
  const Graph& body_graph = graph->subgraph(loop.subgraphs()[0]);
  CHECK(input_names(body_graph) == std::vector<std::string>{"i", "go", "acc", "x"});
  CHECK(body_graph.outputs().size() == 3);
}

TEST_CASE("subgraphs that do not fit their node are reported", "[import][CR-1]") {
  OnnxGraph none("none"), two("two"), body("body"), g;
  none.node(OnnxNode("Relu", {"x"}, {"r"})).output("r");
  two.input("in", DType::float32, {}).node(OnnxNode("Relu", {"x"}, {"r"})).output("r").output("r");
  body.input("i", DType::int64, {}).output("i");
  g.input("x", DType::float32, {"2"}).input("c", DType::boolean, {});
  g.node(OnnxNode("If", {"c"}, {"z"}).name("branch").set("then_branch", none).set("else_branch", two));
  g.node(OnnxNode("Loop", {"", "c", "x"}, {"l"}).name("loop").set("body", body)).output("z").output("l");
  const std::string error = import_error(OnnxModel(g).opset(13));
  CHECK_THAT(error, Contains("node 'branch' (If): its else_branch has 1 inputs, expected 0"));
  CHECK_THAT(error, Contains("node 'branch' (If): its then_branch has 1 outputs, expected 2"));
  CHECK_THAT(error, Contains("node 'loop' (Loop): its body has 1 inputs, expected 3"));
  CHECK_THAT(error, Contains("node 'loop' (Loop): its body has 1 outputs, expected at least 2"));
}
