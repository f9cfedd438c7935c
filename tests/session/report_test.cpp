// What the report page is made of, and that no text of a model can break it.
#include "executor/random_graph.hpp"
#include "ge/session/report/report.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

CompileReport report_of(std::unique_ptr<Graph> graph, ReportRequest request = {}, const CompileOptions& options = {}) {
  const Compiled compiled = compile_graph(std::move(graph), options);
  return gather_report(compiled, options, request);
}

const CompileReport::Node& node_named(const CompileReport& report, const std::string& name, size_t graph = 0) {
  for (const auto& node : report.graphs.at(graph).nodes)
    if (node.name == name) return node;
  throw std::runtime_error("no node " + name);
}

Tensor floats(std::vector<int64_t> dims, float value = 1) {
  const std::vector<float> values(static_cast<size_t>(*element_count(dims)), value);
  return Tensor::from<float>(DType::float32, dims, std::span<const float>(values));
}

size_t count_of(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// [["a", "b"], …]; json's own braces would make an object of it.
json pairs(std::vector<std::pair<std::string, std::string>> list) {
  json out = json::array();
  for (const auto& [a, b] : list) out.push_back(json::array({a, b}));
  return out;
}

/// Relu(x + c) over x[N, 4]; op nodes are named "sum" and "positive".
std::unique_ptr<Graph> two_ops() {
  auto graph = std::make_unique<Graph>("two ops");
  GraphBuild b(*graph);
  const OutputRef x = b.input("x", {"N", 4});
  const OutputRef c = graph->add_constant("c", floats({4}));
  const OutputRef sum{graph->add_node({.op = "Add", .name = "sum", .domain = "", .attributes = {}, .inputs = {x, c}, .outputs = {"s"}, .subgraphs = {}}), 0};
  const OutputRef y{graph->add_node({.op = "Relu", .name = "positive", .domain = "", .attributes = {}, .inputs = {sum}, .outputs = {"y"}, .subgraphs = {}}), 0};
  b.outputs({y});
  return graph;
}

}  // namespace

TEST_CASE("a report has the graph's facts: ports, nodes, edges, constants", "[session][CR-8]") {
  ReportRequest request;
  request.model = "two.onnx";
  request.stages = {{"infer", 1.5}};
  request.no_inputs_because = "N is open";
  const json data = json::parse(to_json(report_of(two_ops(), request)));
  CHECK(data["model"] == "two.onnx");
  CHECK(data["inputs"] == pairs({{"x", "float32[N, 4]"}}));
  CHECK(data["outputs"] == pairs({{"out0", "float32[N, 4]"}}));
  CHECK(data["imported_ops"] == 2);
  CHECK(data["compiled_ops"] == 2);
  CHECK(data["constant_bytes"] == 16);
  CHECK(data["stages"] == json::array({json::array({"infer", 1.5})}));
  const json& nodes = data["graphs"][0]["nodes"];
  REQUIRE(nodes.size() == 4);  // x, Add, Relu, the outputs
  CHECK(nodes[0]["kind"] == "input");
  CHECK(nodes[1]["name"] == "sum");
  CHECK(nodes[1]["inputs"] == json({{0, 0}, {-1, 0}}));
  CHECK(nodes[2]["inputs"] == json({{1, 0}}));
  CHECK(nodes[2]["outputs"] == pairs({{"y", "float32[N, 4]"}}));
  CHECK(nodes[3]["kind"] == "output");
  CHECK(data["constants"] == json({{{"name", "c"}, {"type", "float32[4]"}, {"value", ""}, {"bytes", 16}}}));
  CHECK(data["memory"]["why_none"] == "N is open");
  CHECK(data["time"]["why_none"] == "N is open");
}

