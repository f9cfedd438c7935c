// verify collects every finding, names the node, and never stops at the first.
#include "ge/graph/verify.hpp"

#include "ge/graph/bgl.hpp"
#include "ge/ops/schema.hpp"
#include "graph/any_op.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

std::string findings(const Graph& graph) {
  return error_of(ErrorCode::invalid_model, [&] { verify(graph); });
}

NodeId add(Graph& graph, std::string op, std::vector<OutputRef> inputs, std::string name, std::vector<GraphId> subgraphs = {}, size_t outputs = 1) {
  NodeSpec spec;
  spec.op = std::move(op);
  spec.name = std::move(name);
  spec.inputs = std::move(inputs);
  for (size_t i = 0; i < outputs; ++i) spec.outputs.push_back("t");
  spec.subgraphs = std::move(subgraphs);
  return graph.add_node(std::move(spec));
}

OpSchema any_op() {
  OpSchema schema;
  schema.variadic_in("inputs").variadic_out("outputs");
  schema.inputs.back().optional = true;
  schema.outputs.back().optional = true;
  return schema;
}

/// A subgraph that gives its inputs.
Graph& pass_through(Graph& graph, std::string name, size_t inputs) {
  Graph& sub = graph.add_subgraph(std::move(name));
  std::vector<OutputRef> refs;
  for (size_t i = 0; i < inputs; ++i) refs.push_back(float_input(sub, "c"));
  sub.set_outputs(refs, std::vector<std::string>(inputs, "o"));
  return sub;
}

/// x, p inputs.
struct Case {
  Graph graph{"g"};
  OutputRef x = float_input(graph, "x");
  OutputRef p = graph.add_input("p", {DType::boolean, Shape{}, std::nullopt});
};

}  // namespace

TEST_CASE("A sound graph with a branch and a loop has no findings", "[graph][CR-3]") {
  Case k;
  const GraphId then_id = pass_through(k.graph, "then", 1).id(), else_id = pass_through(k.graph, "else", 1).id();
  const NodeId branch = add(k.graph, "If", {k.p, k.x}, "if", {then_id, else_id});
  const NodeId loop = add(k.graph, "Loop", {OutputRef{}, k.p, k.x}, "loop", {pass_through(k.graph, "body", 3).id()}, 2);
  k.graph.set_attribute(loop, "_carried", int64_t{1});
  k.graph.set_outputs({{branch, 0}, {loop, 1}}, {"a", "b"});
  CHECK(findings(k.graph) == "");
}

TEST_CASE("Several findings come at once, each with its graph, node and op", "[graph][CR-3]") {
  Case k;
  add(k.graph, "NoSuchOp", {k.x}, "first");
  add(k.graph, "Add", {k.x}, "second");
  add(k.graph, "Relu", {k.x, k.x}, "third");
  add(k.graph, "Add", {k.x, OutputRef{}}, "fourth");
  add(k.graph, "Const", {}, "fifth");
  const std::string text = findings(k.graph);  // and no NetOutput
  CHECK_THAT(text, Contains("graph 'g' is not valid:"));
  CHECK_THAT(text, Contains("graph 'g': has no NetOutput: call set_outputs"));
  CHECK_THAT(text, Contains("graph 'g' node 'first' (NoSuchOp): op is not registered"));
  CHECK_THAT(text, Contains("node 'second' (Add): has 1 inputs, expected at least 2"));
  CHECK_THAT(text, Contains("node 'third' (Relu): has 2 inputs, expected at most 1"));
  CHECK_THAT(text, Contains("node 'fourth' (Add): input 1 (") && Contains("is missing"));
  CHECK_THAT(text, Contains("node 'fifth' (Const): has no tensor attribute 'value'"));
}

TEST_CASE("A long list of findings is cut and counted", "[graph][CR-10]") {
  Case k;
  k.graph.set_outputs({k.x}, {"out"});
  for (int i = 0; i < 60; ++i) add(k.graph, "NoSuchOp", {k.x}, "n");
  CHECK_THAT(findings(k.graph), Contains("and 10 more"));
}

TEST_CASE("Edges and slots that disagree are found, whatever is wrong with the edge", "[graph][CR-3]") {
  Case k;
  const NodeId a = add(k.graph, "Relu", {k.x}, "a"), b = add(k.graph, "Relu", {{a, 0}}, "b");
  k.graph.set_outputs({{b, 0}}, {"out"});
  REQUIRE(findings(k.graph) == "");
  auto& adjacency = k.graph.boost().adjacency;
  SECTION("an edge too many") { boost::add_edge(k.x.node.value, b.value, EdgeProperty{0, 0, EdgeKind::data}, adjacency); }
  SECTION("an edge to a slot that is not there") { boost::add_edge(k.x.node.value, b.value, EdgeProperty{0, 7, EdgeKind::data}, adjacency); }
  SECTION("an edge missing") { boost::remove_edge(a.value, b.value, adjacency); }
  SECTION("a control edge that the node does not know") { boost::add_edge(k.x.node.value, b.value, EdgeProperty{0, 0, EdgeKind::control}, adjacency); }
  SECTION("an edge from another node") {
    boost::remove_edge(a.value, b.value, adjacency);
    boost::add_edge(k.x.node.value, b.value, EdgeProperty{0, 0, EdgeKind::data}, adjacency);
  }
  SECTION("an edge that makes a cycle no slot knows of") {
    boost::add_edge(b.value, b.value, EdgeProperty{0, 0, EdgeKind::data}, adjacency);
    CHECK_THAT(findings(k.graph), Contains("has a cycle: 'b' -> 'b'"));
  }
  CHECK_THAT(findings(k.graph), Contains("node 'b' (Relu): edges and input slots disagree"));
}

