// Bisecting finds what the crooked engine and the crooked pass (tests/support/crooked_engine.cpp) do wrong.
#include "executor/model_case.hpp"
#include "ge/session/bisect_passes.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Kind = NodeDifference::Input::Kind;

namespace {

OutputRef named(GraphBuild& b, const std::string& op, const std::string& name, std::vector<OutputRef> inputs) {
  NodeSpec spec;
  spec.op = op;
  spec.name = name;
  spec.inputs = std::move(inputs);
  spec.outputs = {name + "_out"};
  return {b.graph.add_node(std::move(spec)), 0};
}

template <class Fill>
GraphSource source_of(Fill fill) {
  return [fill] {
    auto graph = std::make_unique<Graph>("bisected");
    GraphBuild b(*graph);
    fill(b);
    return graph;
  };
}

/// tanh(relu(x) * relu(x) + relu(x)) over x[N, 3]; only the crooked Add is wrong.
GraphSource with_add() {
  return source_of([](GraphBuild& b) {
    const OutputRef relu = named(b, "Relu", "relu", {b.input("x", {"N", 3})});
    const OutputRef mul = named(b, "Mul", "mul", {relu, relu});
    b.outputs({named(b, "Tanh", "tanh", {named(b, "Add", "culprit", {mul, relu})})});
  });
}
/// abs(x) * x, then tanh; the crooked pass drops Abs.
GraphSource with_abs() {
  return source_of([](GraphBuild& b) {
    const OutputRef x = b.input("x", {3});
    b.outputs({named(b, "Tanh", "tanh", {named(b, "Mul", "mul", {named(b, "Abs", "abs", {x}), x})})});
  });
}

const std::vector<Value> six{floats({2, 3}, {0.1f, -0.2f, 0.3f, 0.4f, 0.5f, 0.6f})};
const std::vector<Value> three{floats({3}, {0.5f, -0.25f, 1})};

BisectOptions reference_only() {
  BisectOptions options;
  options.engines = {"reference"};
  return options;
}

}  // namespace

TEST_CASE("bisecting names the node whose kernel is wrong", "[session][CR-8]") {
  const BisectResult found = bisect_nodes(with_add(), six, {});
  REQUIRE(found.first);
  CHECK(found.first->node == "culprit");
  CHECK(found.first->op == "Add");
  CHECK(found.first->tensor == "culprit_out");
  CHECK(found.first->figures.count == 1);
  CHECK(found.first->figures.first == 5);
  CHECK(found.first->figures.absolute == Approx(0.01).margin(1e-6));
  CHECK(found.first->begins_here());
  REQUIRE(found.first->inputs.size() == 2);
  for (const auto& input : found.first->inputs) CHECK((input.kind == Kind::compared && input.largest_error == 0));
  CHECK(found.compared == 3);
  CHECK_FALSE(found.agree());
  // 0.6 * 0.6 + 0.6
  const std::string text = found.to_text();
  CHECK_THAT(text, Contains("first difference: node 'culprit' (Add), output 0 'culprit_out'\n"));
  CHECK_THAT(text, Contains("1 of 6 elements differ; the first at [1, 2]: got 0.97") && Contains("expected 0.96"));
  CHECK_THAT(text, Contains("input 'mul_out': equal\n") && Contains("input 'relu_out': equal\n") && Contains("the difference begins at this node\n"));
  CHECK_THAT(text, Contains("2 tensors before it agree"));
}

TEST_CASE("batches of any size give the same result", "[session][CR-8]") {
  for (int64_t bytes : {1, 24, 48, 100}) {
    BisectOptions options;
    options.batch_bytes = bytes;
    CHECK(bisect_nodes(with_add(), six, options).to_text() == bisect_nodes(with_add(), six, {}).to_text());
    BisectOptions reference = reference_only();
    reference.batch_bytes = bytes;
    CHECK(bisect_nodes(with_add(), six, reference).to_text() == "no difference in 4 tensors\n");
  }
}

TEST_CASE("bisecting finds nothing where both sides agree within the tolerance", "[session][CR-8]") {
  const BisectResult same = bisect_nodes(with_add(), six, reference_only());
  CHECK(same.agree());
  CHECK(same.compared == 4);
  BisectOptions loose;
  loose.tolerance = {0, 0.011};
  CHECK(bisect_nodes(with_add(), six, loose).agree());
  CHECK(bisect_passes(with_add(), six, reference_only()).agree());
}

TEST_CASE("a pass that is wrong shows at the next node that is left, which says what could not be compared", "[session][CR-8]") {
  const BisectResult found = bisect_nodes(with_abs(), three, reference_only());
  REQUIRE(found.first);
  CHECK(found.first->node == "mul");
  CHECK_FALSE(found.first->begins_here());
  REQUIRE(found.first->inputs.size() == 2);
  CHECK(found.first->inputs[0].kind == Kind::vanished);
  CHECK(found.first->inputs[1].kind == Kind::given);
  CHECK(found.vanished == 1);
  CHECK_THAT(found.to_text(), Contains("input 'abs_out': not compared, the passes removed it") && Contains("input 'x': given") && Contains("1 more do not exist behind the passes"));
  BisectOptions without = reference_only();
  without.disabled_passes = {"crooked_abs"};
  CHECK(bisect_nodes(with_abs(), three, without).agree());
}