TEST_CASE("a report counts nodes before and after the passes, and tells disabled passes", "[session][CR-8]") {
  const auto graph = [] {
    auto made = std::make_unique<Graph>("folds");
    GraphBuild b(*made);
    b.outputs({b.op("Add", {b.input("x", {2}), b.op("Add", {b.scalar(1), b.scalar(2)})})});
    return made;
  };
  const CompileReport report = report_of(graph());
  CHECK(report.imported_ops == 2);
  CHECK(report.compiled_ops == 1);
  CompileOptions options;
  options.disabled_passes = {"fold_constants"};
  const CompileReport without = report_of(graph(), {}, options);
  CHECK(without.compiled_ops == 2);
  for (const auto& pass : without.passes) CHECK(pass.disabled == (pass.name == "fold_constants"));
}

TEST_CASE("each node's kernel has its reasons", "[session][CR-8]") {
  using Verdict = CompileReport::Verdict;
  const auto graph = [] {
    auto made = std::make_unique<Graph>("kernels");
    GraphBuild b(*made);
    const OutputRef x = b.input("x", {"N", 4});
    const OutputRef dim = b.op("Gather", {b.op("Shape", {x}), b.constant(Tensor::scalar(0))});
    const OutputRef twice{made->add_node({.op = "Add", .name = "known", .domain = "", .attributes = {}, .inputs = {dim, dim}, .outputs = {"k"}, .subgraphs = {}}), 0};
    const OutputRef sum{made->add_node({.op = "Add", .name = "computed", .domain = "", .attributes = {}, .inputs = {x, x}, .outputs = {"s"}, .subgraphs = {}}), 0};
    b.outputs({twice, sum});
    return made;
  };
  const auto verdicts = [](const CompileReport& report, const std::string& name) {
    std::map<std::string, Verdict> out;
    for (const auto& candidate : report.choices.at(static_cast<size_t>(node_named(report, name).choice))) out[candidate.engine] = candidate.verdict;
    return out;
  };
  const CompileReport all = report_of(graph());
  CHECK(verdicts(all, "known") == std::map<std::string, Verdict>{{"host", Verdict::chosen}, {"reference", Verdict::not_needed}});
  CHECK(verdicts(all, "computed") == std::map<std::string, Verdict>{{"host", Verdict::not_supported}, {"reference", Verdict::chosen}});
  CompileOptions options;
  options.engines = {"reference"};
  CHECK(verdicts(report_of(graph(), {}, options), "known") == std::map<std::string, Verdict>{{"host", Verdict::not_allowed}, {"reference", Verdict::chosen}});
}

TEST_CASE("subgraphs are graphs of their own that name their owner", "[session][CR-8]") {
  auto graph = std::make_unique<Graph>("branches");
  GraphBuild b(*graph);
  const OutputRef condition = b.input("p", {}, DType::boolean), x = b.input("x", {3});
  b.outputs({b.branch(condition, {x}, [](GraphBuild& t, auto& c) { return std::vector<OutputRef>{t.op("Neg", {c[0]})}; },
                      [](GraphBuild& e, auto& c) { return std::vector<OutputRef>{e.op("Exp", {c[0]})}; })});
  const CompileReport report = report_of(std::move(graph));
  REQUIRE(report.graphs.size() == 3);
  CHECK(report.graphs[0].owner_graph == -1);
  for (size_t g : {1, 2}) {
    CHECK(report.graphs[g].owner_graph == 0);
    const auto& owner = report.graphs[0].nodes.at(static_cast<size_t>(report.graphs[g].owner_node));
    CHECK(owner.op == "If");
    CHECK(owner.subgraphs == std::vector<uint32_t>{1, 2});
    CHECK(owner.choice == -1);
  }
  CHECK(report.compiled_ops == 3);
}

