// Building a graph and reading it back: nodes, names, edges, subgraphs.
#include "ge/graph/graph.hpp"
#include "support/catch.hpp"

#include <set>

using namespace ge;
using Catch::Matchers::Contains;

namespace {

NodeId add(Graph& graph, std::string op, std::vector<OutputRef> inputs, std::string name = "", size_t outputs = 1) {
  NodeSpec spec;
  spec.op = std::move(op);
  spec.name = std::move(name);
  spec.inputs = std::move(inputs);
  for (size_t i = 0; i < outputs; ++i) spec.outputs.push_back("t" + std::to_string(i));
  return graph.add_node(std::move(spec));
}

OutputRef input(Graph& graph, std::string name) { return graph.add_input(std::move(name), {DType::float32, Shape{}, std::nullopt}); }

/// The error that `edit` raises; the graph must be as large as before.
template <class Edit>
std::string refused(Graph& graph, Edit edit) {
  const size_t nodes = graph.node_count();
  try {
    edit();
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    CHECK(graph.node_count() == nodes);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("A node keeps what it was given, and ids are dense", "[graph][CR-1]") {
  Graph graph("g");
  const OutputRef x = input(graph, "x");
  NodeSpec spec{.op = "Conv", .name = "conv", .domain = "custom", .attributes = {}, .inputs = {x, OutputRef{}, x}, .outputs = {"y", ""}, .subgraphs = {}};
  spec.attributes.set("group", int64_t{2});
  const NodeId id = graph.add_node(spec);
  const Node& node = graph.node(id);
  CHECK(id.value == 1);
  CHECK(node.op() == "Conv");
  CHECK(node.domain() == "custom");
  CHECK(node.name() == "conv");
  CHECK(node.attributes().get_int("group", 1) == 2);
  CHECK(std::vector(node.inputs().begin(), node.inputs().end()) == spec.inputs);
  CHECK(node.outputs().size() == 2);
  CHECK(graph.tensor_name(node.output(0)) == "y");
  CHECK_FALSE(node.is("Conv"));  // of another domain
  CHECK(graph.live_node_count() == 2);
}

TEST_CASE("A node that reads what is not there is refused, and nothing is added", "[graph][CR-1]") {
  Graph graph("g");
  const OutputRef x = input(graph, "x");
  const NodeId dead = add(graph, "Relu", {x}, "dead");
  Patch patch;
  patch.remove(dead);
  graph.apply(patch);
  CHECK_THAT(refused(graph, [&] { add(graph, "Relu", {{NodeId(99), 0}}, "r"); }), Contains("node 'r' (Relu)") && Contains("node 99"));
  CHECK_THAT(refused(graph, [&] { add(graph, "Relu", {x, {x.node, 1}}); }), Contains("input 1 names output 1 of node 0"));
  CHECK_THAT(refused(graph, [&] { add(graph, "Relu", {{dead, 0}}); }), Contains("graph 'g' does not have"));
  CHECK(add(graph, "Relu", {x}, "r").value == 2);  // the refused name is still free
  CHECK(graph.node(NodeId(2)).name() == "r");
}

TEST_CASE("Equal names get suffixes, in the root and its subgraphs together", "[graph][CR-1]") {
  Graph graph("g");
  const OutputRef x = input(graph, "x");
  CHECK(graph.node(add(graph, "Relu", {x}, "a_1")).name() == "a_1");
  CHECK(graph.node(add(graph, "Relu", {x}, "a")).name() == "a");
  CHECK(graph.node(add(graph, "Relu", {x}, "a")).name() == "a_2");  // a_1 is taken
  Graph& sub = graph.add_subgraph("sub");
  CHECK(sub.node(input(sub, "a").node).name() == "a_3");
  CHECK(sub.tensor_name({NodeId(0), 0}) == "a");  // tensors keep the model's names
  CHECK(graph.node(add(graph, "Relu", {x})).name() == "Relu_4");
}

TEST_CASE("100,000 equal names are made unique without looking at each other", "[graph][CR-10]") {
  Graph graph("g");
  const OutputRef x = input(graph, "x");
  std::set<std::string> names;
  for (int i = 0; i < 100'000; ++i) names.insert(graph.node(add(graph, "Relu", {x}, "same")).name());
  CHECK(names.size() == 100'000);
  CHECK(names.contains("same_99999"));
}

TEST_CASE("Users are listed by reader and slot, each use of x * x once", "[graph][CR-1]") {
  Graph graph("g");
  const OutputRef x = input(graph, "x");
  const NodeId split = add(graph, "Split", {x}, "split", 2);
  const NodeId square = add(graph, "Mul", {{split, 1}, {split, 1}});
  const NodeId sum = add(graph, "Add", {{split, 0}, {split, 1}});
  CHECK(graph.users({split, 1}) == std::vector<InputRef>{{square, 0}, {square, 1}, {sum, 1}});
  CHECK(graph.users({split, 0}) == std::vector<InputRef>{{sum, 0}});
  CHECK(graph.users(split) == std::vector<InputRef>{{square, 0}, {square, 1}, {sum, 0}, {sum, 1}});
  CHECK(graph.user_count(split) == 4);
  CHECK(graph.users(sum).empty());
  CHECK_THROWS_AS(graph.users(NodeId(77)), Error);
  CHECK_THROWS_AS(graph.users(OutputRef{}), Error);
}

TEST_CASE("A control edge is no data edge, and two equal ones are one", "[graph][CR-1]") {
  Graph graph("g");
  const OutputRef x = input(graph, "x");
  const NodeId a = add(graph, "Relu", {x}, "a"), b = add(graph, "Relu", {x}, "b");
  graph.add_control_edge(a, b);
  graph.add_control_edge(a, b);
  CHECK(graph.control_users(a) == std::vector<NodeId>{b});
  CHECK(std::vector(graph.node(b).control_inputs().begin(), graph.node(b).control_inputs().end()) == std::vector<NodeId>{a});
  CHECK(graph.users(a).empty());
  CHECK(graph.user_count(a) == 1);
  Patch patch;
  patch.remove(a);
  graph.apply(patch);
  CHECK(graph.node(b).control_inputs().empty());
  CHECK_THAT(refused(graph, [&] { graph.add_control_edge(a, b); }), Contains("has no node 1"));
  CHECK_THAT(refused(graph, [&] { graph.add_control_edge(b, NodeId(50)); }), Contains("has no node 50"));
}

TEST_CASE("Outputs can be set again; what is not there is refused and the old ones stay", "[graph][CR-1]") {
  Graph graph("g");
  const OutputRef x = input(graph, "x"), y = input(graph, "y");
  graph.set_outputs({x, x}, {"p", "q"});
  const NodeId net = graph.net_output();
  graph.add_control_edge(y.node, net);
  graph.set_outputs({y}, {"r"});
  CHECK(graph.net_output() == net);
  CHECK(std::vector(graph.outputs().begin(), graph.outputs().end()) == std::vector<OutputRef>{y});
  CHECK(graph.users(x).empty());
  CHECK(graph.users(y) == std::vector<InputRef>{{net, 0}});
  CHECK(graph.control_users(y.node) == std::vector<NodeId>{net});
  for (const OutputRef bad : {OutputRef{}, OutputRef{NodeId(1000), 0}, OutputRef{x.node, 1}})
    CHECK_THAT(refused(graph, [&] { graph.set_outputs({bad}, {"z"}); }), Contains("'z'"));
  CHECK_THAT(refused(graph, [&] { graph.set_outputs({x, y}, {"z"}); }), Contains("2 outputs have 1 names"));
  CHECK(graph.output_names()[0] == "r");
  CHECK(graph.users(y).size() == 1);
}

TEST_CASE("The root owns every subgraph by id and shares its symbols", "[graph][CR-1]") {
  Graph graph("g");
  Graph& body = graph.add_subgraph("body");
  Graph& inner = body.add_subgraph("inner");
  CHECK(graph.subgraph_count() == 2);
  CHECK(inner.id().value == 1);
  CHECK(&graph.subgraph(inner.id()) == &inner);
  CHECK(&body.subgraph(inner.id()) == &inner);
  CHECK(&inner.root() == &graph);
  CHECK((graph.is_root() && !body.is_root() && !inner.is_root()));
  CHECK(&inner.symbols() == &graph.symbols());
  for (int i = 0; i < 100; ++i) graph.add_subgraph("more");
  CHECK(&graph.subgraph(body.id()) == &body);  // references stay good
  CHECK_THROWS_AS(graph.subgraph(GraphId(102)), Error);
}

TEST_CASE("A constant is typed by its tensor, small integers with their elements", "[graph][CR-2]") {
  Graph graph("g");
  const OutputRef small = graph.add_constant("c", Tensor::ints(std::vector<int64_t>{2, -1}));
  const OutputRef large = graph.add_constant("d", Tensor::zeros(DType::int64, {65}));
  const OutputRef real = graph.add_constant("e", Tensor::zeros(DType::float32, {2}));
  CHECK(to_string(graph.type(small)) == "int64[2]{2, -1}");
  CHECK(to_string(graph.type(large)) == "int64[65]");
  CHECK(to_string(graph.type(real)) == "float32[2]");
  REQUIRE(graph.constant_value(small) != nullptr);
  CHECK(graph.constant_value(small)->at<int64_t>(1) == -1);
  CHECK(graph.constant_value(input(graph, "x")) == nullptr);
  CHECK(graph.constant_value(OutputRef{}) == nullptr);
}

TEST_CASE("An input that is read stays; one that is not goes with its place in the list", "[graph][CR-3]") {
  Graph graph("g");
  const OutputRef x = input(graph, "x"), y = input(graph, "y"), z = input(graph, "z");
  graph.set_outputs({x, z}, {"a", "b"});
  CHECK_THAT(refused(graph, [&] { graph.remove_input(0); }), Contains("input 'x' is still read"));
  CHECK_THAT(refused(graph, [&] { graph.remove_input(3); }), Contains("there is no input 3"));
  graph.remove_input(1);
  CHECK(std::vector(graph.inputs().begin(), graph.inputs().end()) == std::vector<NodeId>{x.node, z.node});
  CHECK(graph.node(y.node).dead());
  CHECK(graph.live_node_count() == 3);
}

TEST_CASE("Removed input slots close up, and edges follow", "[graph][CR-3]") {
  Graph graph("g");
  const OutputRef x = input(graph, "x"), y = input(graph, "y");
  const NodeId node = add(graph, "Sum", {x, y, OutputRef{}, x, y});
  graph.add_control_edge(y.node, node);
  const auto remove = [&](std::vector<uint32_t> slots) { graph.remove_input_slots(node, slots); };
  CHECK_THAT(refused(graph, [&] { remove({5}); }), Contains("no input slot 5"));
  CHECK_THAT(refused(graph, [&] { remove({2, 2}); }), Contains("do not ascend"));
  CHECK(graph.node(node).inputs().size() == 5);
  remove({0, 2});
  CHECK(graph.users(x) == std::vector<InputRef>{{node, 1}});
  CHECK(graph.users(y) == std::vector<InputRef>{{node, 0}, {node, 2}});
  CHECK(graph.control_users(y.node) == std::vector<NodeId>{node});
}
