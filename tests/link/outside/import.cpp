// ge-import alone: a model file into a graph.   import DIGITS.onnx ...
#include "check.hpp"

#include "ge/graph/infer.hpp"
#include "ge/import/onnx.hpp"

using outside::check;

int main(int, char** argv) {
  ge::ImportOptions options;
  options.input_shapes["image"] = {5, 1, 8, 8};
  const auto graph = ge::import_onnx_file(argv[1], options);
  ge::infer(*graph);
  check(graph->inputs().size() == 1 && graph->outputs().size() == 1, "the model has one input and one output");
  check(ge::to_string(graph->type(graph->outputs()[0])) == "float32[5, 10]", "the output's type follows from the input's");
  check(!outside::text_of<ge::Error>([] { ge::import_onnx_file("no such file"); }).empty(), "a missing file is an Error");
  return outside::done();
}
