// Graphs of every kind: written as JSON, read, compared, written again.
#include "import/same_graph.hpp"
#include "passes/graph_case.hpp"
#include "support/catch.hpp"

#include "ge/import/json.hpp"

#include <bit>
#include <random>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

/// The text of the graph, after checking that reading it gives the same graph and the same text.
std::string round_trip(const Graph& graph) {
  const std::string text = export_json(graph);
  INFO(text.substr(0, 4000));
  std::unique_ptr<Graph> read;
  REQUIRE_NOTHROW(read = import_json(text));
  CHECK(difference(graph, *read) == "");
  CHECK(export_json(*read) == text);
  return text;
}

Tensor floats(std::vector<int64_t> dims, std::vector<float> values) { return Tensor::from<float>(DType::float32, std::move(dims), std::span<const float>(values)); }

}  // namespace

TEST_CASE("a small graph is written as a page that people read", "[import][CR-1]") {
  GraphCase g;
  const OutputRef x = g.input("x", {"N", 2});
  const OutputRef w = g.graph.add_constant("w", floats({2}, {0.5f, -1}));
  const OutputRef sum = g.op("Add", {x, w});
  g.outputs({g.op("Split", {sum}, attributes({{"axis", int64_t{1}}, {"num_outputs", int64_t{2}}}), 2)});
  infer(g.graph);
  CHECK(round_trip(g.graph) == R"json({
"format": "ge graph",
"version": 1,
"name": "case",
"symbols": [
  {"name": "N", "min": 1}
],
"graphs": [{
"nodes": [
  {"name": "x", "op": "Data", "outputs": [{"name": "x", "type": "float32[N, 2]"}]},
  {"name": "w", "op": "Const", "attributes": {"value": {"tensor": "float32[2]", "data": [0.5, -1.0]}}, "outputs": [{"name": "w", "type": "float32[2]"}]},
  {"name": "Add_2", "op": "Add", "inputs": ["x", "w"], "outputs": [{"name": "t2_0", "type": "float32[N, 2]"}]},
  {"name": "Split_3", "op": "Split", "inputs": ["Add_2"], "attributes": {"axis": 1, "num_outputs": 2}, "outputs": [{"name": "t3_0", "type": "float32[N, 1]"}, {"name": "t3_1", "type": "float32[N, 1]"}]},
  {"name": "case.NetOutput", "op": "NetOutput", "inputs": ["Split_3"]}
],
"outputs": ["out0"]
}]
}
)json");
}

TEST_CASE("attributes of every kind and extreme values come back bit for bit", "[import][CR-1]") {
  GraphCase g;
  const OutputRef x = g.input("x", {2});
  const float odd_nan = std::bit_cast<float>(0xffc01234u), denormal = std::bit_cast<float>(1u);
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<int64_t> long_ints;
  std::vector<float> long_floats;
  for (int i = 0; i < 3000; ++i) long_ints.push_back(i * 7777777777777LL - 5), long_floats.push_back(static_cast<float>(i) / 3);
  Attributes all = attributes({{"_int", int64_t{-5}},
                               {"_int_least", INT64_MIN},
                               {"_int_most", INT64_MAX},
                               {"_float", 0.1f},
                               {"_float_whole", 3.0f},
                               {"_float_zero", -0.0f},
                               {"_float_huge", 3.4028235e38f},
                               {"_float_least", denormal},
                               {"_float_nan", nan},
                               {"_float_nan_odd", odd_nan},
                               {"_float_inf", -infinity},
                               {"_string", std::string("plain")},
                               {"_string_empty", std::string()},
                               {"_string_bytes", std::string("a\0b\xff\xc3(\xe2\x90\x9b\n\"\\\x7f é", 16)},
                               {"_ints", std::vector<int64_t>{1, -2}},
                               {"_ints_empty", std::vector<int64_t>{}},
                               {"_ints_long", long_ints},
                               {"_floats", std::vector<float>{1, -0.0f, 0.3f}},
                               {"_floats_odd", std::vector<float>{1, nan, odd_nan, infinity}},
                               {"_floats_empty", std::vector<float>{}},
                               {"_floats_long", long_floats},
                               {"_strings", std::vector<std::string>{"a", "", std::string("\0", 1)}},
                               {"_strings_empty", std::vector<std::string>{}},
                               {"_tensor", floats({1, 2}, {1, nan})},
                               {"_tensor_none", Tensor()}});
  all.set(std::string("_name\xff\0 with bytes", 18), int64_t{1});
  g.outputs({g.op("Relu", {x}, all)});
  const std::string text = round_trip(g.graph);
  CHECK_THAT(text, Contains("\"_int\": -5") && Contains("\"_float\": 0.1,") && Contains("\"_float_whole\": 3.0") && Contains("\"_float_zero\": -0.0"));
  CHECK_THAT(text, Contains("\"_float_nan\": {\"float\": \"nan\"}") && Contains("{\"float\": \"0xffc01234\"}") && Contains("\"_ints_empty\": {\"ints\": []}"));
  CHECK_THAT(text, Contains("\"a\\u0000b␛FF␛C3(␛E2␛90␛9B\\n\\\"\\\\\\u007F é\""));
}

