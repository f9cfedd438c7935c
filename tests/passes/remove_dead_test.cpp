#include "passes/graph_case.hpp"
#include "support/catch.hpp"

using namespace ge;
using ge::testing::GraphBuild;
using ge::testing::GraphCase;
using Refs = std::vector<OutputRef>;

namespace {
constexpr auto pass = "remove_dead";
}

TEST_CASE("nodes that no output needs go, all of a chain at once", "[passes][CR-3]") {
  // out0 = Relu(x); Exp(Neg(y)) + 1 is not read → out0 = Relu(x); both inputs stay
  GraphCase c;
  const OutputRef x = c.input("x", {2}), y = c.input("y", {2});
  const OutputRef kept = c.op("Relu", {x});
  c.op("Add", {c.op("Exp", {c.op("Neg", {y})}), c.scalar(1)});
  c.outputs({kept});
  CHECK(c.run(pass) == 4);
  CHECK(c.text() == "Relu(x)");
  CHECK(c.graph.inputs().size() == 2);
  CHECK(c.graph.live_node_count() == 4);
}

TEST_CASE("a graph without dead nodes is left alone", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {2});
  c.outputs({c.op("Relu", {x}), x});
  CHECK(c.run(pass) == 0);
}

TEST_CASE("a node that a live node runs after is live", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef before = c.op("Exp", {x}), after = c.op("Relu", {x}), unneeded = c.op("Neg", {x});
  c.graph.add_control_edge(before.node, after.node);
  c.graph.add_control_edge(after.node, unneeded.node);
  c.outputs({after});
  CHECK(c.run(pass) == 1);
  CHECK_FALSE(c.graph.node(before.node).dead());
  CHECK(c.graph.node(unneeded.node).dead());
}

TEST_CASE("a capture that neither branch reads goes with its producer", "[passes][CR-3]") {
  // If(p, x, Exp(y), z){Relu(c0) | Neg(c2)} → If(p, x, z){Relu(c0) | Neg(c2)}
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {2}), y = c.input("y", {2}), z = c.input("z", {2});
  c.outputs({c.branch(p, {x, c.op("Exp", {y}), z}, [](GraphBuild& b, const Refs& in) { return Refs{b.op("Relu", {in[0]})}; },
                      [](GraphBuild& b, const Refs& in) { return Refs{b.op("Neg", {in[2]})}; })});
  CHECK(c.run(pass) == 3);  // one input of each branch, and Exp
  CHECK(c.text() == "If(p, x, z){Relu(c0) | Neg(c2)}");
  CHECK(c.graph.live_node_count() == 6);
}

TEST_CASE("a capture that only dead nodes read goes in the same run", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {2}), y = c.input("y", {2});
  const auto body = [](GraphBuild& b, const Refs& in) {
    b.op("Add", {in[0], in[1]});
    return Refs{b.op("Relu", {in[0]})};
  };
  c.outputs({c.branch(p, {x, y}, body, body)});
  c.run(pass);
  CHECK(c.text() == "If(p, x){Relu(c0) | Relu(c0)}");
}

TEST_CASE("a Loop keeps its iteration number, condition and carried values, and loses unread captures", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {2}), y = c.input("y", {2}), z = c.input("z", {2});
  // The carried value c2 is not read by the body, capture c3 neither.
  c.outputs({c.loop(c.constant(Tensor::scalar(3)), {}, {x}, {y, z}, [](GraphBuild& b, const Refs& in) {
    return Refs{in[1], b.op("Relu", {in[4]})};
  })});
  CHECK(c.run(pass) == 1);
  CHECK(c.text() == "Loop(3, _, x, z){c1; Relu(c4)}");
  const Graph& body = c.graph.subgraph(GraphId(0));
  CHECK(body.inputs().size() == 4);
}

TEST_CASE("captures that are passed on to an inner graph go through all levels", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {2}), y = c.input("y", {2});
  const auto inner = [](GraphBuild& b, const Refs& in) { return Refs{b.op("Relu", {in[0]})}; };
  const auto outer = [&](GraphBuild& b, const Refs& in) { return Refs{b.branch(in[0], {in[1], in[2]}, inner, inner)}; };
  c.outputs({c.branch(p, {p, x, y}, outer, outer)});
  c.run(pass);
  CHECK(c.text() == "If(p, p, x){If(c0, c1){Relu(c0) | Relu(c0)} | If(c0, c1){Relu(c0) | Relu(c0)}}");
}

TEST_CASE("a dead If goes with its subgraphs", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {2});
  const auto body = [](GraphBuild& b, const Refs& in) { return Refs{b.op("Relu", {in[0]})}; };
  c.branch(p, {x}, body, body);
  c.outputs({x});
  CHECK(c.run(pass) == 1);
  CHECK(c.text() == "x");
}
