// ge-build alone: a graph into a program, with a packing chosen by the program.
#include "check.hpp"

#include "ge/build/build_program.hpp"
#include "ge/model/om.hpp"

using outside::check;

int main() {
  ge::Graph graph("outside");
  const ge::OutputRef x = graph.add_input("x", {ge::DType::float32, ge::Shape{graph.symbols().symbol("N"), graph.symbols().constant(2)}, {}});
  const std::vector<float> two{2, 2};
  ge::NodeSpec spec;
  spec.op = "Mul", spec.name = "double", spec.inputs = {x, graph.add_constant("two", ge::Tensor::from<float>(ge::DType::float32, {2}, std::span(two)))};
  spec.outputs = {"y"};
  graph.set_outputs({{graph.add_node(spec), 0}}, {"y"});
  const ge::InferResult inferred = ge::infer(graph);
  ge::Packing packing;
  packing.choose = [](const ge::Graph&, ge::NodeId, size_t input) { return input == 1 ? "outside_twin" : ""; };
  packing.apply = [](const std::string&, const ge::Tensor& plain) { return plain; };
  const ge::GeModel model = ge::build_program(graph, inferred, packing);
  const ge::Program program = model.tables.view();
  check(program.ops.size() == 1 && program.text_of(program.ops[0].op) == "Mul", "the program has the one op");
  check(outside::mentions(program.dump(), "N"), "its dump shows the symbolic dim");
  check(program.constants.size() == 1 && program.text_of(program.constants[0].packing) == "outside_twin", "the constant is packed");
  check(ge::write_om_bytes(model, "").size() > 64, "it makes a model file");
  return outside::done();
}
