#include "ge/graph/order.hpp"
#include "ge/ops/schema.hpp"
#include "ge/session/report/gather.hpp"

#include <algorithm>
#include <map>

namespace ge {
namespace {

constexpr size_t longest_text = 400;

/// Texts of attributes and types are for reading: a long one is cut.
std::string shortened(std::string text) {
  if (text.size() > longest_text) text = text.substr(0, longest_text) + "…";
  return text;
}

/// The graph and what its live nodes own, owners before what they own.
struct LiveGraph {
  const Graph* graph;
  int32_t owner_graph;
  NodeId owner;
};

void collect(const Graph& graph, int32_t owner_graph, NodeId owner, std::vector<LiveGraph>& into) {
  const auto self = static_cast<int32_t>(into.size());
  into.push_back({&graph, owner_graph, owner});
  for (const Node& node : graph.nodes())
    for (GraphId sub : node.subgraphs()) collect(graph.subgraph(sub), self, node.id(), into);
}

class Gatherer {
 public:
  Gatherer(const std::vector<std::string>& engines, CompileReport& report) : engines_(engines), report_(report) {}

  void add_graph(const LiveGraph& live, const std::map<const Graph*, uint32_t>& rows) {
    const Graph& graph = *live.graph;
    CompileReport::Graph out;
    out.name = graph.name();
    out.owner_graph = live.owner_graph;
    if (live.owner_graph >= 0) out.owner_node = rows_of_[static_cast<size_t>(live.owner_graph)].at(live.owner);
    auto& row_of = rows_of_.emplace_back();
    for (NodeId id : topological_order(graph)) {
      if (graph.node(id).is(op_types::constant)) continue;
      row_of[id] = static_cast<int32_t>(out.nodes.size());
      out.nodes.push_back(node_of(graph, id, row_of, rows));
    }
    report_.graphs.push_back(std::move(out));
  }

 private:
  CompileReport::Node node_of(const Graph& graph, NodeId id, const std::map<NodeId, int32_t>& row_of, const std::map<const Graph*, uint32_t>& rows) {
    const Node& node = graph.node(id);
    CompileReport::Node out;
    out.kind = node.is(op_types::data) ? CompileReport::NodeKind::input : node.is(op_types::net_output) ? CompileReport::NodeKind::output : CompileReport::NodeKind::op;
    out.name = node.name();
    out.op = op_key(node.domain(), node.op());
    for (const auto& [name, value] : node.attributes()) out.attributes.emplace_back(name, shortened(to_string(value)));
    for (OutputRef ref : node.inputs()) out.inputs.push_back(input_of(graph, ref, row_of));
    for (const NodeOutput& output : node.outputs()) out.outputs.push_back({output.name, shortened(to_string(output.type))});
    for (NodeId before : node.control_inputs())
      if (const auto it = row_of.find(before); it != row_of.end()) out.after.push_back(it->second);
    for (GraphId sub : node.subgraphs()) out.subgraphs.push_back(rows.at(&graph.subgraph(sub)));
    if (out.kind == CompileReport::NodeKind::op && node.subgraphs().empty()) out.choice = row_of_choice(kernel_choice(graph, node, engines_));
    return out;
  }

  CompileReport::Input input_of(const Graph& graph, OutputRef ref, const std::map<NodeId, int32_t>& row_of) {
    if (!ref) return {};
    if (const Tensor* value = graph.constant_value(ref)) return {-1, 0, row_of_constant(graph, ref, *value)};
    return {row_of.at(ref.node), ref.index, -1};
  }

  int32_t row_of_constant(const Graph& graph, OutputRef ref, const Tensor& value) {
    const auto [it, fresh] = constants_.try_emplace({&graph, ref.node}, static_cast<int32_t>(report_.constants.size()));
    if (!fresh) return it->second;
    std::string scalar;
    if (value.count() == 1)
      if (const auto number = value.to_doubles()) {
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", number->front());
        scalar = text;
      }
    report_.constants.push_back({graph.tensor_name(ref), shortened(to_string(graph.type(ref))), scalar, static_cast<int64_t>(value.bytes().size())});
    return it->second;
  }

  int32_t row_of_choice(CompileReport::Choice choice) {
    const auto [it, fresh] = choices_.try_emplace(choice, static_cast<int32_t>(report_.choices.size()));
    if (fresh) report_.choices.push_back(std::move(choice));
    return it->second;
  }

  const std::vector<std::string>& engines_;
  CompileReport& report_;
  std::vector<std::map<NodeId, int32_t>> rows_of_;  ///< by graph
  std::map<std::pair<const Graph*, NodeId>, int32_t> constants_;
  std::map<CompileReport::Choice, int32_t> choices_;
};

}  // namespace

void gather_graphs(const Graph& root, const std::vector<std::string>& engines, size_t most_nodes, CompileReport& report) {
  std::vector<LiveGraph> live;
  collect(root, -1, {}, live);
  std::map<const Graph*, uint32_t> rows;
  for (const LiveGraph& item : live) rows.emplace(item.graph, static_cast<uint32_t>(rows.size()));

  std::map<std::string, uint64_t> counts;
  size_t nodes = 0;
  for (const LiveGraph& item : live)
    for (const Node& node : item.graph->nodes()) {
      if (node.dead() || node.is(op_types::constant)) continue;
      ++nodes;
      if (!node.is(op_types::data) && !node.is(op_types::net_output)) ++counts[op_key(node.domain(), node.op())];
    }
  report.op_counts.assign(counts.begin(), counts.end());
  std::stable_sort(report.op_counts.begin(), report.op_counts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });

  if (nodes > most_nodes) {
    report.nodes_left_out = "The compiled graph has " + std::to_string(nodes) + " nodes. A page draws at most " + std::to_string(most_nodes) +
                            ", so this one lists them by op instead; ge-atc --dump writes all of them as text.";
    return;
  }
  Gatherer gatherer(engines, report);
  for (const LiveGraph& item : live) gatherer.add_graph(item, rows);
}

}  // namespace ge
