// Any text gives a good graph or one Error that says where the fault is.
#include "passes/graph_case.hpp"
#include "support/catch.hpp"

#include "ge/import/json.hpp"

#include <chrono>
#include <random>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

std::string refusal(const std::string& text, ErrorCode code = ErrorCode::invalid_model) {
  try {
    import_json(text);
  } catch (const Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  return "(imported)";
}

/// A document with these nodes (an input x, then `nodes`, then a NetOutput of `y`).
std::string with_nodes(const std::string& nodes, const std::string& more = "", const std::string& head = "") {
  return R"({"format": "ge graph", "version": 1, "name": "g", )" + head + R"("graphs": [{"nodes": [
    {"name": "x", "op": "Data", "outputs": [{"name": "x", "type": "float32[2]"}]},)" + nodes + R"(
    {"name": "out", "op": "NetOutput", "inputs": ["y"]}], "outputs": ["y"]})" + more + "]}";
}
std::string with_y(const std::string& members, const std::string& more = "") { return with_nodes(R"({"name": "y", "op": "Relu", )" + members + "},", more); }
const std::string good_outputs = R"("outputs": [{"name": "y"}])";

std::string small_document() {
  GraphCase g;
  const OutputRef x = g.input("x", {"N", 4}), p = g.input("p", {}, DType::boolean);
  const OutputRef picked = g.branch(p, {x}, [](GraphBuild& b, auto in) { return std::vector{b.op("Relu", {in[0]})}; }, [](GraphBuild& b, auto in) { return std::vector{b.op("Neg", {in[0]})}; });
  const OutputRef split = g.op("Split", {picked}, attributes({{"axis", int64_t{1}}, {"num_outputs", int64_t{2}}, {"_f", 0.5f}, {"_s", std::string("a\xff")}}), 2);
  NodeSpec clip{.op = "Clip", .name = "clip", .domain = {}, .attributes = {}, .inputs = {{split.node, 1}, {}, g.scalar(6)}, .outputs = {"clipped"}, .subgraphs = {}};
  const NodeId last = g.graph.add_node(clip);
  g.graph.add_control_edge(x.node, last);
  g.outputs({{last, 0}, split, g.constant(Tensor::strings({2}, {"a", "b"})), g.op("Reshape", {x, g.op("Shape", {x})})});
  infer(g.graph);
  return export_json(g.graph);
}

void survives(const std::string& text) {
  try {
    export_json(*import_json(text));
  } catch (const Error&) {
  }
}

}  // namespace

TEST_CASE("text that is no JSON is refused with line and column", "[import][CR-1][CR-10]") {
  CHECK_THAT(refusal(""), Contains("not JSON") && Contains("line 1, column 1"));
  CHECK_THAT(refusal("{\"format\": \"ge graph\",\n  \"version\": }"), Contains("line 2, column 14"));
  CHECK_THAT(refusal("{} {}"), Contains("not JSON"));
  CHECK_THAT(refusal("{\"name\": \"\xff\"}"), Contains("not JSON"));
  CHECK_THAT(refusal("{\"version\": 1e999}"), Contains("not JSON"));
  CHECK_THAT(refusal("[1]"), Contains("the document: found an array of 1 items, expected an object"));
  CHECK_THAT(refusal("{}"), Contains("\"format\": \"ge graph\"") && Contains("'graphs' is missing"));
  CHECK(refusal("{\"a\": \"" + std::string(1'000'000, 'x')).size() < 1000);
}

TEST_CASE("deep nesting is refused without recursion", "[import][CR-10]") {
  CHECK_THAT(refusal(std::string(10'000'000, '[')), Contains("nested more than 64 deep"));
  CHECK_THAT(refusal(with_y("\"attributes\": {\"_a\": " + std::string(100, '[') + std::string(100, ']') + "}")), Contains("nested more than 64 deep") && Contains("graphs[0].nodes[1]"));
}

