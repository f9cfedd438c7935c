// ge-session alone: compiles the digits model and a graph with an op of the program's own; writes both model files for
// the executor program.   session DIGITS.onnx FOLDER
#include "check.hpp"

#include "ge/model/om.hpp"
#include "ge/ops/schema.hpp"
#include "ge/session/compile.hpp"

using outside::check;

namespace {

void infer_twice(ge::InferContext& context) { context.set_output(0, context.input(0)); }
REGISTER_OP("outside", "Twice", 1, "2 x", ge::OpSchema().in("X").out("Y").infer(infer_twice));

std::unique_ptr<ge::Graph> twice_graph() {
  auto graph = std::make_unique<ge::Graph>("twice");
  ge::NodeSpec spec;
  spec.op = "Twice", spec.domain = "outside", spec.outputs = {"y"};
  spec.inputs = {graph->add_input("x", {ge::DType::float32, ge::Shape{graph->symbols().symbol("N")}, {}})};
  graph->set_outputs({{graph->add_node(spec), 0}}, {"y"});
  return graph;
}

}  // namespace

int main(int, char** argv) {
  const std::string folder = argv[2];
  const ge::Compiled digits = ge::compile_onnx(argv[1]);
  check(digits.model && outside::mentions(digits.model->tables.view().dump(), "Conv"), "the digits model is compiled");
  ge::write_om(folder + "/digits.om", *digits.model, digits.metadata_json);
  const ge::Compiled twice = ge::compile_graph(twice_graph());
  check(twice.model && twice.model->tables.ops.size() == 1, "a graph with an op of one's own is compiled");
  ge::write_om(folder + "/twice.om", *twice.model, twice.metadata_json);
  outside::count("ops", ge::op_schemas().list().size() - 1);
  outside::count("passes", ge::passes().list().size());
  check(outside::mentions(outside::text_of<ge::Error>([] { ge::stage_from_name("polish"); }), "lower"), "an unknown stage is refused with the list");
  return outside::done();
}
