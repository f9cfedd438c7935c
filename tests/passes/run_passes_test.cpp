#include "passes/graph_case.hpp"
#include "support/catch.hpp"

#include <algorithm>

using namespace ge;
using ge::testing::attributes;
using ge::testing::FloatEvaluator;
using ge::testing::GraphBuild;
using ge::testing::GraphCase;
using Refs = std::vector<OutputRef>;

namespace {

/// Replaces op `from` by `to`, where the node is marked; a pair of these undoes each other for ever.
Patch swap_op(Graph& graph, const char* from, const char* to) {
  Patch patch;
  for (NodeId id(0); id.value < graph.node_count(); ++id.value) {
    const Node& node = graph.node(id);
    if (node.dead() || !node.is(from) || !node.attributes().has("_swap")) continue;
    NodeSpec spec;
    spec.op = to;
    spec.inputs.assign(node.inputs().begin(), node.inputs().end());
    spec.outputs = {"t"};
    spec.attributes = node.attributes();
    patch.replace({id, 0}, {graph.add_node(std::move(spec)), 0});
    patch.remove(id);
    break;
  }
  return patch;
}
Patch to_exp(Graph& graph, PassContext&) { return swap_op(graph, "Relu", "Exp"); }
Patch to_relu(Graph& graph, PassContext&) { return swap_op(graph, "Exp", "Relu"); }

/// Never done on its own.
Patch back_and_forth(Graph& graph, PassContext&) {
  Patch patch;
  for (const Node& node : graph.nodes())
    if (!node.dead() && node.attributes().has("_restless"))
      patch.rewire({graph.net_output(), 0}, graph.outputs()[0] == node.inputs()[0] ? node.output() : node.inputs()[0]);
  return patch;
}

Patch fail(Graph& graph, PassContext&) {
  for (const Node& node : graph.nodes())
    if (node.attributes().has("_fail")) throw Error(ErrorCode::internal, "told to fail");
  return {};
}

/// Leaves a Data node's reader with a graph that inference refuses.
Patch spoil(Graph& graph, PassContext&) {
  Patch patch;
  for (const Node& node : graph.nodes())
    if (node.attributes().has("_spoil") && graph.type(node.inputs()[0]).dtype != DType::string)
      patch.rewire({node.id(), 0}, graph.add_constant("text", Tensor::strings({}, {"a"})));
  return patch;
}

REGISTER_PASS("test_to_exp", 50, "for tests", to_exp);
REGISTER_PASS("test_to_relu", 51, "for tests", to_relu);
REGISTER_PASS("test_back_and_forth", 52, "for tests", back_and_forth);
REGISTER_PASS("test_fail", 53, "for tests", fail);
REGISTER_PASS("test_spoil", 54, "for tests", spoil);

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

const PassCount& line(const PassReport& report, const std::string& name) {
  return *std::find_if(report.passes.begin(), report.passes.end(), [&](const PassCount& count) { return count.name == name; });
}

}  // namespace