TEST_CASE("names of a model cannot end the script, and need not be UTF-8", "[session][CR-8][CR-10]") {
  const std::string name = "</script><script>throw 1</script><!--\"'\\ &amp; \xff\xc3 \x01 \xe2\x80\xa8";
  auto graph = std::make_unique<Graph>(name);
  GraphBuild b(*graph);
  const OutputRef x = b.input(name + "in", {2});
  NodeSpec spec{.op = "Relu", .name = name, .domain = "", .attributes = {}, .inputs = {x}, .outputs = {name + "out"}, .subgraphs = {}};
  graph->set_outputs({{graph->add_node(std::move(spec)), 0}}, {name});
  ReportRequest request;
  request.model = name;
  request.inputs = {floats({2})};
  const CompileReport report = report_of(std::move(graph), request);
  const std::string page = report_page(report), plain = report_page({});
  for (const char* part : {"<script", "</script", "<!--"}) CHECK(count_of(page, part) == count_of(plain, part));
  const json data = json::parse(to_json(report));
  const std::string shown = "</script><script>throw 1</script><!--\"'\\ &amp; \xef\xbf\xbd\xef\xbf\xbd \x01 \xe2\x80\xa8";
  CHECK(data["model"] == shown);
  CHECK(data["graphs"][0]["nodes"][1]["name"] == shown);
  CHECK(data["memory"].contains("arena_bytes"));
  CHECK(data["time"]["by_node"][0]["name"] == shown);
}

TEST_CASE("a graph with more nodes than a page can draw is told by op", "[session][CR-8]") {
  auto graph = std::make_unique<Graph>("long");
  GraphBuild b(*graph);
  OutputRef x = b.input("x", {2});
  for (int i = 0; i < 30; ++i) x = b.op(i % 3 == 0 ? "Exp" : "Tanh", {x});
  b.outputs({x});
  ReportRequest request;
  request.most_nodes = 31;  // 30 ops, the input and the outputs are one more
  request.inputs = {floats({2}, 0)};
  const CompileReport report = report_of(std::move(graph), request);
  CHECK(report.graphs.empty());
  CHECK_THAT(report.nodes_left_out, Contains("32 nodes") && Contains("31"));
  CHECK(report.op_counts == std::vector<std::pair<std::string, uint64_t>>{{"Tanh", 20}, {"Exp", 10}});
}

TEST_CASE("times are those of the measured runs, each task counted once a run", "[session][CR-8]") {
  ReportRequest request;
  request.inputs = {floats({3, 4})};
  request.most_runs = 4;
  request.enough_ms = 1e6;
  const CompileReport report = report_of(two_ops(), request);
  CHECK(report.shapes == "x [3, 4]");
  CHECK(report.time.why_none.empty());
  CHECK(report.time.runs == 4);
  CHECK(report.time.median_ms > 0);
  REQUIRE(report.time.by_node.size() == 2);
  double total = 0;
  for (const auto& row : report.time.by_node) {
    CHECK(row.tasks == 4);
    CHECK(row.kernel == "reference");
    CHECK(row.op == (row.name == "sum" ? "Add" : "Relu"));
    CHECK(row.total_ms > 0);
    total += row.total_ms;
  }
  CHECK(report.time.by_node[0].total_ms >= report.time.by_node[1].total_ms);
  double by_op = 0;
  for (const auto& row : report.time.by_op) by_op += row.total_ms;
  CHECK(by_op == Approx(total));
}

TEST_CASE("a run that fails is told on the page and ends nothing", "[session][CR-8]") {
  auto graph = std::make_unique<Graph>("fails");
  GraphBuild b(*graph);
  b.outputs({b.op("Gather", {b.input("x", {2}), b.input("i", {1}, DType::int64)})});
  ReportRequest request;
  request.inputs = {floats({2}), Tensor::ints(std::vector<int64_t>{7})};
  const CompileReport report = report_of(std::move(graph), request);
  CHECK_THAT(report.time.why_none, Contains("A run on random inputs failed") && Contains("Gather") && Contains("out of range"));
  CHECK(report.memory.why_none.empty());
}

TEST_CASE("a report says what sizes a run refuses", "[session][CR-8]") {
  ReportRequest request;
  request.inputs = {floats({3, 5})};
  const CompileReport report = report_of(two_ops(), request);
  CHECK_THAT(report.memory.why_none, Contains("refused") && Contains("'x'") && Contains("[3, 5]"));
  CHECK_THAT(report.time.why_none, Contains("'x'"));
}
