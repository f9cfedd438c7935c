#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

static OnnxGraph calls(std::vector<OnnxNode> nodes, const std::string& output) {
  OnnxGraph g;
  g.input("x", DType::float32, {"2"});
  for (const OnnxNode& node : nodes) g.node(node);
  return g.output(output);
}

// f(a) = Relu(Neg(a)), called twice
TEST_CASE("calls of model-local functions become their nodes, with names of their own", "[import][CR-1]") {
  OnnxFunction f("local", "f", {"a"}, {"b"});
  f.node(OnnxNode("Neg", {"a"}, {"t"}).name("neg")).node(OnnxNode("Relu", {"t"}, {"b"})).opset(13);
  const auto graph = import_onnx(OnnxModel(calls({OnnxNode("f", {"x"}, {"t"}, "local").name("one"), OnnxNode("f", {"t"}, {"y"}, "local").name("two")}, "y"))
                                     .opset(13).opset(1, "local").function(f));
  CHECK(count_ops(*graph, "Neg") == 2);
  CHECK(count_ops(*graph, "Relu") == 2);
  const Node& last = graph->node(graph->outputs()[0].node);
  CHECK(last.op() == "Relu");
  const Node& neg = graph->node(last.inputs()[0].node);
  CHECK(neg.name() == "two/neg");
  CHECK(neg.outputs()[0].name == "two@t");
  CHECK(graph->node(neg.inputs()[0].node).op() == "Relu");
}

TEST_CASE("functions are read at their own opset", "[import][CR-1]") {
  OnnxFunction f("local", "f", {"a"}, {"b"});
  f.node(OnnxNode("Clip", {"a"}, {"b"}).set("max", 6.0f)).opset(9);
  const auto graph = import_onnx(OnnxModel(calls({OnnxNode("f", {"x"}, {"y"}, "local")}, "y")).opset(18).function(f));
  CHECK(only(*graph, "Clip").inputs().size() == 3);
}

TEST_CASE("attribute references take the call's value, then the default, then nothing", "[import][CR-1]") {
  OnnxFunction f("local", "f", {"a"}, {"b", "c", "d"});
  f.attribute("alpha").default_attribute(OnnxNode::start("beta", 1).float32(2, 0.25f)).opset(16);
  f.node(OnnxNode("LeakyRelu", {"a"}, {"b"}).refer("alpha", "alpha", 1)).node(OnnxNode("LeakyRelu", {"a"}, {"c"}).refer("alpha", "beta", 1));
  f.node(OnnxNode("LeakyRelu", {"a"}, {"d"}).refer("alpha", "gamma", 1));
  OnnxGraph g = calls({OnnxNode("f", {"x"}, {"p", "q", "r"}, "local").set("alpha", 0.5f)}, "p");
  const auto graph = import_onnx(OnnxModel(g.output("q").output("r")).opset(16).function(f));
  const auto alpha = [&](size_t i) { return graph->node(graph->outputs()[i].node).attributes().get_float("alpha", -1); };
  CHECK(alpha(0) == 0.5f);
  CHECK(alpha(1) == 0.25f);
  CHECK(alpha(2) == -1);
}

TEST_CASE("functions call functions, capture nothing, and pass inputs on", "[import][CR-1]") {
  OnnxFunction inner("local", "inner", {"a", "unused"}, {"a", "n"}), outer("local", "outer", {"a"}, {"u", "v"});
  inner.node(OnnxNode("Neg", {"a"}, {"n"})).opset(13);
  outer.node(OnnxNode("inner", {"a"}, {"u", "v"}, "local")).opset(13);
  OnnxGraph g = calls({OnnxNode("outer", {"x"}, {"y", "z"}, "local")}, "y");
  const auto graph = import_onnx(OnnxModel(g.output("z")).opset(13).function(inner).function(outer));
  CHECK(only(*graph, "Identity").inputs()[0] == graph->node(graph->inputs()[0]).output());
  CHECK(graph->outputs()[0] == only(*graph, "Identity").output());
  CHECK(graph->outputs()[1] == only(*graph, "Neg").output());
}

TEST_CASE("subgraphs in functions see the function's values", "[import][CR-1]") {
  OnnxGraph then_graph("t"), else_graph("e");
  then_graph.node(OnnxNode("Relu", {"n"}, {"r"})).output("r");
  else_graph.node(OnnxNode("Identity", {"a"}, {"r"})).output("r");
  OnnxFunction f("local", "f", {"a", "c"}, {"b"});
  f.node(OnnxNode("Neg", {"a"}, {"n"})).node(OnnxNode("If", {"c"}, {"b"}).set("then_branch", then_graph).set("else_branch", else_graph)).opset(13);
  OnnxGraph g;
  g.input("x", DType::float32, {"2"}).input("k", DType::boolean, {}).node(OnnxNode("f", {"x", "k"}, {"y"}, "local")).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(13).function(f));
  const Node& branch = only(*graph, "If");
  REQUIRE(branch.inputs().size() == 3);
  CHECK(branch.inputs()[1] == only(*graph, "Neg").output());
  CHECK(branch.inputs()[2] == graph->node(graph->inputs()[0]).output());
}

TEST_CASE("recursive and exploding functions are refused", "[import][CR-1][CR-10]") {
  OnnxFunction f("local", "f", {"a"}, {"b"}), g("local", "g", {"a"}, {"b"});
  f.node(OnnxNode("g", {"a"}, {"b"}, "local").name("to_g")).opset(13);
  g.node(OnnxNode("f", {"a"}, {"b"}, "local").name("to_f")).opset(13);
  CHECK_THAT(import_error(OnnxModel(calls({OnnxNode("f", {"x"}, {"y"}, "local")}, "y")).opset(13).function(f).function(g)),
             Contains("to_f") && Contains("recursive"));

  OnnxModel model(calls({OnnxNode("f0", {"x"}, {"y"}, "local")}, "y"));
  for (int i = 0; i < 40; ++i) {
    const std::string next = "f" + std::to_string(i + 1);
    OnnxFunction level("local", "f" + std::to_string(i), {"a"}, {"b"});
    level.node(OnnxNode(i < 39 ? next : "Neg", {"a"}, {"t"}, i < 39 ? "local" : "")).node(OnnxNode(i < 39 ? next : "Neg", {"t"}, {"b"}, i < 39 ? "local" : ""));
    model.function(level.opset(13));
  }
  CHECK_THAT(import_error(model.opset(13)), Contains("unfolds into far more than its file holds"));
}

TEST_CASE("calls that do not fit their function are reported", "[import][CR-1]") {
  OnnxFunction f("local", "f", {"a"}, {"b"});
  f.node(OnnxNode("Neg", {"a"}, {"b"})).opset(13);
  CHECK_THAT(import_error(OnnxModel(calls({OnnxNode("f", {"x", "x"}, {"y"}, "local").name("call")}, "y")).opset(13).function(f)),
             Contains("node 'call' (local::f) has 2 inputs") || Contains("node 'call' (local::f): has 2 inputs and 1 outputs, its function takes 1 and gives 1"));
}
