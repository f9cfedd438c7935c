// --attrs: what ONNX cannot say about nodes.
#include "executor/model_case.hpp"
#include "support/catch.hpp"

#include "ge/graph/dump.hpp"
#include "ge/import/attribute_file.hpp"
#include "ge/import/json.hpp"
#include "ge/session/compile.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

/// conv1 = x + 1, conv2 = -conv1, an If with a node "inner_relu" in its first branch
std::unique_ptr<Graph> sample() {
  auto graph = std::make_unique<Graph>("sample");
  GraphBuild b(*graph);
  const OutputRef x = b.input("x", {"N"});
  const auto named = [](GraphBuild& in, std::string op, std::string name, std::vector<OutputRef> inputs) {
    return OutputRef{in.graph.add_node({.op = std::move(op), .name = name, .domain = {}, .attributes = {}, .inputs = std::move(inputs), .outputs = {name + ".out"}, .subgraphs = {}}), 0};
  };
  const OutputRef first = named(b, "Add", "conv1", {x, b.scalar(1)}), second = named(b, "Neg", "conv2", {first});
  const OutputRef picked = b.branch(b.input("p", {}, DType::boolean), {second}, [&](GraphBuild& t, auto in) { return std::vector{named(t, "Relu", "inner_relu", {in[0]})}; },
                                    [&](GraphBuild& e, auto in) { return std::vector{named(e, "Exp", "inner_exp", {in[0]})}; });
  b.outputs({picked, first});
  return graph;
}

const Node& node(const Graph& root, const std::string& name) {
  for (uint32_t g = 0; g <= root.subgraph_count(); ++g)
    for (const Node& one : (g == 0 ? root : root.subgraph(GraphId(g - 1))).nodes())
      if (one.name() == name) return one;
  throw std::runtime_error("no node " + name);
}

std::string refusal(const std::string& json) {
  const auto graph = sample();
  const std::string before = export_json(*graph);
  try {
    set_attributes(*graph, json);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_model);
    CHECK(export_json(*graph) == before);
    return error.what();
  }
  return "(accepted)";
}

}  // namespace

TEST_CASE("an attribute file sets attributes of every kind, in subgraphs too, and control edges", "[session][CR-7]") {
  const auto graph = sample();
  const AttributeFileResult result = set_attributes(*graph, R"({
    "nodes": {"conv1": {"_stage_level": 1, "_stream_label": "s1", "_mine": 0.5, "_flag": true, "_list": [1, 2], "_names": ["a", "b"]},
              "inner_relu": {"_scope": "core"}, "x": {"_variable": "state"}, "sample.NetOutput": {"_stage_level": 2}},
    "control_edges": [["x", "conv2"], ["x", "conv2"]]})");
  CHECK(result.attributes == 9);
  CHECK(result.control_edges == 2);
  CHECK_FALSE(result.names_engines);
  const Attributes& set = node(*graph, "conv1").attributes();
  CHECK(set.get_int("_stage_level", 0) == 1);
  CHECK(set.get_string("_stream_label", "") == "s1");
  CHECK(set.get_float("_mine", 0) == 0.5f);
  CHECK(set.get_int("_flag", 0) == 1);
  CHECK(set.get_ints("_list") == std::vector<int64_t>{1, 2});
  CHECK(set.get_strings("_names") == std::vector<std::string>{"a", "b"});
  CHECK(node(*graph, "inner_relu").attributes().get_string("_scope", "") == "core");
  REQUIRE(node(*graph, "conv2").control_inputs().size() == 1);
  CHECK(graph->node(node(*graph, "conv2").control_inputs()[0]).name() == "x");
  CHECK_THAT(to_text(*graph), Contains("_stage_level=1 _stream_label='s1'") && Contains("'conv2' after 'x'"));
}

TEST_CASE("attributes and control edges stay through a compile and change no value", "[session][CR-7]") {
  const std::string path = (std::filesystem::temp_directory_path() / ("ge_attrs_" + std::to_string(getpid()) + ".json")).string();
  std::ofstream(path) << R"({"nodes": {"conv1": {"_stage_level": 1}, "conv2": {"_engine": "host"}, "inner_relu": {"_stream_label": "s"}, "inner_exp": {"_x": [1.5]}, "p": {"_y": 1}, "sample.NetOutput": {"_z": "z"}},
                             "control_edges": [["conv1", "conv2"], ["p", "conv1"]]})";
  CompileOptions options;
  options.attribute_file = path;
  const Compiled with = compile_graph(sample(), options), without = compile_graph(sample());
  std::remove(path.c_str());
  CHECK(node(*with.graph, "conv1").attributes().get_int("_stage_level", 0) == 1);
  CHECK(node(*with.graph, "conv2").attributes().get_string("_engine", "") == "host");
  CHECK(node(*with.graph, "inner_relu").attributes().get_string("_stream_label", "") == "s");
  CHECK(node(*with.graph, "conv2").control_inputs().size() == 1);
  Instance a(ModelCase::load(*with.model)), b(ModelCase::load(*without.model));
  const std::vector<Tensor> inputs{Tensor::from<float>(DType::float32, {2}, std::vector<float>{1, -3}), bools({}, {1})};
  CHECK(a.shown(inputs) == "float32[2] 0 2; float32[2] 2 -2");
  CHECK(a.shown(inputs) == b.shown(inputs));
}

TEST_CASE("what does not fit is refused with all findings, and nothing is changed", "[session][CR-7]") {
  const std::string text = refusal(R"({
    "nodes": {"conv3": {"_a": 1}, "nothing like it": {"_a": 1}, "conv1": {"group": 1, "_stage_level": "one", "_b": null, "_carried": 1}, "conv2": {"_stage_level": -1}},
    "control_edges": [["conv1", "inner_relu"], ["conv1"], ["conv1", "conv1"], ["x", "cnv2"]], "edges": []})");
  CHECK_THAT(text, Contains("nodes.conv3: there is no node 'conv3'; did you mean 'conv1' or 'conv2'?") && Contains("there is no node 'nothing like it'\n"));
  CHECK_THAT(text, Contains("nodes.conv1.group: the name of an attribute set here begins with '_'") && Contains("nodes.conv1._stage_level: is of kind string, expected int"));
  CHECK_THAT(text, Contains("nodes.conv1._b: found null") && Contains("_carried: this attribute is the importer's") && Contains("nodes.conv2._stage_level: is -1"));
  CHECK_THAT(text, Contains("control_edges[0]: the nodes are in different graphs, 'sample' and 'then'") && Contains("control_edges[1]: found an array of 1 items"));
  CHECK_THAT(text, Contains("control_edges[2]: a node cannot run after itself") && Contains("control_edges[3]: there is no node 'cnv2'; did you mean 'conv2'"));
  CHECK_THAT(text, Contains("key 'edges' is not known; the keys are nodes, control_edges"));
  CHECK_THAT(refusal("[]"), Contains("found an array of 0 items, expected an object"));
  CHECK_THAT(refusal("{\"nodes\": {"), Contains("not JSON") && Contains("line 1"));
  CHECK_THAT(refusal(R"({"nodes": {"conv1": {"_a": 1}, "conv1": {"_a": 2}}})"), Contains("nodes.conv1: this node stands twice"));
  CHECK(refusal("{}") == "(accepted)");
}

TEST_CASE("control edges in a circle are refused by the names in it", "[session][CR-7]") {
  const auto graph = sample();
  CHECK_THROWS_WITH(set_attributes(*graph, R"({"control_edges": [["conv2", "conv1"]]})"), Contains("cycle") && Contains("'conv1'") && Contains("'conv2'"));
}