TEST_CASE("keys that are not known or stand twice are findings that list the known ones", "[import][CR-1][CR-10]") {
  CHECK_THAT(refusal(with_y(good_outputs + ", \"input\": []")), Contains("graphs[0].nodes[1]: key 'input' is not known; the keys are name, op, domain, inputs, after, attributes, subgraphs, outputs"));
  CHECK_THAT(refusal(with_y(good_outputs + ", \"op\": \"Neg\"")), Contains("key 'op' stands twice"));
  CHECK_THAT(refusal(with_nodes("", "", "\"colour\": 1, ")), Contains("key 'colour' is not known; the keys are format, version"));
  CHECK_THAT(refusal(with_nodes("", "", "\"name\": \"g\", ")), Contains("name: this key stands twice"));
  CHECK_THAT(refusal(R"({"format": "ge graph", "version": 2, "name": "g", "graphs": [], "graphs": []})"), Contains("stands twice"));
  CHECK_THAT(refusal(R"({"format": "onnx", "version": 2, "name": "g", "graphs": []})"), Contains("format: found 'onnx', expected 'ge graph'") && Contains("version: found 2"));
  CHECK_THAT(refusal(R"({"graphs": []})"), Contains("'name' (of the graph, a string) has to stand before 'graphs'") || Contains("the document"));
  CHECK_THAT(refusal(R"({"name": "g", "graphs": [{"nodes": []}], "symbols": [{"name": "N"}]})"), Contains("'symbols' has to stand before"));
}

TEST_CASE("all findings of a document come in one error, each with its path", "[import][CR-1][CR-10]") {
  const std::string text = refusal(with_nodes(R"(
    {"name": "a", "op": "Relu", "inputs": ["nobody"], "outputs": [{"name": "a", "type": "float32[M]"}]},
    {"name": "a", "op": "Relu"},
    {"op": "Relu"},
    {"name": "b", "op": "Relu", "inputs": [["x", 1]], "after": ["nobody", 3], "outputs": "b"},
    {"name": "c", "op": 5, "inputs": [7], "attributes": {"_a": null, "_b": [1, "x"], "_c": [], "_d": 1e60}},)"));
  CHECK_THAT(text, Contains("graphs[0].nodes[1].inputs[0]: there is no node 'nobody'") && Contains("nodes[1].outputs[0].type: expected a symbol that stands in the list 'symbols' at 'M]'"));
  CHECK_THAT(text, Contains("nodes[2].name: another node is named 'a'") && Contains("nodes[3]: has no 'name'") && Contains("nodes[4].inputs[0]: node 'x' has no output 1, only 1 outputs"));
  CHECK_THAT(text, Contains("nodes[4].after[0]: there is no node 'nobody'") && Contains("nodes[4].after[1]: found 3, expected a string") && Contains("nodes[4].outputs: found 'b', expected an array"));
  CHECK_THAT(text, Contains("nodes[5].op: found 5") && Contains("nodes[5].inputs[0]: found 7, expected the name of a node"));
  CHECK_THAT(text, Contains("attributes._a: found null") && Contains("attributes._b[1]: found 'x'") && Contains("attributes._c: an empty list does not say of what") && Contains("attributes._d: found 1e60, expected a float32"));
}

TEST_CASE("tensors that contradict themselves are refused before memory is taken", "[import][CR-1][CR-10]") {
  const auto tensor = [](const std::string& value) { return refusal(with_y(good_outputs + R"(, "attributes": {"_t": )" + value + "}")); };
  CHECK_THAT(tensor(R"({"tensor": "float32[2]", "data": [1.0]})"), Contains("_t.data: has 1 elements, expected 2"));
  CHECK_THAT(tensor(R"({"tensor": "float32[4611686018427387904, 4]", "data": []})"), Contains("not a 64-bit number of bytes"));
  CHECK_THAT(tensor(R"({"tensor": "float32[1000000000000]", "base64": "AAAA"})"), Contains("has 3 bytes, expected 4000000000000"));
  CHECK_THAT(tensor(R"({"tensor": "float32[-1]", "data": []})"), Contains("expected a dtype and dims that are numbers"));
  CHECK_THAT(tensor(R"({"tensor": "float32[1,]", "data": [1]})"), Contains("expected a dtype and dims"));
  CHECK_THAT(tensor(R"({"tensor": "int8[1]", "data": [128]})"), Contains("_t.data[0]: found 128, expected a value of int8"));
  CHECK_THAT(tensor(R"({"tensor": "uint64[1]", "data": [-1]})"), Contains("expected a value of uint64"));
  CHECK_THAT(tensor(R"({"tensor": "int32[1]", "data": [1.5]})"), Contains("expected a value of int32"));
  CHECK_THAT(tensor(R"({"tensor": "bool[1]", "data": [2]})"), Contains("expected a value of bool"));
  CHECK_THAT(tensor(R"({"tensor": "int4[2]", "data": [1, 2]})"), Contains("give 'base64'"));
  CHECK_THAT(tensor(R"({"tensor": "string[1]", "base64": ""})"), Contains("give 'data'"));
  CHECK_THAT(tensor(R"({"tensor": "int8[3]", "base64": "AA*A"})"), Contains("not base64"));
  CHECK_THAT(tensor(R"({"tensor": "int8[1]", "base64": "===="})"), Contains("not base64"));
  CHECK_THAT(tensor(R"({"tensor": "int8[1]", "base64": "AB=="})"), Contains("not base64"));
  CHECK_THAT(tensor(R"({"tensor": "int8[1]"})"), Contains("either 'data' or 'base64'"));
  CHECK_THAT(tensor("\"␛9\""), Contains("two hexadecimal digits"));
}

TEST_CASE("types that contradict themselves are refused", "[import][CR-1][CR-10]") {
  const auto typed = [](const std::string& type) { return refusal(with_y(R"("inputs": ["x"], "outputs": [{"name": "y", "type": ")" + type + "\"}]")); };
  CHECK_THAT(typed("float32[-3]"), Contains("dim 0 is -3, expected 0 or more"));
  CHECK_THAT(typed("int64[2]{1}"), Contains("gives 1 elements"));
  CHECK_THAT(typed("float32[1]{1}"), Contains("int64, int32 or bool"));
  CHECK_THAT(typed("int64[?]{1}"), Contains("gives 1 elements"));
  CHECK_THAT(typed("float31[2]"), Contains("a dtype such as float32"));
}

