// TypeProtos of sequences and optionals: graph inputs, subgraph inputs, attributes; what is refused.
#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

#include "ge/graph/infer.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

/// TypeProto of a tensor: dims as in OnnxGraph::input, numbers or names.
ProtoBytes tensor_type(DType dtype, const std::vector<std::string>& dims) {
  ProtoBytes shape;
  for (const std::string& dim : dims) shape.message(1, std::isdigit(static_cast<unsigned char>(dim[0])) != 0 ? ProtoBytes().integer(1, std::stoll(dim)) : ProtoBytes().bytes(2, dim));
  return ProtoBytes().message(1, ProtoBytes().integer(1, static_cast<int64_t>(dtype)).message(2, shape));
}
ProtoBytes sequence_of(const ProtoBytes& type) { return ProtoBytes().message(4, ProtoBytes().message(1, type)); }
ProtoBytes optional_of(const ProtoBytes& type) { return ProtoBytes().message(9, ProtoBytes().message(1, type)); }
ProtoBytes map_of(const ProtoBytes& type) { return ProtoBytes().message(5, ProtoBytes().integer(1, 7).message(2, type)); }

std::string type_of_input(const ProtoBytes& type) {
  OnnxGraph g;
  g.value(11, "x", type).node(OnnxNode("Identity", {"x"}, {"y"})).output("y");
  const auto graph = import_onnx(OnnxModel(g).opset(25));
  return to_string(graph->type({graph->inputs()[0], 0}));
}

std::string refusal_of_input(const ProtoBytes& type) {
  try {
    return "imported as " + type_of_input(type);
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("inputs are sequences and optionals; their named dims may differ", "[import][CR-1]") {
  const ProtoBytes t = tensor_type(DType::float32, {"N", "3"});
  CHECK(type_of_input(sequence_of(t)) == "sequence(float32[*, 3])");
  CHECK(type_of_input(optional_of(t)) == "optional(float32[*, 3])");
  CHECK(type_of_input(optional_of(sequence_of(tensor_type(DType::int64, {})))) == "optional(sequence(int64[]))");
  CHECK(type_of_input(sequence_of(ProtoBytes().message(1, ProtoBytes().integer(1, 8)))) == "sequence(string[?])");
}

TEST_CASE("kinds that no operator takes are refused with the reason", "[import][CR-1][CR-10]") {
  const ProtoBytes t = tensor_type(DType::float32, {});
  CHECK_THAT(refusal_of_input(map_of(t)), Contains("input 'x'") && Contains("is a map; no operator of ai.onnx takes or gives maps"));
  CHECK_THAT(refusal_of_input(sequence_of(map_of(t))), Contains("is a sequence of map"));
  CHECK_THAT(refusal_of_input(sequence_of(sequence_of(t))), Contains("is a sequence of sequence; only tensors"));
  CHECK_THAT(refusal_of_input(optional_of(optional_of(t))), Contains("is a optional of optional"));
  CHECK_THAT(refusal_of_input(sequence_of(tensor_type(static_cast<DType>(99), {}))), Contains("element type 99"));
  ProtoBytes deep = t;
  for (int i = 0; i < 10000; ++i) deep = sequence_of(deep);
  CHECK_THAT(refusal_of_input(deep), Contains("is a sequence of sequence"));
}

TEST_CASE("the type of an optional without element", "[import][CR-1]") {
  const auto imported = [](const ProtoBytes& type) {
    OnnxGraph g;
    g.node(OnnxNode("Optional", {}, {"y"}).attribute(OnnxNode::start("type", 13).message(14, type))).output("y");
    const auto graph = import_onnx(OnnxModel(g).opset(18));
    infer(*graph);
    return to_string(graph->type(graph->outputs()[0]));
  };
  CHECK(imported(tensor_type(DType::int32, {"2"})) == "optional(int32[?])");
  CHECK(imported(sequence_of(tensor_type(DType::float32, {}))) == "optional(sequence(float32[?]))");
  CHECK_THROWS_WITH(imported(map_of(tensor_type(DType::float32, {}))), Contains("attribute 'type' is the type of a map"));
}

TEST_CASE("a map over a sequence becomes a node with its captures", "[import][CR-1]") {
  OnnxGraph body("body"), g;
  body.input("e", DType::float32, {}).node(OnnxNode("Add", {"e", "outer"}, {"r"})).output("r");
  g.value(11, "s", sequence_of(tensor_type(DType::float32, {"N"}))).input("outer", DType::float32, {"1"});
  g.node(OnnxNode("SequenceMap", {"s"}, {"m"}).set("body", body)).output("m");
  const auto graph = import_onnx(OnnxModel(g).opset(17));
  infer(*graph);
  const Node& map = only(*graph, "SequenceMap");
  CHECK(map.inputs().size() == 2);
  CHECK(map.attributes().get_int("_carried", 0) == 1);
  CHECK(to_string(graph->type(map.output())) == "sequence(float32[*])");
}

TEST_CASE("shapes of a sequence cannot be given before a run", "[import][CR-1]") {
  OnnxGraph g;
  g.value(11, "s", sequence_of(tensor_type(DType::float32, {"N"}))).node(OnnxNode("SequenceLength", {"s"}, {"n"})).output("n");
  CHECK_THROWS_WITH(import_onnx(OnnxModel(g).opset(17), {{{"s", {4}}}}), Contains("it is a sequence, whose shapes are those of each run"));
}
