// Runs Boost.Graph algorithms on the IR: ge/graph/bgl.hpp opens the adjacency list inside a ge::Graph, whose vertices
// are node ids.
//
//     import ──► ge::Graph ──► boost::adjacency_list ──► longest path, dominators, components
//
//   04_boost_algorithms model.onnx
#include "ge/graph/bgl.hpp"
#include "ge/import/onnx.hpp"

#include <boost/graph/connected_components.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/topological_sort.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iterator>
#include <vector>

namespace {

using Vertex = boost::graph_traits<ge::BoostAdjacency>::vertex_descriptor;

/// The length of the longest chain of nodes that wait for each other: no number of cores makes it shorter.
size_t longest_chain(const ge::BoostAdjacency& graph) {
  std::vector<Vertex> readers_first;
  boost::topological_sort(graph, std::back_inserter(readers_first));
  std::vector<size_t> length(boost::num_vertices(graph), 1);
  for (const Vertex v : readers_first)
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(v, graph)))
      length[v] = std::max(length[v], 1 + length[boost::target(edge, graph)]);
  return length.empty() ? 0 : *std::max_element(length.begin(), length.end());
}

/// The nodes that everything from the first input to the first output goes through: where a model can be cut in two.
/// They are the output's dominators in what the input reaches; constants, which come from elsewhere, are filtered out.
std::vector<ge::NodeId> bottlenecks(const ge::Graph& graph) {
  const ge::BoostAdjacency& adjacency = graph.boost().adjacency;
  const auto index = boost::get(boost::vertex_index, adjacency);
  const Vertex from = graph.inputs()[0].value, none = boost::graph_traits<ge::BoostAdjacency>::null_vertex();

  std::vector<boost::default_color_type> color(boost::num_vertices(adjacency));
  boost::depth_first_visit(adjacency, from, boost::dfs_visitor<>(), boost::make_iterator_property_map(color.begin(), index));
  const boost::filtered_graph reached(adjacency, boost::keep_all(), std::function([&](Vertex v) { return color[v] == boost::black_color; }));

  std::vector<Vertex> dominator(color.size(), none);
  boost::lengauer_tarjan_dominator_tree(reached, from, boost::make_iterator_property_map(dominator.begin(), index));
  std::vector<ge::NodeId> path;
  for (Vertex at = graph.outputs()[0].node.value; at != none; at = dominator[at]) path.push_back(ge::NodeId(static_cast<uint32_t>(at)));
  std::reverse(path.begin(), path.end());
  return path;
}

/// Parts that have nothing to do with each other: with directions left out of account, the connected components.
size_t separate_parts(const ge::BoostAdjacency& graph) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> undirected(boost::num_vertices(graph));
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) boost::add_edge(boost::source(edge, graph), boost::target(edge, graph), undirected);
  std::vector<size_t> part(boost::num_vertices(graph));
  return boost::connected_components(undirected, part.data());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "usage: 04_boost_algorithms model.onnx\n"), 2;
  const auto graph = ge::import_onnx_file(argv[1]);
  if (graph->inputs().empty()) throw ge::Error(ge::ErrorCode::invalid_argument, "the model has no inputs: give one that has");
  const ge::BoostAdjacency& adjacency = graph->boost().adjacency;

  std::printf("%zu vertices, %zu edges, %zu separate parts\n", boost::num_vertices(adjacency), boost::num_edges(adjacency), separate_parts(adjacency));
  std::printf("longest chain: %zu nodes\n", longest_chain(adjacency));
  const auto path = bottlenecks(*graph);
  std::printf("%zu nodes lie on every way from '%s' to '%s':\n", path.size(), graph->node(graph->inputs()[0]).name().c_str(), graph->output_names()[0].c_str());
  for (const ge::NodeId id : path) std::printf("  %s (%s)\n", graph->node(id).name().c_str(), graph->node(id).op().c_str());
} catch (const ge::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
