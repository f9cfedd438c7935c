#include "passes/graph_case.hpp"
#include "support/catch.hpp"

using namespace ge;
using ge::testing::attributes;
using ge::testing::FloatEvaluator;
using ge::testing::GraphBuild;
using ge::testing::GraphCase;
using Refs = std::vector<OutputRef>;

namespace {
constexpr auto pass = "fold_constants";
}

TEST_CASE("a node of constants becomes a constant, and a chain folds in one call", "[passes][CR-3]") {
  // Mul(Mul(Add(2, 3), 4), x) → Mul(20, x)
  GraphCase c;
  FloatEvaluator evaluator;
  const OutputRef sum = c.op("Add", {c.scalar(2), c.scalar(3)});
  c.outputs({c.op("Mul", {c.op("Mul", {sum, c.scalar(4)}), c.input("x", {"N"})})});
  CHECK(c.run(pass, &evaluator) != 0);
  CHECK(c.text() == "Mul(20, x)");
  CHECK(evaluator.calls == 2);
  CHECK(c.graph.node(sum.node).dead());
}

TEST_CASE("a folded output keeps its name and place", "[passes][CR-3]") {
  GraphCase c;
  FloatEvaluator evaluator;
  c.outputs({c.op("Add", {c.scalar(2), c.scalar(3)}), c.input("x")});
  c.run(pass, &evaluator);
  CHECK(c.text() == "5; x");
  CHECK(c.graph.output_names()[0] == "out0");
}

TEST_CASE("an intermediate result that something else reads becomes a constant too", "[passes][CR-3]") {
  GraphCase c;
  FloatEvaluator evaluator;
  const OutputRef sum = c.op("Add", {c.scalar(2), c.scalar(3)});
  c.outputs({c.op("Neg", {sum}), c.op("Mul", {sum, c.input("x")})});
  c.run(pass, &evaluator);
  CHECK(c.text() == "-5; Mul(5, x)");
}

TEST_CASE("what the evaluator refuses or contradicts is left alone", "[passes][CR-3]") {
  struct Liar : ConstantEvaluator {
    std::vector<Tensor> evaluate(const Graph&, NodeId, std::span<const Tensor>) override { return {Tensor::ints(std::vector<int64_t>{1})}; }
  } liar;
  FloatEvaluator evaluator;
  for (ConstantEvaluator* with : std::initializer_list<ConstantEvaluator*>{nullptr, &evaluator, &liar}) {
    GraphCase c;
    c.outputs({c.op("Exp", {c.scalar(2)})});
    CHECK(c.run(pass, with) == 0);
    CHECK(c.text() == "Exp(2)");
  }
}

TEST_CASE("inputs, random numbers and nodes with control edges are not folded", "[passes][CR-3]") {
  FloatEvaluator evaluator;
  GraphCase c;
  const OutputRef x = c.input("x");
  const OutputRef after = c.op("Neg", {c.scalar(1)});
  c.graph.add_control_edge(c.op("Relu", {x}).node, after.node);
  Refs outputs{c.op("Neg", {x}), after};
  std::string expected = "Neg(x); Neg(1)";
  if (find_schema("", "RandomUniformLike") != nullptr) {
    outputs.push_back(c.op("RandomUniformLike", {c.scalar(1)}));
    expected += "; RandomUniformLike(1)";
  }
  c.outputs(outputs);
  CHECK(c.run(pass, &evaluator) == 0);
  CHECK(c.text() == expected);
  CHECK(evaluator.calls == 0);
}

TEST_CASE("a folded tensor may be as large as the limit or as the constants that die", "[passes][CR-3]") {
  const auto changed = [](bool shared, int64_t limit) {
    GraphCase c;
    FloatEvaluator evaluator;
    const OutputRef big = c.filled({10}, 3), other = c.filled({10}, 3);
    Refs outputs{c.op("Add", {big, other})};
    if (shared) outputs.insert(outputs.end(), {c.op("Mul", {big, c.input("x", {10})}), c.op("Mul", {other, c.input("y", {10})})});
    c.outputs(outputs);
    return c.run(pass, &evaluator, limit) != 0;
  };
  CHECK(changed(false, 0));  // 40 bytes replace 80
  CHECK_FALSE(changed(true, 39));
  CHECK(changed(true, 40));
}

TEST_CASE("shape arithmetic folds without running anything", "[passes][CR-3]") {
  // Reshape(x, Concat(Gather(Shape(w), 0), [-1])) → Reshape(x, [6, -1])
  GraphCase c;
  const OutputRef x = c.input("x", {3, "N"}), w = c.input("w", {6, 5});
  const OutputRef zero = c.ints({0});
  const OutputRef dim = c.op("Gather", {c.op("Shape", {w}), zero}, attributes({{"axis", int64_t{0}}}));
  const OutputRef target = c.op("Concat", {dim, c.ints({-1})}, attributes({{"axis", int64_t{0}}}));
  c.outputs({c.op("Reshape", {x, target})});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Reshape(x, [6, -1])");
}