TEST_CASE("graphs that are not valid are refused", "[import][CR-1][CR-10]") {
  CHECK_THAT(refusal(with_nodes(R"({"name": "y", "op": "Add", "inputs": ["x", "z"], "outputs": [{"name": "y"}]}, {"name": "z", "op": "Relu", "inputs": ["y"], "outputs": [{"name": "z"}]},)")), Contains("cycle"));
  CHECK_THAT(refusal(with_y(R"("inputs": ["x"], "after": ["out"], )" + good_outputs)), Contains("cycle"));
  CHECK_THAT(refusal(with_y(R"("inputs": ["y"], )" + good_outputs)), Contains("cycle"));
  CHECK_THAT(refusal(with_nodes(R"({"name": "y", "op": "Nonsense", "outputs": [{"name": "y"}]},)")), Contains("op is not registered"));
  CHECK_THAT(refusal(with_nodes(R"({"name": "y", "op": "Data"},)")), Contains("a Data node has one output"));
  CHECK_THAT(refusal(with_nodes(R"({"name": "y", "op": "NetOutput"},)")), Contains("NetOutput"));
  CHECK_THAT(refusal(R"({"format": "ge graph", "version": 1, "name": "g", "graphs": [{"nodes": []}]})"), Contains("has no node of op NetOutput"));
  CHECK_THAT(refusal(R"({"format": "ge graph", "version": 1, "name": "g", "graphs": [{"nodes": [{"name": "o", "op": "NetOutput", "inputs": [null]}], "outputs": ["y"]}]})"), Contains("null: an output is a value"));
}

TEST_CASE("subgraphs have one owner and are not nested without end", "[import][CR-1][CR-10]") {
  const auto body = [](const std::string& nodes) { return R"(, {"name": "b", "nodes": [)" + nodes + R"({"name": "o)" + std::to_string(nodes.size()) + R"(", "op": "NetOutput", "inputs": []}], "outputs": []})"; };
  CHECK_THAT(refusal(with_y("\"inputs\": [\"x\"], " + good_outputs, body(""))), Contains("graphs[1]: belongs to no node"));
  CHECK_THAT(refusal(with_y("\"subgraphs\": [2], " + good_outputs, body(""))), Contains("but there are only the graphs 0 to 1"));
  CHECK_THAT(refusal(with_y("\"subgraphs\": [0], " + good_outputs, body(""))), Contains("1 or more (0 is the root)"));
  CHECK_THAT(refusal(with_y("\"subgraphs\": [1, 1], " + good_outputs, body(""))), Contains("belongs to another node already"));
  CHECK_THAT(refusal(with_y("\"inputs\": [\"x\"], " + good_outputs, body(R"({"name": "i", "op": "If", "subgraphs": [1]}, )"))), Contains("in a circle"));
  std::string chain;
  for (int i = 1; i <= 2000; ++i)
    chain += R"(, {"name": "b", "nodes": [{"name": "i)" + std::to_string(i) + R"(", "op": "If", "subgraphs": [)" + std::to_string(i + 1) + R"(]}, {"name": "o)" + std::to_string(i) + R"(", "op": "NetOutput"}], "outputs": []})";
  CHECK_THAT(refusal(with_y("\"subgraphs\": [1], " + good_outputs, chain)), Contains("nested more than 64 deep"));
}