TEST_CASE("tensors of every dtype come back with the same bytes", "[import][CR-1]") {
  std::mt19937_64 random(7);
  GraphCase g;
  std::vector<OutputRef> constants;
  for (unsigned d = 1; d < dtype_count; ++d) {
    const auto dtype = static_cast<DType>(d);
    if (dtype == DType::string) continue;
    for (const std::vector<int64_t>& dims : {std::vector<int64_t>{}, {0}, {3}, {0, INT64_MAX}, {2, 3, 5}, {13, 11}}) {
      const int64_t count = *element_count(dims);
      std::vector<std::byte> bytes(static_cast<size_t>(*bytes_for(dtype, count)));
      for (auto& byte : bytes) byte = static_cast<std::byte>(dtype == DType::boolean && count < 100 ? random() % 2 : random());
      constants.push_back(g.constant(Tensor::copy_of(dtype, dims, bytes)));
    }
  }
  constants.push_back(g.constant(Tensor::strings({2, 2}, {"a", "", std::string("\0\xfe", 2), "␛"})));
  constants.push_back(g.constant(Tensor::strings({0}, {})));
  constants.push_back(g.constant(floats({4}, {-0.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), std::bit_cast<float>(0x7f800001u)})));
  constants.push_back(g.constant(Tensor::from<double>(DType::float64, {4}, std::vector<double>{0.1, 5e-324, 1.7976931348623157e308, -0.0})));
  constants.push_back(g.constant(Tensor::from<uint64_t>(DType::uint64, {2}, std::vector<uint64_t>{UINT64_MAX, 0})));
  constants.push_back(g.constant(Tensor::from<uint16_t>(DType::float16, {5}, std::vector<uint16_t>{0x3c00, 0x8000, 0x0001, 0x7e00, 0xfc00})));
  constants.push_back(g.constant(Tensor::from<uint16_t>(DType::bfloat16, {4}, std::vector<uint16_t>{0x3f80, 0x0001, 0x7fc0, 0x7f7f})));
  g.outputs(constants);
  const std::string text = round_trip(g.graph);
  CHECK_THAT(text, Contains("\"data\": [0.1, 5e-324, 1.7976931348623157e+308, -0.0]") && Contains("[18446744073709551615, 0]"));
  CHECK_THAT(text, Contains("\"float16[5]\", \"data\": [1.0, -0.0, 5.9604645e-08, \"nan\", \"-inf\"]"));
}

TEST_CASE("types with symbols, expressions, elements and unknown ranks come back", "[import][CR-1][CR-2]") {
  Graph graph("types");
  SymbolTable& s = graph.symbols();
  s.symbol("unused");
  const Expr n = s.symbol("N", {1, 100}), w = s.symbol("a strange `name`\xff", {INT64_MIN, INT64_MAX}), u = s.symbol("u", {-3, INT64_MAX});
  const std::vector<Shape> shapes{{n, 2 * n + 1}, {floor_div(w - 3, 2), ceil_div(n, w)}, {}, {select(equal(n, 1), u, w), min_of(n, max_of(w, u))}, {floor_mod(n - 2 * w, 3) * n}};
  size_t number = 0;
  for (const Shape& shape : shapes) graph.add_input("x" + std::to_string(number++), {DType::float32, shape, std::nullopt});
  graph.add_input("ranked", {DType::undefined, Shape{n}, std::nullopt});
  graph.add_input("open", {DType::int8, std::nullopt, std::nullopt});
  graph.add_input("unknown", {});
  const OutputRef last = graph.add_input("sizes", {DType::int64, Shape{s.constant(2)}, std::vector<Expr>{n + w, logical_and(less(n, w), logical_not(equal(u, 2)))}});
  graph.set_outputs({last}, {"y"});
  const std::string text = round_trip(graph);
  CHECK_THAT(text, Contains("float32[N, 2*N + 1]") && Contains("\"int8[?]\"") && Contains("undefined[N]") && Contains("int64[2]{") && !Contains("unused"));
}

