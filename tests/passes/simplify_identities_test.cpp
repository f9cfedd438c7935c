#include "passes/graph_case.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace ge;
using ge::testing::attributes;
using ge::testing::GraphCase;

namespace {

constexpr auto pass = "simplify_identities";
constexpr bool gone = true, stays = false;

/// Builds Relu(<what build gives>) over x [N, 4] and checks that it became Relu(x), or that nothing changed.
template <class Build>
void check(bool expect_gone, Build build) {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 4});
  c.outputs({c.op("Relu", {build(c, x)})});
  const std::string before = c.text();
  const size_t changes = c.run(pass);
  INFO("before: " << before);
  CHECK(c.text() == (expect_gone ? "Relu(x)" : before));
  CHECK((changes != 0) == expect_gone);
}

}  // namespace

TEST_CASE("Identity goes, also in a chain and between an input and an output", "[passes][CR-3]") {
  // Relu(Identity(Identity(x))) → Relu(x)
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Identity", {c.op("Identity", {x})}); });
  // out0 = Identity(x), out1 = x → out0 = x, out1 = x; names and order stay
  GraphCase c;
  const OutputRef x = c.input("x", {2});
  c.outputs({c.op("Identity", {x}), x});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "x; x");
  CHECK(c.graph.output_names()[0] == "out0");
  CHECK(c.graph.output_names()[1] == "out1");
  CHECK(c.graph.live_node_count() == 2);
}

TEST_CASE("x * 1, x / 1, x ^ 1, x + (-0) and x - 0 are x", "[passes][CR-3]") {
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Mul", {x, c.scalar(1)}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Mul", {c.scalar(1), x}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Mul", {x, c.filled({4}, 1)}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Div", {x, c.filled({1, 1}, 1)}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Pow", {x, c.scalar(1)}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Pow", {x, c.constant(Tensor::scalar(1))}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Add", {x, c.scalar(-0.0f)}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Sub", {x, c.scalar(0.0f)}); });
}

TEST_CASE("arithmetic that is not the identity is left alone", "[passes][CR-3]") {
  // -0 + 0 is +0, and so is -0 - (-0).
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Add", {x, c.scalar(0.0f)}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Sub", {x, c.scalar(-0.0f)}); });
  // The other operand.
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Sub", {c.scalar(0), x}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Div", {c.scalar(1), x}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Pow", {c.scalar(1), x}); });
  // Other values, or not all.
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Mul", {x, c.scalar(1.0000001f)}); });
  const std::vector<float> mixed{1, 1, 1, 2};
  check(stays, [&](GraphCase& c, OutputRef x) { return c.op("Mul", {x, c.constant(Tensor::from<float>(DType::float32, {4}, std::span(mixed)))}); });
  // Broadcasting adds an axis.
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Mul", {x, c.filled({1, 1, 1}, 1)}); });
  // N may be 1: then the constant repeats it.
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Mul", {x, c.filled({3, 4}, 1)}); });
}

TEST_CASE("integers have one zero, so x + 0 is x", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"}, DType::int64);
  c.outputs({c.op("Neg", {c.op("Add", {c.op("Sub", {x, c.ints({0})}), c.ints({0})})})});
  c.run(pass);
  CHECK(c.text() == "Neg(x)");
}

TEST_CASE("a scalar neutral element needs no known rank, a tensor does", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input_of_unknown_rank("x");
  c.outputs({c.op("Mul", {x, c.scalar(1)}), c.op("Mul", {x, c.filled({1}, 1)})});
  c.run(pass);
  CHECK(c.text() == "x; Mul(x, [1])");
}

TEST_CASE("Cast goes when the type stays", "[passes][CR-3]") {
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Cast", {x}, attributes({{"to", int64_t{1}}})); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Cast", {x}, attributes({{"to", int64_t{11}}})); });
}