TEST_CASE("an output of the model is compared even where its tensor is gone", "[session][CR-8]") {
  const BisectResult found = bisect_nodes(source_of([](GraphBuild& b) { b.outputs({named(b, "Abs", "abs", {b.input("x", {3})})}); }), three, reference_only());
  REQUIRE(found.first);
  CHECK(found.first->node == "abs");
  CHECK(found.first->computed_by == "node 'x' (Data)");
  CHECK_THAT(found.to_text(), Contains("in the graph under test it is computed by node 'x' (Data)"));
}

TEST_CASE("bisecting over passes names the pass after which the results differ", "[session][CR-8]") {
  const PassBisectResult found = bisect_passes(with_abs(), three, reference_only());
  REQUIRE(found.steps);
  REQUIRE(*found.steps > 0);
  CHECK(found.passes[*found.steps - 1] == "crooked_abs");
  CHECK_THAT(found.to_text(), Contains("first difference: pass 'crooked_abs'\n  output 0: "));
  BisectOptions without = reference_only();
  without.disabled_passes = {"crooked_abs"};
  CHECK(bisect_passes(with_abs(), three, without).agree());
}

TEST_CASE("bisecting over passes says when the kernels are to blame", "[session][CR-8]") {
  const PassBisectResult found = bisect_passes(with_add(), six, {});
  CHECK(found.steps == std::optional<size_t>(0));
  CHECK_THAT(found.to_text(), Contains("with no pass at all"));
}

TEST_CASE("a difference that goes away when tensors are looked at is reported as such", "[session][CR-8]") {
  // Neg writes over Relu's result, unless that is an output.
  const BisectResult found = bisect_nodes(source_of([](GraphBuild& b) { b.outputs({named(b, "Tanh", "tanh", {named(b, "Neg", "neg", {named(b, "Relu", "relu", {b.input("x", {3})})})})}); }),
                                          three, {});
  CHECK_FALSE(found.first);
  CHECK_FALSE(found.agree());
  CHECK_THAT(found.to_text(), Contains("no difference in 3 tensors") && Contains("output 0 'out0': 2 of 3 elements differ") && Contains("suspect the memory plan"));
}

TEST_CASE("a difference inside a branch names the node there, of the branch that is taken", "[session][CR-8]") {
  const auto source = source_of([](GraphBuild& b) {
    const OutputRef x = b.input("x", {3}), p = b.input("p", {}, DType::boolean);
    using Refs = std::vector<OutputRef>;
    const auto right = [](GraphBuild& inner, Refs in) { return Refs{named(inner, "Exp", "right", {in[0]})}; };
    const auto wrong = [&](GraphBuild& inner, Refs in) {
      const auto deeper = [](GraphBuild& deep, Refs c) { return Refs{named(deep, "Add", "culprit", {named(deep, "Sqrt", "root", {c[0]}), c[0]})}; };
      return Refs{inner.branch(inner.op("Less", {inner.op("ReduceSum", {in[0]}, attributes({{"keepdims", int64_t{0}}})), inner.scalar(100)}), {in[0]}, deeper, right)};
    };
    b.outputs({named(b, "Tanh", "tanh", {b.branch(p, {named(b, "Relu", "relu", {x})}, wrong, right)})});
  });
  const BisectResult found = bisect_nodes(source, {three[0], bools({}, {1})}, {});
  REQUIRE(found.first);
  CHECK(found.first->op == "Add");
  CHECK(found.first->tensor == "culprit_out");
  CHECK(found.first->begins_here());
  CHECK_THAT(found.to_text(), Contains("in the branch that these inputs take, of 'If_") && Contains("input 'root_out': equal"));
  CHECK(bisect_nodes(source, {three[0], bools({}, {0})}, {}).agree());
}

TEST_CASE("a difference inside a loop's body names the Loop", "[session][CR-8]") {
  const auto source = source_of([](GraphBuild& b) {
    const OutputRef x = named(b, "Relu", "relu", {b.input("x", {3})});
    b.outputs({b.loop(b.constant(Tensor::scalar(3)), {}, {x}, {}, [](GraphBuild& body, std::vector<OutputRef> in) { return std::vector<OutputRef>{in[1], body.op("Add", {in[2], in[2]})}; })});
  });
  const BisectResult found = bisect_nodes(source, three, {});
  REQUIRE(found.first);
  CHECK(found.first->op == "Loop");
  CHECK(found.first->inside.empty());
}

TEST_CASE("sizes that only a run knows do not stop bisecting", "[session][CR-8]") {
  const auto source = source_of([](GraphBuild& b) {
    const OutputRef x = b.input("x", {"N"});
    const OutputRef at = named(b, "Transpose", "at", {named(b, "NonZero", "nonzero", {x})});
    const OutputRef picked = named(b, "GatherND", "picked", {x, at});
    b.outputs({named(b, "Add", "culprit", {picked, picked})});
  });
  BisectOptions options;
  options.batch_bytes = 8;
  const BisectResult found = bisect_nodes(source, three, options);
  REQUIRE(found.first);
  CHECK(found.first->node == "culprit");
  CHECK(found.compared == 4);
}

TEST_CASE("inputs that contradict the model are refused, saying on which side", "[session][CR-8]") {
  CHECK_THROWS_WITH(bisect_nodes(with_add(), {}, {}), Contains("running the reference"));
  CHECK_THROWS_WITH(bisect_nodes(with_add(), {floats({2, 2}, {1, 2, 3, 4})}, {}), Contains("running the reference"));
}