TEST_CASE("A cycle is a finding beside the others", "[graph][CR-3]") {
  Case k;
  const NodeId a = add_any(k.graph, {k.x}, 1, "a"), b = add_any(k.graph, {{a, 0}}, 1, "b");
  add(k.graph, "NoSuchOp", {}, "c");
  k.graph.set_outputs({{b, 0}}, {"out"});
  Patch patch;
  patch.rewire({a, 0}, {b, 0});
  k.graph.apply(patch);
  CHECK_THAT(findings(k.graph), Contains("has a cycle: ") && Contains("NoSuchOp"));
}

TEST_CASE("Data nodes belong to the list of inputs, and there is one NetOutput", "[graph][CR-3]") {
  Case k;
  k.graph.set_outputs({k.x}, {"out"});
  add(k.graph, "Data", {}, "stray");
  add(k.graph, "NetOutput", {k.x}, "second", {}, 0);
  const std::string text = findings(k.graph);
  CHECK_THAT(text, Contains("node 'stray' (Data): is not in the graph's list of inputs"));
  CHECK_THAT(text, Contains("node 'second' (NetOutput): is a second NetOutput"));
}

TEST_CASE("A subgraph has one owner, exists, and findings inside it name it", "[graph][CR-1]") {
  Case k;
  Graph& sub = pass_through(k.graph, "sub", 0);
  add(sub, "NoSuchOp", {}, "inner");
  sub.set_outputs({{NodeId(1), 0}}, {"o"});
  add(k.graph, "If", {k.p}, "twice", {sub.id(), sub.id()});
  add(k.graph, "If", {k.p}, "nowhere", {GraphId(50), GraphId(51)});
  add(k.graph, "If", {k.p}, "none");
  k.graph.set_outputs({k.x}, {"out"});
  const std::string text = findings(k.graph);
  CHECK_THAT(text, Contains("node 'twice' (If): subgraph 0 has another owner already"));
  CHECK_THAT(text, Contains("node 'nowhere' (If): subgraph 50 does not exist"));
  CHECK_THAT(text, Contains("node 'none' (If): has 0 subgraphs, expected 2"));
  CHECK_THAT(text, Contains("graph 'sub' node 'inner' (NoSuchOp)"));
}

TEST_CASE("A subgraph that owns itself is a finding, not an endless walk", "[graph][CR-10]") {
  Case k;
  Graph& sub = pass_through(k.graph, "sub", 1);
  add(sub, "If", {{NodeId(0), 0}}, "own", {sub.id(), sub.id()});
  add(k.graph, "If", {k.p, k.x}, "if", {sub.id(), pass_through(k.graph, "else", 1).id()});
  k.graph.set_outputs({k.x}, {"out"});
  CHECK_THAT(findings(k.graph), Contains("node 'own' (If): subgraph 0 has another owner already"));
}

TEST_CASE("Subgraphs of removed nodes are not looked at", "[graph][CR-3]") {
  Case k;
  Graph& sub = pass_through(k.graph, "sub", 0);
  add(sub, "NoSuchOp", {}, "inner");
  const NodeId branch = add(k.graph, "If", {k.p}, "if", {sub.id(), pass_through(k.graph, "else", 0).id()}, 0);
  k.graph.set_outputs({k.x}, {"out"});
  REQUIRE_THAT(findings(k.graph), Contains("NoSuchOp"));
  Patch patch;
  patch.remove(branch);
  k.graph.apply(patch);
  CHECK(k.graph.node(branch).subgraphs().empty());
  CHECK(findings(k.graph) == "");
}

TEST_CASE("Branches and bodies must fit their owner", "[graph][CR-1]") {
  Case k;
  const GraphId one = pass_through(k.graph, "one", 1).id(), two = pass_through(k.graph, "two", 2).id();
  add(k.graph, "If", {k.p, k.x}, "if", {one, two});
  add(k.graph, "Loop", {OutputRef{}, k.p, k.x}, "no_mark", {pass_through(k.graph, "body", 3).id()}, 2);
  const NodeId loop = add(k.graph, "Loop", {OutputRef{}, k.p, k.x}, "loop", {pass_through(k.graph, "short", 2).id()}, 3);
  k.graph.set_attribute(loop, "_carried", int64_t{1});
  k.graph.set_outputs({k.x}, {"out"});
  const std::string text = findings(k.graph);
  CHECK_THAT(text, Contains("node 'if' (If): branch 'two' takes 2 values, is given 1"));
  CHECK_THAT(text, Contains("node 'if' (If): branch 'two' gives 2 values, expected 1"));
  CHECK_THAT(text, Contains("node 'no_mark' (Loop): has no attribute '_carried'"));
  CHECK_THAT(text, Contains("node 'loop' (Loop): body 'short' takes 2 values, is given 3"));
  CHECK_THAT(text, Contains("node 'loop' (Loop): body 'short' gives 2 values, expected 4"));
}

REGISTER_OP("test", "Any", 1, "for tests: takes and gives any number of values", any_op());
