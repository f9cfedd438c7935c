#include "ge/passes/function_bodies.hpp"
#include "passes/graph_case.hpp"
#include "support/catch.hpp"

#include <set>

using namespace ge;
using ge::testing::attributes;
using ge::testing::GraphBuild;
using ge::testing::GraphCase;
using Refs = std::vector<OutputRef>;
using Catch::Matchers::Contains;

namespace {

constexpr auto pass = "expand_functions";

/// Runs the pass alone where kernels are said to be there.
size_t run_with(GraphCase& c, PassContext& context) {
  PassOptions options;
  for (const Registered& item : passes().list())
    if (item.key != pass) options.disabled.insert(item.key);
  infer(c.graph);
  for (const PassCount& count : run_passes(c.graph, context, options).passes)
    if (count.name == pass) return count.changes;
  return 0;
}

// An op of this test's own: the sum of two inputs, and of three where there is a third.
void infer_sums(InferContext& context) {
  for (size_t i : {0, 1}) context.set_output(i, context.input(0));
}
std::vector<Term> build_sums(FunctionBody& body) {
  const Term sum = body.label("two").op("Add", {body.in(0), body.in(1)});
  if (!body.wants(1)) return {sum};
  return {sum, body.has(2) ? sum + body.in(2) : body.in(1) * body.real("weight")};
}
REGISTER_OP("test", "Sums", 1, "the sum of two and of three",
            OpSchema().in("a").in("b").optional_in("c").out("two").optional_out("three").attribute("weight", 0.5f).infer(infer_sums));
REGISTER_FUNCTION_BODY("test", "Sums", "Add, Add", build_sums);

OutputRef sums(GraphBuild& b, Refs inputs, std::vector<std::string> outputs = {"two"}, std::string name = "sums") {
  NodeSpec spec;
  spec.op = "Sums", spec.domain = "test", spec.name = std::move(name), spec.inputs = std::move(inputs), spec.outputs = std::move(outputs);
  return {b.graph.add_node(std::move(spec)), 0};
}

// A body that forgets to look whether its input is there.
std::vector<Term> build_careless(FunctionBody& body) { return {body.in(2) * 2.0}; }
REGISTER_OP("test", "Careless", 1, "", OpSchema().in("a").in("b").optional_in("c").out("y").infer([](InferContext& c) { c.set_output(0, c.input(0)); }));
REGISTER_FUNCTION_BODY("test", "Careless", "", build_careless);

std::set<std::string> live_names(const Graph& graph) {
  std::set<std::string> names;
  for (const Node& node : graph.nodes())
    if (!node.dead() && !node.is(op_types::data) && !node.is(op_types::net_output)) names.insert(node.name());
  return names;
}

}  // namespace

TEST_CASE("an op without a kernel becomes its body", "[passes][CR-3]") {
  // Relu(SwiGLU(a, b)) → Relu(Mul(Swish(a), b))
  GraphCase c;
  const OutputRef a = c.input("a", {"N", 4}), b = c.input("b", {"N", 4});
  const OutputRef gated = c.op("SwiGLU", {a, b}, attributes({{"alpha", 2.0f}}));
  c.outputs({c.op("Relu", {gated})});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Relu(Mul(Swish(a), b))");
  CHECK(c.graph.node(gated.node).dead());
  const Node& product = c.graph.node(c.graph.node(c.graph.outputs()[0].node).inputs()[0].node);
  CHECK(c.graph.node(product.inputs()[0].node).attributes().get_float("alpha", 0) == 2.0f);
  CHECK(to_string(c.graph.type(product.output())) == "float32[N, 4]");
}

TEST_CASE("an op that a kernel runs is left whole", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef a = c.input("a", {"N"});
  c.outputs({c.op("SwiGLU", {a, a}), sums(c, {a, a})});
  PassContext context;
  context.has_kernel = [](const Graph&, const Node& node) { return node.op() == "SwiGLU"; };
  CHECK(run_with(c, context) != 0);
  CHECK(c.text() == "SwiGLU(a, a); Add(a, a)");
}

TEST_CASE("an op without a body is left alone", "[passes][CR-3]") {
  GraphCase c;
  c.outputs({c.op("Relu", {c.input("x", {2})})});
  CHECK(c.run(pass) == 0);
}

TEST_CASE("bodies go into subgraphs, however deep", "[passes][CR-3]") {
  // If(p){ If(p){SwiGLU | Add} | Loop{SwiGLU} }
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {"N"});
  const auto gate = [](GraphBuild& b, const Refs& in) { return Refs{b.op("SwiGLU", {in.back(), in.back()})}; };
  const auto inner = [&](GraphBuild& b, const Refs& in) {
    return Refs{b.branch(in[0], {in[1]}, gate, [](GraphBuild& s, const Refs& s_in) { return Refs{s.op("Add", {s_in[0], s_in[0]})}; })};
  };
  const auto looping = [&](GraphBuild& b, const Refs& in) {
    return Refs{b.loop(b.constant(Tensor::scalar(2)), {}, {in[1]}, {}, [&](GraphBuild& s, const Refs& s_in) { return Refs{s_in[1], gate(s, s_in)[0]}; })};
  };
  c.outputs({c.branch(p, {p, x}, inner, looping)});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "If(p, p, x){If(c0, c1){Mul(Swish(c0), c0) | Add(c0, c0)} | Loop(2, _, c1){c1; Mul(Swish(c2), c2)}}");
}