TEST_CASE("subgraphs, control edges, absent inputs and outputs that are not used come back", "[import][CR-1]") {
  GraphCase g;
  const OutputRef x = g.input("x", {"N", 4}), p = g.input("p", {}, DType::boolean);
  const OutputRef picked = g.branch(p, {x}, [](GraphBuild& b, auto in) { return std::vector{b.op("Relu", {in[0]})}; },
                                    [](GraphBuild& b, auto in) {
                                      const OutputRef inner = b.branch(b.boolean(true), {in[0]}, [](GraphBuild& c, auto i) { return std::vector{c.op("Neg", {i[0]})}; },
                                                                       [](GraphBuild& c, auto i) { return std::vector{c.op("Exp", {i[0]})}; });
                                      return std::vector{inner};
                                    });
  const OutputRef looped = g.loop(g.ints({3}), {}, {picked}, {x}, [](GraphBuild& b, auto in) { return std::vector{b.boolean(true), b.op("Add", {in[2], in[3]})}; });
  NodeSpec clip{.op = "Clip", .name = "clip", .domain = {}, .attributes = {}, .inputs = {looped, {}, g.scalar(6)}, .outputs = {"clipped"}, .subgraphs = {}};
  const NodeId clipped = g.graph.add_node(clip);
  NodeSpec pool{.op = "MaxPool", .name = "pool", .domain = {}, .attributes = attributes({{"kernel_shape", std::vector<int64_t>{1}}}), .inputs = {{clipped, 0}}, .outputs = {"pooled", ""}, .subgraphs = {}};
  const NodeId pooled = g.graph.add_node(pool);
  g.graph.add_control_edge(picked.node, pooled);
  g.graph.add_control_edge(x.node, pooled);
  g.outputs({{pooled, 0}, x, x});
  g.graph.add_control_edge(clipped, g.graph.net_output());
  g.graph.set_attribute(g.graph.net_output(), "_mark", int64_t{3});
  g.graph.set_attribute(x.node, "_mark", std::string("input"));
  const std::string text = round_trip(g.graph);
  CHECK_THAT(text, Contains("\"inputs\": [\"Loop_") && Contains(", null, \"") && Contains("\"after\": [\"If_") && Contains("\"subgraphs\": [1, 2]"));
}

TEST_CASE("removed nodes and graphs that nobody owns are left out, and values may stand below their readers", "[import][CR-1]") {
  GraphCase g;
  const OutputRef x = g.input("x", {2});
  const OutputRef relu = g.op("Relu", {x}), neg = g.op("Neg", {relu});
  const OutputRef split = g.op("Split", {neg}, attributes({{"num_outputs", int64_t{2}}}), 2);
  g.outputs({{split.node, 1}});
  g.graph.add_subgraph("nobody's");
  const OutputRef first = g.op("Exp", {x}), second = g.op("Abs", {first});
  Patch patch;
  patch.replace(neg, second);
  patch.remove(neg.node);
  patch.remove(relu.node);
  g.graph.apply(patch);
  const std::string text = round_trip(g.graph);
  CHECK_THAT(text, !Contains("Relu") && !Contains("nobody's") && Contains("\"inputs\": [\"Abs_6\"]") && Contains("[\"Split_3\", 1]"));
}

TEST_CASE("names that collide keep their suffixes", "[import][CR-1]") {
  Graph graph("g");
  const OutputRef x = graph.add_input("g.NetOutput", {DType::float32, Shape{}, std::nullopt});
  graph.set_outputs({x}, {"y"});
  graph.add_node({.op = "Relu", .name = "g.NetOutput", .domain = {}, .attributes = {}, .inputs = {x}, .outputs = {"r"}, .subgraphs = {}});
  CHECK(graph.node(graph.net_output()).name() == "g.NetOutput_1");
  round_trip(graph);
}

TEST_CASE("only a root is written", "[import][CR-1]") {
  Graph graph("g");
  CHECK_THROWS_WITH(export_json(graph.add_subgraph("inner")), Contains("'inner' is a subgraph"));
}

TEST_CASE("types of sequences and optionals are written and read", "[import][CR-1]") {
  GraphCase g;
  SymbolTable& symbols = g.graph.symbols();
  const OutputRef s = g.graph.add_input("s", {DType::float32, Shape{Expr(), symbols.constant(3)}, std::nullopt, ValueKind::sequence});
  const OutputRef o = g.graph.add_input("o", {DType::int64, std::nullopt, std::nullopt, ValueKind::optional});
  const OutputRef both = g.graph.add_input("both", {DType::string, Shape{}, std::nullopt, ValueKind::optional_sequence});
  const OutputRef x = g.input("x", {"N", 3});
  g.outputs({g.op("SequenceInsert", {s, x}), g.op("SequenceConstruct", {x, x}), g.op("OptionalGetElement", {o}), g.op("OptionalGetElement", {both}),
             g.op("Optional", {}, attributes({{"type", std::string("sequence(float32)")}}))});
  infer(g.graph);
  const std::string text = round_trip(g.graph);
  for (const char* type : {"\"sequence(float32[*, 3])\"", "\"optional(int64[?])\"", "\"optional(sequence(string[]))\"", "\"sequence(float32[N, 3])\""}) CHECK_THAT(text, Contains(type));
}

TEST_CASE("types of values that are written wrongly are refused", "[import][CR-1][CR-10]") {
  const auto refusal = [](const std::string& type) {
    const std::string text = R"json({"format": "ge graph", "version": 1, "name": "g", "graphs": [{"nodes": [{"name": "x", "op": "Data", "outputs": [{"name": "x", "type": ")json" + type + R"json("}]}]}]})json";
    try {
      import_json(text);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  CHECK_THAT(refusal("sequence(float32[2]"), Contains("expected ')'"));
  CHECK_THAT(refusal("sequence(sequence(float32[2]))"), Contains("expected a dtype"));
  CHECK_THAT(refusal("sequence(optional(float32[2]))"), Contains("expected a dtype"));
  CHECK_THAT(refusal("float32[*]"), Contains("expected"));
  CHECK_THAT(refusal("sequence(int64[1]{3})"), Contains("expected ')'"));
  CHECK_THAT(refusal("sequence float32[2]"), Contains("expected '('"));
}
