#include "ge/graph/order.hpp"

#include "graph/any_op.hpp"

#include <algorithm>
#include <random>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

std::vector<uint32_t> ids(const Graph& graph, OrderKind kind = OrderKind::by_id) {
  std::vector<uint32_t> out;
  for (NodeId id : topological_order(graph, kind)) out.push_back(id.value);
  return out;
}

/// Every live node once, after all that it reads and runs after.
bool is_valid(const Graph& graph, const std::vector<NodeId>& order) {
  std::vector<size_t> place(graph.node_count(), SIZE_MAX);
  for (size_t i = 0; i < order.size(); ++i) {
    if (place[order[i].value] != SIZE_MAX) return false;
    place[order[i].value] = i;
  }
  for (const Node& node : graph.nodes()) {
    if (node.dead() != (place[node.id().value] == SIZE_MAX)) return false;
    for (OutputRef ref : node.inputs())
      if (ref && place[ref.node.value] >= place[node.id().value]) return false;
    for (NodeId before : node.control_inputs())
      if (place[before.value] >= place[node.id().value]) return false;
  }
  return true;
}

/// Nodes are added in the order of ids, then rewired so that an edge may lead from a high id to a low one: a hidden
/// ranking keeps the graph free of cycles.
void fill_at_random(Graph& graph, std::mt19937& random) {
  const size_t count = 2 + random() % 40;
  for (size_t i = 0; i < count; ++i) add_any(graph, std::vector<OutputRef>(random() % 4), 1);
  std::vector<uint32_t> rank(count);
  for (uint32_t i = 0; i < count; ++i) rank[i] = i;
  std::shuffle(rank.begin(), rank.end(), random);
  Patch patch;
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t slot = 0; slot < graph.node(NodeId(i)).inputs().size(); ++slot) {
      const auto source = static_cast<uint32_t>(random() % count);
      if (rank[source] < rank[i]) patch.rewire({NodeId(i), slot}, {NodeId(source), 0});
    }
  for (size_t n = random() % 8; n > 0; --n) {
    const auto a = static_cast<uint32_t>(random() % count), b = static_cast<uint32_t>(random() % count);
    if (rank[a] < rank[b]) graph.add_control_edge(NodeId(a), NodeId(b));
  }
  graph.apply(patch);
  Patch removal;
  for (uint32_t i = 0; i < count; ++i)
    if (graph.users(NodeId(i)).empty() && random() % 4 == 0) removal.remove(NodeId(i));
  graph.apply(removal);
}

}  // namespace

TEST_CASE("Every order of a random graph without cycles is valid, and the same each time", "[graph][CR-2]") {
  for (uint32_t seed = 1; seed <= 500; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Graph graph("random");
    fill_at_random(graph, random);
    for (OrderKind kind : {OrderKind::by_id, OrderKind::breadth_first, OrderKind::depth_first}) {
      const auto order = topological_order(graph, kind);
      REQUIRE(is_valid(graph, order));
      REQUIRE(order == topological_order(graph, kind));
    }
  }
}

TEST_CASE("The kinds of order differ in which ready node comes first", "[graph][CR-2]") {
  // 0: x; 1 and 2 read x; 3 reads 1; 4 reads 2; 5 (NetOutput) reads 3 and 4
  Graph graph("g");
  const OutputRef x = float_input(graph, "x");
  const OutputRef a{add_any(graph, {x}), 0}, b{add_any(graph, {x}), 0}, a2{add_any(graph, {a}), 0}, b2{add_any(graph, {b}), 0};
  graph.set_outputs({a2, b2}, {"p", "q"});
  CHECK(ids(graph, OrderKind::by_id) == std::vector<uint32_t>{0, 1, 2, 3, 4, 5});
  CHECK(ids(graph, OrderKind::breadth_first) == std::vector<uint32_t>{0, 1, 2, 3, 4, 5});
  CHECK(ids(graph, OrderKind::depth_first) == std::vector<uint32_t>{0, 2, 4, 1, 3, 5});
}

TEST_CASE("By id, a valid order of the source model is kept", "[graph][CR-1]") {
  Graph graph("g");
  const OutputRef x = float_input(graph, "x");
  OutputRef last = x;
  for (int i = 0; i < 20; ++i) last = {add_any(graph, {i % 3 == 0 ? x : last}), 0};
  graph.set_outputs({last}, {"out"});
  const auto order = ids(graph);
  CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("x * x counts once as a reader that is ready", "[graph][CR-2]") {
  Graph graph("g");
  const OutputRef x = float_input(graph, "x");
  const OutputRef square{add_any(graph, {x, x}), 0};
  graph.set_outputs({square, square}, {"p", "q"});
  CHECK(ids(graph) == std::vector<uint32_t>{0, 1, 2});
}

TEST_CASE("A cycle is refused by the names of its nodes, in their order", "[graph][CR-1]") {
  Graph graph("g");
  const OutputRef x = float_input(graph, "x");
  const OutputRef a{add_any(graph, {x, x}, 1, "a"), 0}, b{add_any(graph, {a}, 1, "b"), 0}, c{add_any(graph, {b}, 1, "c"), 0};
  const OutputRef behind{add_any(graph, {c}, 1, "behind"), 0};
  graph.set_outputs({behind}, {"out"});
  Patch patch;
  patch.rewire({a.node, 1}, c);
  graph.apply(patch);
  const std::string text = error_of(ErrorCode::invalid_model, [&] { topological_order(graph); });
  CHECK_THAT(text, Contains("graph 'g' has a cycle: "));
  // Any node of the circle may come first.
  CHECK((text.find("'a' -> 'b' -> 'c'") != std::string::npos || text.find("'b' -> 'c' -> 'a'") != std::string::npos || text.find("'c' -> 'a' -> 'b'") != std::string::npos));
  CHECK_THAT(text, !Contains("behind") && !Contains("'x'"));
}

TEST_CASE("A node that reads itself and a circle of control edges are cycles too", "[graph][CR-1]") {
  Graph graph("g");
  const OutputRef x = float_input(graph, "x");
  const OutputRef a{add_any(graph, {x}, 1, "a"), 0}, b{add_any(graph, {x}, 1, "b"), 0};
  SECTION("itself") {
    Patch patch;
    patch.rewire({a.node, 0}, a);
    graph.apply(patch);
    CHECK_THAT(error_of(ErrorCode::invalid_model, [&] { topological_order(graph); }), Contains("cycle: 'a' -> 'a'"));
  }
  SECTION("control edges") {
    graph.add_control_edge(a.node, b.node);
    graph.add_control_edge(b.node, a.node);
    CHECK_THAT(error_of(ErrorCode::invalid_model, [&] { topological_order(graph); }), Contains("'a' -> 'b'") && Contains("'b' -> 'a'"));
  }
}