TEST_CASE("small texts do not become large graphs", "[import][CR-10]") {
  std::string list = "[0";
  for (int i = 0; i < 10'000'000; ++i) list += ",0";
  CHECK_THAT(refusal(with_y(good_outputs + ", \"attributes\": {\"_a\": " + list + "]}"), ErrorCode::out_of_memory), Contains("more than its limit"));
  std::string nodes;
  for (int i = 0; i < 1'000'000; ++i) nodes += "{\"name\":\"" + std::to_string(i) + "\",\"op\":\"A\"},";
  CHECK_THAT(refusal(with_nodes(nodes), ErrorCode::out_of_memory), Contains("more than its limit"));
  std::string strings = "[\"\"";
  for (int i = 0; i < 5'000'000; ++i) strings += ",\"\"";
  CHECK_THAT(refusal(with_y(good_outputs + ", \"attributes\": {\"_a\": " + strings + "]}"), ErrorCode::out_of_memory), Contains("more than its limit"));
}

TEST_CASE("many attributes, findings and inputs take linear time", "[import][CR-10]") {
  const auto start = std::chrono::steady_clock::now();
  std::string many;
  for (int i = 300'000; i > 0; --i) many += (many.empty() ? "\"_" : ", \"_") + std::to_string(i) + "\": 1";
  std::string same;
  for (int i = 0; i < 300'000; ++i) same += i ? ", \"x\"" : "\"x\"";
  JsonLimits wide{size_t{4} << 30};
  CHECK_NOTHROW(import_json(with_nodes(R"({"name": "y", "op": "Max", "attributes": {)" + many + R"(}, "inputs": [)" + same + "], " + good_outputs + "},"), wide));
  std::string wrong;
  for (int i = 0; i < 300'000; ++i) wrong += "{},";
  CHECK_THAT(refusal(with_nodes(wrong)), Contains("and 950 more"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
}

TEST_CASE("every prefix of a document, and every one with a changed character, imports or is refused", "[import][CR-10]") {
  const std::string document = small_document();
  REQUIRE_NOTHROW(import_json(document));
  for (size_t size = 0; size < document.size(); ++size) survives(document.substr(0, size));
  for (size_t at = 0; at < document.size(); ++at)
    for (const char c : {'0', '9', '"', ',', ']', '}', '\\', '\xff', static_cast<char>(document[at] ^ 1), static_cast<char>(document[at] ^ 8)}) {
      std::string changed = document;
      changed[at] = c;
      survives(changed);
    }
}

TEST_CASE("documents with pieces left out, doubled or swapped import or are refused", "[import][CR-10]") {
  const std::string document = small_document();
  std::mt19937 random(42);
  INFO("seed 42");
  for (int i = 0; i < 4000; ++i) {
    std::string changed = document;
    for (int edit = 0; edit < 1 + i % 3; ++edit) {
      const size_t at = random() % changed.size(), size = std::min<size_t>(random() % 40, changed.size() - at), from = random() % changed.size();
      if (random() % 2) changed.erase(at, size);
      else changed.insert(at, changed.substr(from, size));
      if (changed.empty()) break;
    }
    survives(changed);
  }
}

TEST_CASE("a graph of 100,000 nodes is written and read in seconds", "[import][CR-1][CR-10]") {
  GraphCase g;
  OutputRef x = g.input("x", {"N", "M"});
  std::vector<OutputRef> recent(8, x);
  for (int i = 0; i < 100'000; ++i) {
    recent[static_cast<size_t>(i) % 8] = x = g.op("Add", {x, recent[static_cast<size_t>(i * 7) % 8]});
    TensorType type = g.graph.type({g.graph.inputs()[0], 0});
    g.graph.set_type(x, type);
  }
  g.outputs({x});
  const auto start = std::chrono::steady_clock::now();
  const std::string text = export_json(g.graph);
  const auto written = std::chrono::steady_clock::now();
  const auto read = import_json(text);
  const auto seconds = [](auto duration) { return std::chrono::duration<double>(duration).count(); };
  CHECK(read->live_node_count() == g.graph.live_node_count());
  INFO("written in " << seconds(written - start) << " s, read in " << seconds(std::chrono::steady_clock::now() - written) << " s");
  CHECK(seconds(std::chrono::steady_clock::now() - start) < 20);
  CHECK(export_json(*read) == text);
}
