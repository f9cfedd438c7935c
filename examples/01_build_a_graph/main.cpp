// Builds a graph by hand, lets inference work out its shapes, and prints it in three forms.
//
//     image [N,3,H,W] ──► Conv 3x3, stride 2 ──► Relu ──► GlobalAveragePool ──► Flatten ──► features [N,8]
//                          ▲ weights [8,3,3,3]
//
//   01_build_a_graph [FILE.dot]      writes Graphviz to FILE.dot, too
#include "ge/graph/dump.hpp"
#include "ge/graph/infer.hpp"
#include "ge/graph/verify.hpp"

#include <cstdio>
#include <fstream>

int main(int argc, char** argv) try {
  ge::Graph graph("features");

  // Dims are expressions over symbols. A symbol has bounds; nothing else is known of it until a run binds it.
  ge::SymbolTable& symbols = graph.symbols();
  const ge::Expr n = symbols.symbol("N", {1, 64}), h = symbols.symbol("H", {16, 4096}), w = symbols.symbol("W", {16, 4096});
  const ge::OutputRef image = graph.add_input("image", {ge::DType::float32, ge::Shape{n, symbols.constant(3), h, w}, std::nullopt});

  const std::vector<float> ramp(8 * 3 * 3 * 3, 0.125f);
  const ge::OutputRef weights = graph.add_constant("weights", ge::Tensor::from<float>(ge::DType::float32, {8, 3, 3, 3}, std::span(ramp)));

  // A node: op, name, attributes, the values it reads, and the names of the values it gives.
  ge::Attributes window;
  window.set("strides", std::vector<int64_t>{2, 2});
  window.set("pads", std::vector<int64_t>{1, 1, 1, 1});
  const auto node = [&](const char* op, std::vector<ge::OutputRef> inputs, ge::Attributes attributes = {}) {
    const std::string name = op;
    return graph.node(graph.add_node({.op = name, .name = name, .attributes = std::move(attributes), .inputs = std::move(inputs), .outputs = {name + "_out"}})).output();
  };
  const ge::OutputRef conv = node("Conv", {image, weights}, window);
  const ge::OutputRef pooled = node("GlobalAveragePool", {node("Relu", {conv})});
  graph.set_outputs({node("Flatten", {pooled})}, {"features"});

  // verify() finds what is wrong with the structure, infer() what contradicts the operators.
  ge::verify(graph);
  const ge::InferResult inferred = ge::infer(graph);
  std::printf("%s\n%s\n", ge::to_text(graph).c_str(), inferred.dump(graph).c_str());
  std::printf("Conv gives %s\n", ge::to_string(graph.type(conv)).c_str());

  if (argc > 1) std::ofstream(argv[1]) << ge::to_dot(graph);
} catch (const ge::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
