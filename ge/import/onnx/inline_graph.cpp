#include "ge/import/onnx/inline_graph.hpp"

namespace ge::onnx {
namespace {

using NewNames = std::map<std::string, std::string>;  ///< by the old name; names that are not there stay

void rename(std::string& name, const NewNames& names) {
  if (const auto it = names.find(name); it != names.end()) name = it->second;
}

std::shared_ptr<GraphDraft> renamed_copy(const GraphDraft& graph, NewNames names);

void rename_reads(NodeDraft& node, const NewNames& names) {
  for (std::string& input : node.inputs) rename(input, names);
  for (auto& [attribute, subgraph] : node.subgraphs) subgraph = renamed_copy(*subgraph, names);
}

/// A copy in which values from outside have their new names. What the graph defines itself keeps its own, which are none of
/// the new ones, and hides a value outside of the same name.
std::shared_ptr<GraphDraft> renamed_copy(const GraphDraft& graph, NewNames names) {
  auto copy = std::make_shared<GraphDraft>(graph);
  for (const auto& [name, value] : copy->constants) names.erase(name);
  for (const std::string& name : copy->input_names) names.erase(name);
  for (const NodeDraft& node : copy->nodes)
    for (const std::string& name : node.outputs) names.erase(name);
  for (NodeDraft& node : copy->nodes) rename_reads(node, names);
  for (std::string& name : copy->output_names) rename(name, names);
  for (std::string& name : copy->captures) rename(name, names);
  return copy;
}

}  // namespace

std::vector<std::string> inline_graph(Upgrade& u, const GraphDraft& graph, const std::vector<std::string>& inputs) {
  NewNames names;
  for (const auto& [name, value] : graph.constants) names[name] = u.add_constant(name, value);
  for (size_t i = 0; i < inputs.size(); ++i) names[graph.input_names[i]] = inputs[i];
  for (const NodeDraft& node : graph.nodes)
    for (const std::string& output : node.outputs)
      if (!output.empty()) names[output] = u.new_name(output);
  for (NodeDraft node : graph.nodes) {
    rename_reads(node, names);
    for (std::string& output : node.outputs) rename(output, names);
    node.name = u.node.name + "/" + node.name;
    u.instead.push_back(std::move(node));
  }
  std::vector<std::string> outputs = graph.output_names;
  for (std::string& output : outputs) rename(output, names);
  return outputs;
}

}  // namespace ge::onnx