TEST_CASE("shape arithmetic over symbols is left alone, but for its constant parts", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 4});
  const OutputRef shape = c.op("Shape", {x});
  const auto axis0 = attributes({{"axis", int64_t{0}}});
  c.outputs({shape, c.op("Gather", {shape, c.ints({0})}, axis0), c.op("Gather", {shape, c.ints({1})}, axis0)});
  c.run(pass);
  CHECK(c.text() == "Shape(x); Gather(Shape(x), [0]); [4]");
}

TEST_CASE("small integers and bools keep their dtype", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef shape = c.op("Shape", {c.input("x", {2, 3})});
  c.outputs({c.op("Cast", {shape}, attributes({{"to", int64_t{6}}})), c.op("Less", {shape, c.ints({3, 3})})});
  c.run(pass);
  CHECK(c.text() == "[2, 3]; [1, 0]");
  CHECK(c.graph.type(c.graph.outputs()[0]).dtype == DType::int32);
  CHECK(c.graph.type(c.graph.outputs()[1]).dtype == DType::boolean);
}

TEST_CASE("subgraphs fold inside, and readers of a captured known value get the value", "[passes][CR-3]") {
  GraphCase c;
  FloatEvaluator evaluator;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {2, 3});
  c.outputs({c.branch(p, {x, c.op("Shape", {x})},
                      [](GraphBuild& b, const Refs& in) { return Refs{b.op("Reshape", {in[0], in[1]})}; },
                      [](GraphBuild& b, const Refs& in) { return Refs{b.op("Mul", {in[0], b.op("Add", {b.scalar(1), b.scalar(2)})})}; })});
  c.run(pass, &evaluator);
  CHECK(c.text() == "If(p, x, [2, 3]){Reshape(c0, [2, 3]) | Mul(c0, 3)}");
}

TEST_CASE("what changes from one iteration to the next is not folded", "[passes][CR-3]") {
  GraphCase c;
  // The carried counter enters as the constant 0 and leaves as 0 + 1.
  c.outputs({c.loop(c.constant(Tensor::scalar(3)), {}, {c.ints({0})}, {}, [](GraphBuild& b, const Refs& in) {
    return Refs{in[1], b.op("Add", {in[2], b.ints({1})})};
  })});
  c.run(pass);
  CHECK(c.text() == "Loop(3, _, [0]){c1; Add(c2, [1])}");
}

TEST_CASE("all folded tensors together add no more than the budget to the constants", "[passes][CR-3][CR-10]") {
  // Ten constants of 4 MiB each that a few bytes ask for, and room for three of them.
  struct Filler : ConstantEvaluator {
    std::vector<Tensor> evaluate(const Graph&, NodeId, std::span<const Tensor> inputs) override { return {Tensor::zeros(DType::float32, *inputs[0].to_ints())}; }
  } filler;
  Graph graph("g");
  std::vector<OutputRef> outputs;
  std::vector<std::string> names;
  for (int i = 0; i < 10; ++i) {
    const OutputRef dims = graph.add_constant("dims" + std::to_string(i), Tensor::ints(std::vector<int64_t>{1 << 20}));
    const NodeId fill = graph.add_node({.op = "ConstantOfShape", .name = "fill" + std::to_string(i), .domain = "", .attributes = {}, .inputs = {dims}, .outputs = {"o" + std::to_string(i)}, .subgraphs = {}});
    outputs.push_back({fill, 0});
    names.push_back("o" + std::to_string(i));
  }
  graph.set_outputs(std::move(outputs), std::move(names));
  infer(graph);
  PassContext context{&filler};
  context.fold_growth_bytes = (int64_t{12} << 20) + 1000;
  run_passes(graph, context, {});
  size_t folded = 0;
  for (const OutputRef ref : graph.outputs()) folded += graph.constant_value(ref) != nullptr ? 1 : 0;
  CHECK(folded == 3);
  CHECK(context.fold_growth_bytes < 1000 + 4 * 80);
}

TEST_CASE("a product that would take minutes is left for the run", "[passes][CR-3][CR-10]") {
  // 1024 x 1024 times 1024 x 1024 is 10^9 multiplications: once is within the budget, twice is not.
  struct Counter : ConstantEvaluator {
    int calls = 0;
    std::vector<Tensor> evaluate(const Graph&, NodeId, std::span<const Tensor> inputs) override {
      ++calls;
      return {inputs[0]};
    }
  } counter;
  GraphCase c;
  const OutputRef m = c.graph.add_constant("m", Tensor::zeros(DType::float32, {1024, 1024}));
  OutputRef product = m;
  for (int i = 0; i < 5; ++i) product = c.op("MatMul", {product, m});
  c.outputs({product});
  CHECK(c.run(pass, &counter) != 0);
  CHECK(counter.calls == 1);
}

TEST_CASE("random numbers of constants are not folded", "[passes][CR-3]") {
  GraphCase c;
  FloatEvaluator evaluator;
  c.outputs({c.op("RandomNormal", {}, attributes({{"shape", std::vector<int64_t>{2}}, {"seed", 1.0f}})), c.op("Bernoulli", {c.scalar(0.5f)})});
  CHECK(c.run(pass, &evaluator) == 0);
  CHECK(evaluator.calls == 0);
}
