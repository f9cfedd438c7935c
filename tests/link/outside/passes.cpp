// ge-passes alone: its passes, one of the program's own and an op of its own with a body work on a graph; an Error thrown by the program's pass gets
// its context in the library and comes back as what it was.
#include "check.hpp"

#include "ge/graph/infer.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/function_bodies.hpp"
#include "ge/passes/run_passes.hpp"

using outside::check;

namespace {

bool refuse = false;

/// Neg(Neg(x)) is x.
ge::Patch drop_double_negation(ge::Graph& graph, ge::PassContext&) {
  if (refuse) throw ge::Error(ge::ErrorCode::unsupported, "refused by the program");
  ge::Patch patch;
  for (const ge::Node& node : graph.nodes()) {
    if (node.dead() || !node.is("Neg") || graph.user_count(node.id()) == 0) continue;
    const ge::Node& inner = graph.node(node.inputs()[0].node);
    if (inner.is("Neg")) patch.replace(node.output(), inner.inputs()[0]);
  }
  return patch;
}
REGISTER_PASS("drop_double_negation", 35, "Neg(Neg(x)) is x", drop_double_negation);

/// An op of the program's own that is made of others: x² · sigmoid(x).
void infer_like_input(ge::InferContext& context) { context.set_output(0, context.input(0)); }
std::vector<ge::Term> build_gated_square(ge::FunctionBody& body) {
  const ge::Term x = body.in(0);
  return {x * x * body.op("Sigmoid", {x})};
}
REGISTER_OP("outside", "GatedSquare", 1, "x^2 sigmoid(x)", ge::OpSchema().in("x").out("y").infer(infer_like_input));
REGISTER_FUNCTION_BODY("outside", "GatedSquare", "x^2 sigmoid(x)", build_gated_square);

ge::OutputRef add(ge::Graph& graph, const char* op, ge::OutputRef input, const char* domain = "") {
  ge::NodeSpec spec;
  spec.op = op, spec.domain = domain, spec.inputs = {input}, spec.outputs = {"t" + std::to_string(graph.node_count())};
  return {graph.add_node(spec), 0};
}

}  // namespace

int main() {
  ge::Graph graph("outside");
  const ge::OutputRef x = graph.add_input("x", {ge::DType::float32, ge::Shape{graph.symbols().constant(4)}, {}});
  const ge::OutputRef y = add(graph, "Neg", add(graph, "Neg", add(graph, "Identity", x)));
  graph.set_outputs({add(graph, "Relu", y)}, {"y"});
  ge::infer(graph);
  ge::PassContext context;
  ge::PassOptions options;
  ge::run_passes(graph, context, options);
  const ge::Node& relu = graph.node(graph.outputs()[0].node);
  check(relu.op() == "Relu" && relu.inputs()[0] == x, "Identity and both Neg are gone");
  check(graph.live_node_count() == 3, "the input, Relu and the output are left");

  ge::Graph made_of_others("made of others");
  const ge::OutputRef z = made_of_others.add_input("x", {ge::DType::float32, ge::Shape{made_of_others.symbols().constant(4)}, {}});
  made_of_others.set_outputs({add(made_of_others, "GatedSquare", z, "outside")}, {"y"});
  ge::infer(made_of_others);
  ge::run_passes(made_of_others, context, options);
  check(made_of_others.node(made_of_others.outputs()[0].node).op() == "Mul", "the program's own op became its body");

  refuse = true;
  const std::string text = outside::text_of<ge::Error>([&] { ge::run_passes(graph, context, options); });
  check(outside::mentions(text, "refused by the program"), "the program's own Error comes back");
  check(outside::mentions(text, "drop_double_negation"), "the runner adds which pass it was");
  outside::count("passes", ge::passes().list().size() - 1);
  return outside::done();
}
