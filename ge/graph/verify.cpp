#include "ge/graph/verify.hpp"

#include "ge/base/diagnostics.hpp"
#include "ge/graph/bgl.hpp"
#include "ge/graph/changes.hpp"
#include "ge/graph/order.hpp"
#include "ge/ops/schema.hpp"

#include <algorithm>
#include <set>

namespace ge {
namespace {

class Verifier {
 public:
  explicit Verifier(const Graph& root) : root_(root) {}

  void run() {
    visit(root_);
    raise_if_any();
  }

  void run(const GraphChanges& changes) {
    for (const auto& [graph, nodes] : changes.graphs) {
      check_ports(*graph);
      for (NodeId id : nodes) check(*graph, graph->node(id));
    }
    raise_if_any();
  }

 private:
  void raise_if_any() { found_.raise_if_any(ErrorCode::invalid_model, "graph '" + root_.name() + "' is not valid"); }

  void add(const Graph& graph, const Node& node, std::string what) {
    found_.add("graph '" + graph.name() + "' node '" + node.name() + "' (" + node.op() + ")", std::move(what));
  }

  void check_ports(const Graph& graph) {
    if (!graph.net_output()) found_.add("graph '" + graph.name() + "'", "has no NetOutput: call set_outputs");
    for (NodeId id : graph.inputs())
      if (!graph.has(id) || graph.node(id).dead()) found_.add("graph '" + graph.name() + "'", "input node " + std::to_string(id.value) + " is removed");
  }

  void visit(const Graph& graph) {
    check_ports(graph);
    const std::set<NodeId> inputs(graph.inputs().begin(), graph.inputs().end());
    for (const Node& node : graph.nodes()) {
      if (node.dead()) continue;
      if (node.is(op_types::data) && !inputs.contains(node.id())) add(graph, node, "is not in the graph's list of inputs: use add_input");
      if (node.is(op_types::net_output) && node.id() != graph.net_output()) add(graph, node, "is a second NetOutput: use set_outputs");
      check(graph, node);
      visit_subgraphs(graph, node);
    }
    try {
      topological_order(graph);
    } catch (const Error& error) {
      found_.add("graph '" + graph.name() + "'", error.what());
    }
  }

  void check(const Graph& graph, const Node& node) {
    check_slots(graph, node);
    check_edges(graph, node);
    if (node.is(op_types::constant) && node.attributes().get_tensor("value") == nullptr) add(graph, node, "has no tensor attribute 'value'");
    const OpSchema* schema = find_schema(node.domain(), node.op());
    if (schema == nullptr) return add(graph, node, "op is not registered: link the component that has it, or REGISTER_OP it");
    check_required_inputs(graph, node, *schema);
    if (node.subgraphs().size() != schema->subgraphs.size())
      return add(graph, node, "has " + std::to_string(node.subgraphs().size()) + " subgraphs, expected " + std::to_string(schema->subgraphs.size()));
    for (GraphId id : node.subgraphs())
      if (id.value >= graph.subgraph_count()) return add(graph, node, "subgraph " + std::to_string(id.value) + " does not exist");
    if (schema->control_flow == ControlFlow::branch) check_branches(graph, node);
    if (schema->control_flow == ControlFlow::loop) check_loop(graph, node);
    if (schema->control_flow == ControlFlow::map) check_map(graph, node);
  }

  /// Each is visited once: a graph that owns itself would never end.
  void visit_subgraphs(const Graph& graph, const Node& node) {
    for (GraphId id : node.subgraphs()) {
      if (id.value >= graph.subgraph_count()) return;
      if (owned_.insert(id).second) visit(graph.subgraph(id));
      else add(graph, node, "subgraph " + std::to_string(id.value) + " has another owner already");
    }
  }

  void check_slots(const Graph& graph, const Node& node) {
    for (size_t slot = 0; slot < node.inputs().size(); ++slot) {
      const OutputRef ref = node.inputs()[slot];
      if (!ref) continue;
      if (!graph.has(ref.node) || graph.node(ref.node).dead() || ref.index >= graph.node(ref.node).outputs().size())
        add(graph, node, "input " + std::to_string(slot) + " names a value that is not there");
    }
  }

