#include "passes/graph_case.hpp"
#include "support/catch.hpp"

#include "ge/graph/verify.hpp"

#include <random>

using namespace ge;
using namespace ge::testing;

namespace {

std::string types(const Graph& root) {
  std::string text;
  const auto add = [&](const Graph& graph) {
    for (const Node& node : graph.nodes()) {
      if (node.dead()) continue;
      for (const NodeOutput& output : node.outputs()) text += node.name() + "." + output.name + ": " + to_string(output.type) + "\n";
    }
  };
  add(root);
  for (uint32_t i = 0; i < root.subgraph_count(); ++i) add(root.subgraph(GraphId(i)));
  return text;
}

/// Values of many shapes: inputs [N, k], row-wise and joining ops, shape arithmetic, Ifs that capture.
std::vector<OutputRef> random_values(GraphBuild& build, std::mt19937& random) {
  std::vector<OutputRef> values;
  for (int k = 1; k <= 3; ++k) values.push_back(build.input("x" + std::to_string(k), {"N", k}));
  const OutputRef flag = build.input("flag", {}, DType::boolean);
  for (int i = 0; i < 40; ++i) {
    const OutputRef a = values[random() % values.size()];
    switch (random() % 6) {
      case 0: values.push_back(build.op("Relu", {a})); break;
      case 1: values.push_back(build.op("Concat", {a, values[random() % values.size()]}, attributes({{"axis", int64_t{1}}}))); break;
      case 2: values.push_back(build.op("Reshape", {a, build.op("Shape", {a})})); break;
      case 3: values.push_back(build.op("ReduceSum", {a, build.ints({1})}, attributes({{"keepdims", int64_t{1}}}))); break;
      case 4:
        values.push_back(build.branch(flag, {a}, [](GraphBuild& b, const auto& c) { return std::vector{b.op("Relu", {c[0]})}; },
                                      [](GraphBuild& b, const auto& c) { return std::vector{b.op("Tanh", {b.op("Neg", {c[0]})})}; }));
        break;
      default: values.push_back(build.op("Tanh", {a})); break;
    }
  }
  return values;
}

/// Lets random readers of `from` read a value that was made earlier: no circle.
Patch random_patch(const Graph& graph, const std::vector<OutputRef>& values, std::mt19937& random) {
  Patch patch;
  for (int i = 0; i < 3; ++i) {
    const size_t at = 3 + random() % (values.size() - 3);
    if (graph.node(values[at].node).inputs().empty()) continue;
    const auto& op = graph.node(values[at].node).op();
    if (op == "If") patch.rewire({values[at].node, 1}, values[random() % at]);
    else if (op == "Relu" || op == "Tanh" || op == "Concat") patch.rewire({values[at].node, 0}, values[random() % at]);
  }
  return patch;
}

}  // namespace

TEST_CASE("inference that follows patches gives what inference of the whole gives", "[graph][CR-2]") {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Graph graph("case");
    GraphBuild build(graph);
    const std::vector<OutputRef> values = random_values(build, random);
    build.outputs({values.back(), values[values.size() / 2]});
    Inference inference(graph);
    take_changes(graph);
    for (int round = 0; round < 6; ++round) {
      graph.apply(random_patch(graph, values, random));
      if (round % 2 == 1) {  // inside a branch
        for (NodeId owner : graph.subgraph_owners()) {
          Graph& side = graph.subgraph(graph.node(owner).subgraphs()[random() % 2]);
          Patch patch;
          patch.replace(side.outputs()[0], {side.inputs()[0], 0}, {});
          side.apply(patch);
          break;
        }
      }
      const GraphChanges changes = take_changes(graph);
      verify(graph, changes);
      inference.update(changes);
      const std::string followed = types(graph);
      infer(graph);
      REQUIRE(followed == types(graph));
    }
  }
}

TEST_CASE("what no change reaches keeps its unknown dims", "[graph][CR-2]") {
  Graph graph("case");
  GraphBuild build(graph);
  const OutputRef x = build.input("x", {"N"});
  const OutputRef open = build.op("NonZero", {x});
  const OutputRef other = build.op("Relu", {x});
  const OutputRef last = build.op("Tanh", {other});
  build.outputs({open, last});
  Inference inference(graph);
  take_changes(graph);
  const TensorType before = graph.type(open);
  Patch patch;
  patch.rewire({last.node, 0}, x);
  graph.apply(patch);
  const GraphChanges changes = take_changes(graph);
  REQUIRE(changes.graphs.size() == 1);
  CHECK(changes.graphs[0].nodes == std::vector<NodeId>{last.node});
  inference.update(changes);
  CHECK(graph.type(open) == before);
  CHECK(take_changes(graph).graphs.empty());
}

TEST_CASE("a change inside a branch touches the owners all the way up", "[graph][CR-2]") {
  Graph graph("case");
  GraphBuild build(graph);
  const OutputRef x = build.input("x", {"N"}), flag = build.input("flag", {}, DType::boolean);
  NodeId inner_owner;
  const OutputRef y = build.branch(flag, {x, flag}, [&](GraphBuild& b, const auto& c) {
    const OutputRef inner = b.branch(c[1], {c[0]}, [](GraphBuild& d, const auto& e) { return std::vector{d.op("Relu", {e[0]})}; },
                                     [](GraphBuild& d, const auto& e) { return std::vector{d.op("Neg", {e[0]})}; });
    inner_owner = inner.node;
    return std::vector{inner};
  }, [](GraphBuild& b, const auto& c) { return std::vector{b.op("Tanh", {c[0]})}; });
  build.outputs({y});
  Inference inference(graph);
  take_changes(graph);
  Graph& side = graph.subgraph(graph.node(y.node).subgraphs()[0]);
  Graph& innermost = graph.subgraph(side.node(inner_owner).subgraphs()[1]);
  innermost.set_attribute(innermost.outputs()[0].node, "_mark", int64_t{1});
  const GraphChanges changes = take_changes(graph);
  REQUIRE(changes.graphs.size() == 3);
  CHECK(changes.graphs[0].graph == &innermost);
  CHECK(changes.of(side) == std::vector<NodeId>{inner_owner});
  CHECK(changes.of(graph) == std::vector<NodeId>{y.node});
}

TEST_CASE("a patch that contradicts an op is found by what follows it", "[graph][CR-2]") {
  Graph graph("case");
  GraphBuild build(graph);
  const OutputRef x = build.input("x", {2}), wide = build.input("wide", {3});
  const OutputRef sum = build.op("Add", {x, x});
  build.outputs({build.op("Relu", {sum})});
  Inference inference(graph);
  take_changes(graph);
  Patch patch;
  patch.rewire({sum.node, 1}, wide);
  graph.apply(patch);
  CHECK_THROWS_AS(inference.update(take_changes(graph)), Error);
}

TEST_CASE("control edges between two hubs are added once", "[graph][CR-7]") {
  Graph graph("case");
  GraphBuild build(graph);
  const OutputRef x = build.input("x", {2});
  std::vector<OutputRef> values;
  for (int i = 0; i < 50; ++i) values.push_back(build.op("Relu", {x}));
  build.outputs(values);
  for (int repeat = 0; repeat < 2; ++repeat)
    for (size_t i = 1; i < values.size(); ++i) {
      graph.add_control_edge(values[0].node, values[i].node);
      if (i + 1 < values.size()) graph.add_control_edge(values[i].node, values.back().node);
    }
  verify(graph);
  CHECK(graph.control_users(values[0].node).size() == 49);
  CHECK(graph.node(values.back().node).control_inputs().size() == 49);
}
