#include "passes/recognise_case.hpp"

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

constexpr auto pass = "recognise_swish";
constexpr uint32_t seed = 56;

std::vector<std::vector<Tensor>> inputs() {
  std::mt19937 random(seed);
  return {{random_floats(random, {1, 3, 8})}, {random_floats(random, {2, 3, 8})}};
}

/// x · sigmoid(scaled)
OutputRef swish(GraphBuild& b, OutputRef x, OutputRef scaled) { return b.op("Mul", {x, b.op("Sigmoid", {scaled})}); }

float alpha_of(const Graph& graph) { return graph.node(graph.outputs()[0].node).attributes().get_float("alpha", 1); }

}  // namespace

TEST_CASE("x times its sigmoid is a Swish, in both orders", "[passes][CR-3][CR-9]") {
  // Mul(x, Sigmoid(x)) → Swish(x)
  INFO("seed " << seed);
  check_recognised(pass, 1, "Swish(x)", inputs(), [](GraphBuild& b) {
    const OutputRef x = b.input("x", {"N", 3, 8});
    return Refs{swish(b, x, x)};
  });
  check_recognised(pass, 1, "Swish(x)", inputs(), [](GraphBuild& b) {
    const OutputRef x = b.input("x", {"N", 3, 8});
    return Refs{b.op("Mul", {b.op("Sigmoid", {x}), x})};
  });
}

TEST_CASE("alpha is read from the graph, however it is multiplied", "[passes][CR-3][CR-9]") {
  // Mul(x, Sigmoid(Mul(1.702, x))) → Swish(x), alpha 1.702: the quick GELU
  const auto scaled = [](GraphBuild& b, OutputRef x, int form) {
    switch (form) {
      case 0: return b.op("Mul", {b.scalar(1.702f), x});
      case 1: return b.op("Mul", {x, b.filled({1}, 1.702f)});
      case 2: return b.op("Div", {x, b.scalar(1 / 1.702f)});
      default: return b.op("Mul", {b.op("Neg", {x}), b.scalar(-1.702f)});
    }
  };
  for (int form = 0; form < 4; ++form) {
    INFO("seed " << seed << ", form " << form);
    check_recognised(pass, 1, "Swish(x)", inputs(), [&](GraphBuild& b) {
      const OutputRef x = b.input("x", {"N", 3, 8});
      return Refs{swish(b, x, scaled(b, x, form))};
    });
    FormulaCase c;
    const OutputRef x = c.input("x", {"N", 3, 8});
    c.outputs({swish(c, x, scaled(c, x, form))});
    c.recognise(pass);
    CHECK(alpha_of(c.graph) == Approx(1.702));
  }
}

TEST_CASE("the nearest value that is gated is the argument", "[passes][CR-3][CR-9]") {
  // u = 2 x; u sigmoid(u) → Swish(u), alpha 1
  FormulaCase c;
  const OutputRef u = c.op("Mul", {c.input("x", {"N"}), c.scalar(2)});
  c.outputs({swish(c, u, u)});
  CHECK(c.recognise(pass) == 1);
  CHECK(c.text() == "Swish(Mul(x, 2))");
  CHECK(alpha_of(c.graph) == 1);
}

TEST_CASE("what only resembles Swish is left alone", "[passes][CR-3]") {
  const auto check = [](auto build) {
    check_left_alone(pass, [&](GraphBuild& b) { return build(b, b.input("x", {"N", 3, 8})); });
  };
  check([](GraphBuild& b, OutputRef x) { return Refs{swish(b, b.input("y", {"N", 3, 8}), x)}; });
  check([](GraphBuild& b, OutputRef x) { return Refs{swish(b, x, b.op("Add", {x, b.scalar(1)}))}; });
  check([](GraphBuild& b, OutputRef x) { return Refs{swish(b, x, b.op("Mul", {x, b.filled({8}, 2)}))}; });
  check([](GraphBuild& b, OutputRef x) { return Refs{swish(b, x, b.op("Mul", {x, b.filled({1, 1, 1, 1}, 2)}))}; });
  check([](GraphBuild& b, OutputRef x) { return Refs{swish(b, b.op("Mul", {x, b.scalar(2)}), x)}; });
  check([](GraphBuild& b, OutputRef x) { return Refs{b.op("Add", {x, b.op("Sigmoid", {x})})}; });
  check([](GraphBuild& b, OutputRef x) { return Refs{b.op("Div", {x, b.op("Sigmoid", {x})})}; });
  // The gate of a squeeze-and-excite block, x [N, 3, 1], enlarges.
  check([](GraphBuild& b, OutputRef x) {
    const OutputRef narrow = b.op("ReduceMean", {x, b.ints({2})});
    return Refs{swish(b, x, narrow)};
  });
}

TEST_CASE("Swish whose gate somebody else needs is left alone", "[passes][CR-3]") {
  check_left_alone(pass, [](GraphBuild& b) {
    const OutputRef x = b.input("x", {"N"}), gate = b.op("Sigmoid", {x});
    return Refs{b.op("Mul", {x, gate}), gate};
  });
  check_left_alone(pass, [](GraphBuild& b) {
    const OutputRef x = b.input("x", {"N"}), gate = b.op("Sigmoid", {x});
    return Refs{b.op("Mul", {x, gate}), b.op("Neg", {gate})};
  });
}
