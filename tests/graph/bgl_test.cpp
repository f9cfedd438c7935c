// ge/graph/bgl.hpp: any Boost.Graph algorithm runs on a ge::Graph.
#include "ge/graph/bgl.hpp"

#include "ge/graph/graph.hpp"
#include "support/catch.hpp"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>

#include <algorithm>

using namespace ge;

namespace {

/// x → a → (b, b) → NetOutput, y on its own.
struct Diamond {
  Graph graph{"g"};
  OutputRef x = graph.add_input("x", {DType::float32, Shape{}, std::nullopt});
  OutputRef a{graph.add_node({.op = "Relu", .name = "a", .domain = {}, .attributes = {}, .inputs = {x}, .outputs = {"a"}, .subgraphs = {}}), 0};
  OutputRef b{graph.add_node({.op = "Mul", .name = "b", .domain = {}, .attributes = {}, .inputs = {a, a}, .outputs = {"b"}, .subgraphs = {}}), 0};
  OutputRef y = graph.add_input("y", {DType::float32, Shape{}, std::nullopt});
  Diamond() { graph.set_outputs({b}, {"out"}); }
};

}  // namespace

TEST_CASE("Boost's topological sort runs on the graph's own edges", "[graph][CR-11]") {
  Diamond d;
  std::vector<BoostAdjacency::vertex_descriptor> order;  // readers first
  boost::topological_sort(d.graph.boost().adjacency, std::back_inserter(order));
  REQUIRE(order.size() == d.graph.node_count());
  const auto at = [&](OutputRef ref) { return std::find(order.begin(), order.end(), ref.node.value) - order.begin(); };
  CHECK(at(d.b) < at(d.a));
  CHECK(at(d.a) < at(d.x));
}

TEST_CASE("Boost's breadth-first search finds the distance of every node", "[graph][CR-11]") {
  Diamond d;
  const auto& adjacency = d.graph.boost().adjacency;
  std::vector<int> distance(boost::num_vertices(adjacency), -1);
  distance[d.x.node.value] = 0;
  boost::breadth_first_search(adjacency, d.x.node.value,
                              boost::visitor(boost::make_bfs_visitor(boost::record_distances(distance.data(), boost::on_tree_edge()))));
  CHECK(distance[d.b.node.value] == 2);
  CHECK(distance[d.graph.net_output().value] == 3);
  CHECK(distance[d.y.node.value] == -1);
}

TEST_CASE("Boost's strong components of a graph without cycles are its nodes", "[graph][CR-11]") {
  Diamond d;
  const auto& adjacency = d.graph.boost().adjacency;
  std::vector<int> component(boost::num_vertices(adjacency));
  CHECK(static_cast<size_t>(boost::strong_components(adjacency, component.data())) == d.graph.node_count());
}

TEST_CASE("Edges carry output, slot and kind; parallel edges stay apart", "[graph][CR-11]") {
  Diamond d;
  d.graph.add_control_edge(d.y.node, d.b.node);
  const auto& adjacency = d.graph.boost().adjacency;
  std::vector<std::pair<uint32_t, EdgeKind>> found;
  for (auto [edge, end] = boost::in_edges(d.b.node.value, adjacency); edge != end; ++edge)
    found.emplace_back(adjacency[*edge].input, adjacency[*edge].kind);
  std::sort(found.begin(), found.end());
  CHECK(found == std::vector<std::pair<uint32_t, EdgeKind>>{{0, EdgeKind::data}, {0, EdgeKind::control}, {1, EdgeKind::data}});
  Patch patch;
  patch.replace(d.b, d.a);
  patch.remove(d.b.node);
  d.graph.apply(patch);
  CHECK(boost::num_vertices(adjacency) == d.graph.node_count());  // a removed node stays as a vertex without edges
  CHECK(boost::degree(d.b.node.value, adjacency) == 0);
}