TEST_CASE("Transpose goes when every axis stays in place", "[passes][CR-3]") {
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Transpose", {x}, attributes({{"perm", std::vector<int64_t>{0, 1}}})); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Transpose", {x}, attributes({{"perm", std::vector<int64_t>{1, 0}}})); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Transpose", {x}); });
  GraphCase c;
  c.outputs({c.op("Transpose", {c.input("x", {7})})});
  c.run(pass);
  CHECK(c.text() == "x");
}

TEST_CASE("views go when the dims are provably the same", "[passes][CR-3]") {
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Reshape", {x, c.ints({0, 4})}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Reshape", {x, c.op("Shape", {x})}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Flatten", {x}, attributes({{"axis", int64_t{1}}})); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Expand", {x, c.op("Shape", {x})}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Expand", {x, c.ints({1, 4})}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Reshape", {x, c.ints({4, -1})}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Flatten", {x}, attributes({{"axis", int64_t{0}}})); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Expand", {x, c.ints({2, 1, 4})}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Unsqueeze", {x, c.ints({0})}); });
}

TEST_CASE("Slice goes when it takes everything forwards", "[passes][CR-3]") {
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Slice", {x, c.ints({0}), c.ints({INT64_MAX}), c.ints({0}), c.ints({1})}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Slice", {x, c.ints({0}), c.ints({4}), c.ints({1})}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Slice", {x, c.ints({1}), c.ints({4}), c.ints({1})}); });
  // Backwards: as many elements, in another order.
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Slice", {x, c.ints({-1}), c.ints({-100}), c.ints({1}), c.ints({-1})}); });
}

TEST_CASE("variadic ops of one input are that input", "[passes][CR-3]") {
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Concat", {x}, attributes({{"axis", int64_t{0}}})); });
  for (const char* op : {"Max", "Min", "Sum", "Mean"}) {
    check(gone, [&](GraphCase& c, OutputRef x) { return c.op(op, {x}); });
    check(stays, [&](GraphCase& c, OutputRef x) { return c.op(op, {x, x}); });
  }
}

TEST_CASE("double negation is undone, and only that", "[passes][CR-3]") {
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Neg", {c.op("Neg", {x})}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Neg", {x}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Neg", {c.op("Abs", {x})}); });
  GraphCase c;
  const OutputRef x = c.input("x", {2}, DType::boolean);
  // Not(Not(Not(x))) → Not(x)
  c.outputs({c.op("Not", {c.op("Not", {c.op("Not", {x})})})});
  c.run(pass);
  CHECK(c.text() == "Not(x)");
}

TEST_CASE("Dropout goes at inference when its mask is not read", "[passes][CR-3]") {
  if (find_schema("", "Dropout") == nullptr) return;
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Dropout", {x}); });
  check(gone, [](GraphCase& c, OutputRef x) { return c.op("Dropout", {x, c.scalar(0.5f), c.boolean(false)}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Dropout", {x, c.scalar(0.5f), c.boolean(true)}); });
  check(stays, [](GraphCase& c, OutputRef x) { return c.op("Dropout", {x, c.scalar(0.5f), c.input("training", {}, DType::boolean)}); });
  GraphCase c;
  const OutputRef both = c.op("Dropout", {c.input("x", {4})}, {}, 2);
  c.outputs({both, {both.node, 1}});
  CHECK(c.run(pass) == 0);
}

TEST_CASE("a node with control edges is left alone", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef first = c.op("Relu", {x}), barrier = c.op("Identity", {x});
  c.graph.add_control_edge(first.node, barrier.node);
  c.outputs({first, barrier});
  CHECK(c.run(pass) == 0);
  CHECK(c.text() == "Relu(x); Identity(x)");
}

TEST_CASE("identities in subgraphs go too", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {2});
  using ge::testing::GraphBuild;
  using Refs = std::vector<OutputRef>;
  c.outputs({c.branch(p, {x}, [](GraphBuild& b, const Refs& in) { return Refs{b.op("Identity", {in[0]})}; },
                      [](GraphBuild& b, const Refs& in) { return Refs{b.op("Relu", {b.op("Identity", {in[0]})})}; })});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "If(p, x){c0 | Relu(c0)}");
}
