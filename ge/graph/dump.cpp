#include "ge/graph/dump.hpp"

#include "ge/graph/order.hpp"

namespace ge {
namespace {

std::string label(const Graph& graph, OutputRef ref) {
  if (!ref) return "-";
  const Node& node = graph.node(ref.node);
  const std::string& name = node.outputs()[ref.index].name;
  return "%" + (name.empty() ? node.name() + ":" + std::to_string(ref.index) : name);
}

std::string attributes_text(const Node& node) {
  std::string text;
  for (const auto& [name, value] : node.attributes()) text += " " + name + "=" + to_string(value);
  return text;
}

/// Topological; by id where there is a cycle, since a graph that is wrong is what one wants to see.
std::vector<NodeId> printing_order(const Graph& graph) {
  try {
    return topological_order(graph);
  } catch (const Error&) {
    std::vector<NodeId> order;
    for (const Node& node : graph.nodes())
      if (!node.dead()) order.push_back(node.id());
    return order;
  }
}

std::string control_text(const Graph& graph, const Node& node) {
  std::string text;
  for (NodeId before : node.control_inputs()) text += (text.empty() ? " after '" : ", '") + graph.node(before).name() + "'";
  return text;
}

void print(const Graph& graph, const std::string& indent, std::string& out) {
  for (NodeId id : printing_order(graph)) {
    const Node& node = graph.node(id);
    out += indent;
    for (uint32_t i = 0; i < node.outputs().size(); ++i)
      out += (i ? ", " : "") + label(graph, {id, i}) + " " + to_string(node.outputs()[i].type);
    if (!node.outputs().empty()) out += " = ";
    if (!node.domain().empty()) out += node.domain() + "::";
    out += node.op() + "(";
    for (size_t i = 0; i < node.inputs().size(); ++i) out += (i ? ", " : "") + label(graph, node.inputs()[i]);
    out += ")" + attributes_text(node) + "  '" + node.name() + "'" + control_text(graph, node) + "\n";
    for (GraphId sub : node.subgraphs()) {
      out += indent + "  subgraph '" + graph.subgraph(sub).name() + "':\n";
      print(graph.subgraph(sub), indent + "    ", out);
    }
  }
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string dot_id(const Graph& graph, NodeId id) {
  return "g" + (graph.is_root() ? std::string("r") : std::to_string(graph.id().value)) + "_" + std::to_string(id.value);
}

void print_dot(const Graph& graph, std::string& out) {
  for (const Node& node : graph.nodes()) {
    if (node.dead()) continue;
    out += "  " + dot_id(graph, node.id()) + " [label=" + quoted(node.op() + "\n" + node.name()) + "];\n";
    for (OutputRef ref : node.inputs())
      if (ref) out += "  " + dot_id(graph, ref.node) + " -> " + dot_id(graph, node.id()) + " [label=" + quoted(to_string(graph.type(ref))) + "];\n";
    for (NodeId before : node.control_inputs()) out += "  " + dot_id(graph, before) + " -> " + dot_id(graph, node.id()) + " [style=dashed];\n";
    for (GraphId sub : node.subgraphs()) {
      out += "  subgraph cluster_" + std::to_string(sub.value) + " { label=" + quoted(graph.subgraph(sub).name()) + ";\n";
      print_dot(graph.subgraph(sub), out);
      out += "  }\n";
    }
  }
}

}  // namespace

std::string to_text(const Graph& graph) {
  std::string out = "graph '" + graph.name() + "'\n";
  print(graph, "  ", out);
  return out;
}

std::string to_dot(const Graph& graph) {
  std::string out = "digraph " + quoted(graph.name()) + " {\n  node [shape=box];\n";
  print_dot(graph, out);
  return out + "}\n";
}

}  // namespace ge