TEST_CASE("passes run by order, then name, and work together over several rounds", "[passes][CR-3]") {
  // If(Equal(Size(x), 6)){Mul(c0, Add(0.5, 0.5)) | Exp(c0)} → x
  GraphCase c;
  FloatEvaluator evaluator;
  const OutputRef x = c.input("x", {2, 3});
  const OutputRef six = c.op("Equal", {c.op("Size", {x}), c.constant(Tensor::scalar(6))});
  c.outputs({c.branch(six, {x}, [](GraphBuild& b, const Refs& in) { return Refs{b.op("Mul", {in[0], b.op("Add", {b.scalar(0.5f), b.scalar(0.5f)})})}; },
                      [](GraphBuild& b, const Refs& in) { return Refs{b.op("Exp", {in[0]})}; })});
  infer(c.graph);
  PassContext context{&evaluator};
  std::vector<std::string> heard;
  PassOptions options;
  for (const Registered& item : passes().list()) options.disabled.insert(item.key);
  for (const char* pass : {"fold_constants", "inline_constant_if", "simplify_identities", "remove_dead"}) options.disabled.erase(pass);
  options.after = [&](const std::string& pass, const Graph& graph) {
    CHECK(&graph == &c.graph);
    heard.push_back(pass);
  };
  const PassReport report = run_passes(c.graph, context, options);
  CHECK(c.text() == "x");
  CHECK(c.graph.live_node_count() == 2);
  REQUIRE(heard.size() >= 4);
  CHECK(heard[0] == "fold_constants");
  CHECK(heard[1] == "inline_constant_if");
  CHECK(heard[2] == "simplify_identities");
  std::vector<std::pair<int, std::string>> order;
  for (const PassCount& count : report.passes) order.emplace_back(passes().at(count.name).order, count.name);
  CHECK(std::is_sorted(order.begin(), order.end()));
  CHECK(order.size() == passes().list().size());
  CHECK(line(report, "inline_constant_if").changes != 0);
  CHECK(line(report, "inline_constant_if").runs >= 2);
  CHECK(line(report, "inline_constant_if").elapsed_ns > 0);
  CHECK(report.dump().find("inline_constant_if") != std::string::npos);
  // A second run finds nothing to do.
  for (const PassCount& count : run_passes(c.graph, context, {}).passes) CHECK(count.changes == 0);
}

TEST_CASE("a disabled pass does not run, and an unknown name lists the passes", "[passes][CR-3]") {
  GraphCase c;
  c.outputs({c.op("Identity", {c.input("x", {2})})});
  infer(c.graph);
  PassContext context;
  PassOptions options;
  options.disabled = {"simplify_identities"};
  const PassReport report = run_passes(c.graph, context, options);
  CHECK(c.text() == "Identity(x)");
  CHECK(line(report, "simplify_identities").disabled);
  CHECK(line(report, "simplify_identities").runs == 0);
  options.disabled = {"simplify_identity"};
  try {
    run_passes(c.graph, context, options);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::unknown_name);
    for (const char* part : {"'simplify_identity'", "remove_dead", "fold_constants"}) CHECK(mentions(error.what(), part));
  }
}

TEST_CASE("passes that undo each other end after max_rounds", "[passes][CR-3]") {
  GraphCase c;
  c.outputs({c.op("Relu", {c.input("x", {2})}, attributes({{"_swap", int64_t{1}}}))});
  infer(c.graph);
  PassContext context;
  PassOptions options;
  options.max_rounds = 3;
  const PassReport report = run_passes(c.graph, context, options);
  CHECK(line(report, "test_to_exp").changes == 2 * 3);  // a reader moved and a node removed, in each round
  CHECK(c.text() == "Relu(x)");
}

TEST_CASE("a pass that never settles ends too", "[passes][CR-3]") {
  GraphCase c;
  c.outputs({c.op("Relu", {c.input("x", {2})}, attributes({{"_restless", int64_t{1}}}))});
  infer(c.graph);
  PassContext context;
  PassOptions options;
  options.max_rounds = 2;
  options.disabled = {"remove_dead"};
  CHECK(line(run_passes(c.graph, context, options), "test_back_and_forth").changes > 2);
}

TEST_CASE("an error names the pass and the graph", "[passes][CR-3]") {
  const auto message = [](const char* mark, bool inside) {
    GraphCase c;
    const OutputRef x = c.input("x", {2});
    const auto build = [&](GraphBuild& b, OutputRef in) { return b.op("Relu", {in}, attributes({{mark, int64_t{1}}})); };
    const auto body = [&](GraphBuild& b, const Refs& in) { return Refs{build(b, in[0])}; };
    c.outputs({inside ? c.branch(c.input("p", {}, DType::boolean), {x}, body, body) : build(c, x)});
    infer(c.graph);
    PassContext context;
    try {
      run_passes(c.graph, context, {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(mentions(message("_fail", false), "told to fail"));
  CHECK(mentions(message("_fail", false), "while running pass 'test_fail' on graph 'case'"));
  CHECK(mentions(message("_fail", true), "while running pass 'test_fail' on graph 'then'"));
  CHECK(mentions(message("_spoil", false), "while running pass 'test_spoil' on graph 'case'"));
}