TEST_CASE("each output that is used is replaced", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"}), y = c.input("y", {"N"});
  const OutputRef both = sums(c, {x, y}, {"two", "three"}), second_only = sums(c, {x, x}, {"", "three_2"});
  c.outputs({both, {both.node, 1}, {second_only.node, 1}});
  c.run(pass);
  CHECK(c.text() == "Add(x, y); Mul(y, 0.5); Mul(x, 0.5)");
}

TEST_CASE("optional inputs and outputs may be absent", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"}), y = c.input("y", {"N"}), z = c.input("z", {"N"});
  const OutputRef all = sums(c, {x, y, z}, {"two", "three"}), absent = sums(c, {x, y, {}}, {"a", "b"}), one = sums(c, {x, y, z}, {"c", ""});
  c.outputs({{all.node, 1}, {absent.node, 1}, one});
  c.run(pass);
  CHECK(c.text() == "Add(Add(x, y), z); Mul(y, 0.5); Add(x, y)");
}

TEST_CASE("new nodes are named after the old one, each in its own way", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"});
  const OutputRef first = sums(c, {x, x, x}, {"two", "three"}, "first"), second = sums(c, {first, x, x}, {"two_2", "three_2"}, "second/two");
  c.outputs({{first.node, 1}, {second.node, 1}});
  c.run(pass);
  CHECK(live_names(c.graph) == std::set<std::string>{"first/two", "first/Add", "second/two/two", "second/two/Add"});
  // The tensors keep their names.
  CHECK(c.graph.tensor_name(c.graph.outputs()[0]) == "three");
  CHECK(c.graph.tensor_name(c.graph.outputs()[1]) == "three_2");
}

TEST_CASE("outputs of the graph keep their names and order, also those that are inputs of the op", "[passes][CR-3]") {
  // Attention without a past: present_key is K.
  GraphCase c;
  const OutputRef q = c.input("q", {1, 2, "S", 4}), k = c.input("k", {1, 2, "T", 4}), v = c.input("v", {1, 2, "T", 4});
  const OutputRef y = c.op("Attention", {q, k, v}, {}, 3);
  c.outputs({{y.node, 1}, y, {y.node, 2}});
  c.run(pass);
  CHECK(c.graph.output_names()[0] == "out0");
  CHECK(c.graph.outputs()[0] == k);
  CHECK(c.graph.outputs()[2] == v);
  CHECK(to_string(c.graph.type(c.graph.outputs()[1])) == "float32[1, 2, S, 4]");
  CHECK_THAT(c.text(), !Contains("Where"));  // nothing is masked
}

TEST_CASE("control edges go to the body", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"});
  const OutputRef before = c.op("Neg", {x}), gated = c.op("SwiGLU", {x, x}), after = c.op("Abs", {x});
  c.graph.add_control_edge(before.node, gated.node);
  c.graph.add_control_edge(gated.node, after.node);
  c.outputs({before, gated, after});
  c.run(pass);
  CHECK(c.text() == "Neg(x); Mul(Swish(x), x); Abs(x)");
  const Node& product = c.graph.node(c.graph.outputs()[1].node);
  CHECK(std::vector(product.control_inputs().begin(), product.control_inputs().end()) == std::vector{before.node});
  CHECK(c.graph.node(product.inputs()[0].node).control_inputs().size() == 1);
  CHECK(c.graph.node(after.node).control_inputs().size() == 2);
}

TEST_CASE("a body that needs an unknown rank leaves its node and says why", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input_of_unknown_rank("x");
  c.outputs({c.op("Attention", {x, x, x})});
  PassContext context;
  CHECK(run_with(c, context) == 0);
  REQUIRE(context.not_expanded.size() == 1);
  CHECK_FALSE(context.not_expanded[0].graph);
  CHECK_THAT(context.not_expanded[0].why, Contains("Attention") && Contains("the rank of 'x' is not known") && Contains("give"));
  CHECK(c.text() == "Attention(x, x, x)");
}

TEST_CASE("in a branch that contradicts itself a node is left", "[passes][CR-3]") {
  // SwiGLU of two shapes: found when the branch is taken, not before.
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {2}), y = c.input("y", {3});
  const auto wrong = [](GraphBuild& b, const Refs& in) { return Refs{b.op("SwiGLU", {in[0], in[1]})}; };
  c.outputs({c.branch(p, {x, y}, wrong, [](GraphBuild& b, const Refs& in) { return Refs{b.op("Neg", {in[0]})}; })});
  PassContext context;
  CHECK(run_with(c, context) == 0);
  REQUIRE(context.not_expanded.size() == 1);
  CHECK(context.not_expanded[0].graph);
}

TEST_CASE("a body that uses an absent input is reported with the node's name", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"});
  NodeSpec spec;
  spec.op = "Careless", spec.domain = "test", spec.name = "careless", spec.inputs = {x, x}, spec.outputs = {"y"};
  c.outputs({{c.graph.add_node(std::move(spec)), 0}});
  CHECK_THROWS_WITH(c.run(pass), Contains("input that is absent") && Contains("'careless'"));
}