  void check_required_inputs(const Graph& graph, const Node& node, const OpSchema& schema) {
    const size_t count = node.inputs().size();
    if (count < schema.min_inputs() || count > schema.max_inputs())
      return add(graph, node, "has " + std::to_string(count) + " inputs, expected " + (count < schema.min_inputs() ? "at least " + std::to_string(schema.min_inputs()) : "at most " + std::to_string(schema.max_inputs())));
    for (size_t slot = 0; slot < count; ++slot)
      if (!node.inputs()[slot] && !schema.input_formal(slot).optional)
        add(graph, node, "input " + std::to_string(slot) + " (" + schema.input_formal(slot).name + ") is missing");
  }

  void check_edges(const Graph& graph, const Node& node) {
    const auto& adjacency = graph.boost().adjacency;
    size_t expected = node.control_inputs().size(), agreeing = 0;
    for (OutputRef ref : node.inputs()) expected += static_cast<bool>(ref);
    for (auto [edge, end] = boost::in_edges(node.id().value, adjacency); edge != end; ++edge) {
      const EdgeProperty& property = adjacency[*edge];
      const NodeId source(static_cast<uint32_t>(boost::source(*edge, adjacency)));
      if (property.kind == EdgeKind::control) agreeing += std::find(node.control_inputs().begin(), node.control_inputs().end(), source) != node.control_inputs().end();
      else if (property.input < node.inputs().size()) agreeing += node.inputs()[property.input] == OutputRef{source, property.output};
    }
    if (agreeing != expected || boost::in_degree(node.id().value, adjacency) != expected)
      add(graph, node, "edges and input slots disagree: " + std::to_string(agreeing) + " of " + std::to_string(expected) + " agree");
  }

  void check_branches(const Graph& graph, const Node& node) {
    for (GraphId id : node.subgraphs()) {
      const Graph& branch = graph.subgraph(id);
      if (branch.inputs().size() + 1 != node.inputs().size())
        add(graph, node, "branch '" + branch.name() + "' takes " + std::to_string(branch.inputs().size()) + " values, is given " + std::to_string(node.inputs().size() - 1));
      if (branch.outputs().size() != node.outputs().size())
        add(graph, node, "branch '" + branch.name() + "' gives " + std::to_string(branch.outputs().size()) + " values, expected " + std::to_string(node.outputs().size()));
    }
  }

  void check_loop(const Graph& graph, const Node& node) {
    const Graph& body = graph.subgraph(node.subgraphs()[0]);
    const auto carried = node.attributes().get_int("_carried", -1);
    if (carried < 0) return add(graph, node, "has no attribute '_carried'");
    if (node.inputs().size() < 2 || body.inputs().size() != node.inputs().size())
      add(graph, node, "body '" + body.name() + "' takes " + std::to_string(body.inputs().size()) + " values, is given " + std::to_string(node.inputs().size()));
    if (body.outputs().size() != node.outputs().size() + 1 || static_cast<int64_t>(node.outputs().size()) < carried)
      add(graph, node, "body '" + body.name() + "' gives " + std::to_string(body.outputs().size()) + " values, expected " + std::to_string(node.outputs().size() + 1));
  }

  void check_map(const Graph& graph, const Node& node) {
    const Graph& body = graph.subgraph(node.subgraphs()[0]);
    const auto own = node.attributes().get_int("_carried", -1);
    if (own < 1 || own > static_cast<int64_t>(node.inputs().size())) return add(graph, node, "has no attribute '_carried' of 1 to its number of inputs");
    if (body.inputs().size() != node.inputs().size())
      add(graph, node, "body '" + body.name() + "' takes " + std::to_string(body.inputs().size()) + " values, is given " + std::to_string(node.inputs().size()));
    if (body.outputs().size() != node.outputs().size())
      add(graph, node, "body '" + body.name() + "' gives " + std::to_string(body.outputs().size()) + " values, expected " + std::to_string(node.outputs().size()));
  }

  const Graph& root_;
  Diagnostics found_;
  std::set<GraphId> owned_;
};

}  // namespace

void verify(const Graph& root) { Verifier(root).run(); }
void verify(const Graph& root, const GraphChanges& changes) { Verifier(root).run(changes); }

}  // namespace ge
