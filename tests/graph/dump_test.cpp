#include "ge/graph/dump.hpp"

#include "graph/any_op.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

struct Case {
  Graph graph{"net"};
  Expr n = graph.symbols().symbol("N");
  OutputRef x = graph.add_input("x", {DType::float32, Shape{n, graph.symbols().constant(3)}, std::nullopt});
  OutputRef relu;
  Case() {
    NodeSpec spec{.op = "Relu", .name = "relu_1", .domain = {}, .attributes = {}, .inputs = {x}, .outputs = {"y"}, .subgraphs = {}};
    spec.attributes.set("group", int64_t{2});
    relu = {graph.add_node(std::move(spec)), 0};
    graph.set_type(relu, graph.type(x));
  }
};

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("Text has a line per node: outputs with types, op, inputs, attributes, name", "[graph][CR-8]") {
  Case k;
  k.graph.set_outputs({k.relu}, {"out"});
  CHECK(to_text(k.graph) ==
        "graph 'net'\n"
        "  %x float32[N, 3] = Data()  'x'\n"
        "  %y float32[N, 3] = Relu(%x) group=2  'relu_1'\n"
        "  NetOutput(%y)  'net.NetOutput'\n");
}

TEST_CASE("Text shows absent inputs, unnamed outputs, domains and control edges", "[graph][CR-8]") {
  Case k;
  NodeSpec spec{.op = "Odd", .name = "odd", .domain = "my.domain", .attributes = {}, .inputs = {k.x, OutputRef{}}, .outputs = {"p", ""}, .subgraphs = {}};
  const NodeId odd = k.graph.add_node(std::move(spec));
  k.graph.add_control_edge(k.relu.node, odd);
  k.graph.add_control_edge(k.x.node, odd);
  k.graph.set_outputs({{odd, 1}}, {"out"});
  const std::string text = to_text(k.graph);
  CHECK_THAT(text, Contains("%p ") && Contains(", %odd:1 ") && Contains(" = my.domain::Odd(%x, -)  'odd' after 'relu_1', 'x'\n"));
  CHECK_THAT(text, Contains("NetOutput(%odd:1)"));
}

TEST_CASE("Text indents subgraphs below their owner and leaves removed nodes out", "[graph][CR-8]") {
  Case k;
  Graph& sub = k.graph.add_subgraph("then");
  sub.set_outputs({float_input(sub, "c")}, {"o"});
  k.graph.add_node({.op = "If", .name = "if", .domain = {}, .attributes = {}, .inputs = {k.x, k.x}, .outputs = {"r"}, .subgraphs = {sub.id()}});
  Patch patch;
  patch.remove(k.relu.node);
  k.graph.apply(patch);
  const std::string text = to_text(k.graph);
  CHECK_THAT(text, Contains("= If(%x, %x)  'if'\n    subgraph 'then':\n      %c float32[] = Data()  'c'\n      NetOutput(%c)"));
  CHECK_THAT(text, !Contains("relu_1"));
}

TEST_CASE("A graph with a cycle can be shown", "[graph][CR-8]") {
  Case k;
  Patch patch;
  patch.rewire({k.relu.node, 0}, k.relu);
  k.graph.apply(patch);
  CHECK_THAT(to_text(k.graph), Contains("= Relu(%y)"));
  CHECK_THAT(to_dot(k.graph), Contains("gr_1 -> gr_1"));
}

TEST_CASE("DOT has every node, an edge per slot with its type, control edges dashed", "[graph][CR-8]") {
  Case k;
  const NodeId square = add_any(k.graph, {k.relu, k.relu}, 1, "square");
  k.graph.add_control_edge(k.x.node, square);
  k.graph.set_outputs({{square, 0}}, {"out"});
  const std::string dot = to_dot(k.graph);
  CHECK(dot.starts_with("digraph \"net\" {\n"));
  CHECK(dot.ends_with("}\n"));
  CHECK_THAT(dot, Contains("gr_0 [label=\"Data\nx\"];") && Contains("gr_1 [label=\"Relu\nrelu_1\"];"));
  CHECK_THAT(dot, Contains("gr_0 -> gr_1 [label=\"float32[N, 3]\"];"));
  CHECK(count(dot, "gr_1 -> gr_2 [label=") == 2);
  CHECK_THAT(dot, Contains("gr_0 -> gr_2 [style=dashed];"));
}

TEST_CASE("DOT escapes quotes and backslashes in names", "[graph][CR-8]") {
  Graph graph("a \"quoted\" \\ name");
  float_input(graph, "in\\put\"1\"");
  const std::string dot = to_dot(graph);
  CHECK_THAT(dot, Contains("digraph \"a \\\"quoted\\\" \\\\ name\" {"));
  CHECK_THAT(dot, Contains("[label=\"Data\nin\\\\put\\\"1\\\"\"];"));
  CHECK(count(dot, "\"") % 2 == 0);
}

TEST_CASE("DOT draws subgraphs as clusters whose nodes are apart from the root's", "[graph][CR-8]") {
  Case k;
  Graph& sub = k.graph.add_subgraph("then \"1\"");
  sub.set_outputs({float_input(sub, "c")}, {"o"});
  k.graph.add_node({.op = "If", .name = "if", .domain = {}, .attributes = {}, .inputs = {k.x, k.x}, .outputs = {"r"}, .subgraphs = {sub.id()}});
  CHECK_THAT(to_dot(k.graph), Contains("subgraph cluster_0 { label=\"then \\\"1\\\"\";\n") && Contains("g0_0 -> g0_1"));
}
