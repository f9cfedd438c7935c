#include "passes/graph_case.hpp"
#include "support/catch.hpp"

using namespace ge;
using ge::testing::attributes;
using ge::testing::GraphBuild;
using ge::testing::GraphCase;
using Refs = std::vector<OutputRef>;

namespace {

constexpr auto pass = "inline_constant_if";

Refs add(GraphBuild& b, const Refs& in) { return {b.op("Add", {in[0], in[1]})}; }
Refs multiply(GraphBuild& b, const Refs& in) { return {b.op("Mul", {in[0], in[1]})}; }

}  // namespace

TEST_CASE("an If with a constant condition becomes its branch", "[passes][CR-3]") {
  // Relu(If(true, x, y){Add | Mul}) → Relu(Add(x, y))
  for (bool predicate : {true, false}) {
    GraphCase c;
    const OutputRef x = c.input("x", {"N"}), y = c.input("y", {"N"});
    const OutputRef choice = c.branch(c.boolean(predicate), {x, y}, add, multiply);
    c.outputs({c.op("Relu", {choice}), choice});
    CHECK(c.run(pass) != 0);
    CHECK(c.text() == (predicate ? "Relu(Add(x, y)); Add(x, y)" : "Relu(Mul(x, y)); Mul(x, y)"));
    CHECK(c.graph.node(choice.node).dead());
  }
}

TEST_CASE("a condition that inference knows counts as constant", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {2, 3});
  const OutputRef size = c.op("Size", {x});
  const OutputRef is_six = c.op("Equal", {size, c.constant(Tensor::scalar(6))});
  c.outputs({c.branch(is_six, {x, x}, add, multiply)});
  c.run(pass);
  CHECK(c.text() == "Add(x, x)");
}

TEST_CASE("an If whose condition comes with the run is left alone", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"});
  c.outputs({c.branch(c.input("p", {}, DType::boolean), {x, x}, add, multiply)});
  CHECK(c.run(pass) == 0);
  CHECK(c.text() == "If(p, x, x){Add(c0, c1) | Mul(c0, c1)}");
}

TEST_CASE("an If with control edges is left alone", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"});
  const OutputRef choice = c.branch(c.boolean(true), {x, x}, add, multiply);
  const OutputRef other = c.op("Relu", {x});
  c.graph.add_control_edge(choice.node, other.node);
  c.outputs({choice, other});
  CHECK(c.run(pass) == 0);
}

TEST_CASE("a branch that passes its captures through leaves no node", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"}), y = c.input("y", {"N"});
  const OutputRef swap = c.branch(c.boolean(true), {x, y}, [](GraphBuild&, const Refs& in) { return Refs{in[1], in[0]}; },
                                  [](GraphBuild&, const Refs& in) { return in; }, 2);
  c.outputs({swap, {swap.node, 1}});
  c.run(pass);
  CHECK(c.text() == "y; x");
}

TEST_CASE("constants, attributes, absent inputs and control edges come along", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 4});
  const auto body = [](GraphBuild& b, const Refs& in) {
    const OutputRef clipped = b.op("Clip", {in[0], {}, b.scalar(6)});
    const OutputRef turned = b.op("Transpose", {in[0]}, attributes({{"perm", std::vector<int64_t>{1, 0}}}));
    b.graph.add_control_edge(clipped.node, turned.node);
    return Refs{clipped, turned};
  };
  const OutputRef choice = c.branch(c.boolean(true), {x}, body, [](GraphBuild&, const Refs& in) { return Refs{in[0], in[0]}; }, 2);
  c.outputs({choice, {choice.node, 1}});
  c.run(pass);
  CHECK(c.text() == "Clip(x, _, 6); Transpose(x)");
  const Node& turned = c.graph.node(c.graph.outputs()[1].node);
  CHECK(turned.attributes().get_ints("perm") == std::vector<int64_t>{1, 0});
  REQUIRE(turned.control_inputs().size() == 1);
  CHECK(turned.control_inputs()[0] == c.graph.outputs()[0].node);
  CHECK(to_string(c.graph.type(c.graph.outputs()[1])) == "float32[4, N]");
}

TEST_CASE("nested control flow moves with the branch and is inlined in turn", "[passes][CR-3]") {
  // If(true){ If(p){Add | Mul} } → If(p){Add | Mul};  If(true){ If(false){Add | Mul} } → Mul
  for (bool constant : {false, true}) {
    GraphCase c;
    const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {"N"});
    const auto outer = [&](GraphBuild& b, const Refs& in) {
      return Refs{b.branch(constant ? b.boolean(false) : in[0], {in[1], in[1]}, add, multiply)};
    };
    c.outputs({c.branch(c.boolean(true), {p, x}, outer, [](GraphBuild& b, const Refs& in) { return Refs{b.op("Neg", {in[1]})}; })});
    c.run(pass);
    CHECK(c.text() == (constant ? "Mul(x, x)" : "If(p, x, x){Add(c0, c1) | Mul(c0, c1)}"));
  }
}

TEST_CASE("two Ifs of which one reads the other are inlined together", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"});
  const OutputRef first = c.branch(c.boolean(true), {x, x}, add, multiply);
  c.outputs({c.branch(c.boolean(false), {first, x}, add, multiply)});
  c.run(pass);
  CHECK(c.text() == "Mul(Add(x, x), x)");
}
