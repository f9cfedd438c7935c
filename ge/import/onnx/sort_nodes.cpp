#include "ge/import/onnx/prepare.hpp"

#include <queue>
#include <unordered_map>

namespace ge::onnx {
namespace {

/// Calls `use` for every name that the node needs before it can run: its inputs and what its subgraphs capture.
template <class Use>
void for_each_need(const NodeDraft& node, Use&& use) {
  for (const std::string& input : node.inputs)
    if (!input.empty()) use(input);
  for (const auto& [attribute, subgraph] : node.subgraphs)
    for (const std::string& name : subgraph->captures) use(name);
}

/// The names of one cycle among the nodes that are left: from any of them, walking to a producer that is left ends in
/// a node seen before.
std::string describe_cycle(const GraphDraft& graph, const std::unordered_map<std::string, size_t>& producer, const std::vector<size_t>& missing) {
  size_t at = 0;
  while (missing[at] == 0) ++at;
  std::vector<size_t> path;
  std::unordered_map<size_t, size_t> seen;
  while (seen.try_emplace(at, path.size()).second) {
    path.push_back(at);
    size_t next = at;
    for_each_need(graph.nodes[at], [&](const std::string& name) {
      const auto it = producer.find(name);
      if (it != producer.end() && missing[it->second] > 0) next = it->second;
    });
    at = next;
  }
  std::string text = "'" + graph.nodes[at].name + "'";
  constexpr size_t shown = 20;
  for (size_t i = path.size(); i-- > seen[at];) {
    if (path.size() - i > shown) return text + " → …";
    text += " → '" + graph.nodes[path[i]].name + "'";
  }
  return text;
}

}  // namespace

// Kahn's algorithm, taking the ready node that was written first; keeps a valid order as it is.
void sort_nodes(GraphDraft& graph, Diagnostics& findings) {
  const size_t count = graph.nodes.size();
  std::unordered_map<std::string, size_t> producer;
  for (size_t i = 0; i < count; ++i)
    for (const std::string& output : graph.nodes[i].outputs)
      if (!output.empty()) producer.emplace(output, i);

  std::vector<std::vector<size_t>> readers(count);
  std::vector<size_t> missing(count, 0);
  for (size_t i = 0; i < count; ++i)
    for_each_need(graph.nodes[i], [&](const std::string& name) {
      if (const auto it = producer.find(name); it != producer.end()) readers[it->second].push_back(i), ++missing[i];
    });

  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < count; ++i)
    if (missing[i] == 0) ready.push(i);
  std::vector<NodeDraft> sorted;
  sorted.reserve(count);
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t i = ready.top();
    ready.pop();
    order.push_back(i);
    for (const size_t reader : readers[i])
      if (--missing[reader] == 0) ready.push(reader);
  }
  if (order.size() != count) {
    findings.add("graph '" + graph.name + "'", "has a cycle: " + describe_cycle(graph, producer, missing));
    return;
  }
  for (const size_t i : order) sorted.push_back(std::move(graph.nodes[i]));
  graph.nodes = std::move(sorted);
}

}  // namespace ge::onnx
