#include "ge/import/onnx/prepare.hpp"

#include <algorithm>
#include <unordered_set>

namespace ge::onnx {
namespace {

using Names = std::unordered_set<std::string>;

/// The names that a graph and those around it define, innermost last.
using Scopes = std::vector<const Names*>;

void move_constants(GraphDraft& graph, Diagnostics& findings) {
  std::erase_if(graph.nodes, [&](const NodeDraft& node) {
    if (node.op != "Constant" || !node.domain.empty()) return false;
    if (node.outputs.size() != 1 || node.outputs[0].empty() || !node.inputs.empty()) {
      findings.add(node.where(), "has " + std::to_string(node.inputs.size()) + " inputs and " + std::to_string(node.outputs.size()) + " outputs, expected 0 and 1");
      return true;
    }
    auto value = constant_value(node, findings);
    if (!graph.constants.try_emplace(node.outputs[0], value ? std::move(*value) : Tensor()).second)
      findings.add(node.where(), "defines '" + node.outputs[0] + "', which is defined already");
    return true;
  });
}

Names defined_names(const GraphDraft& graph, Diagnostics& findings) {
  Names names;
  for (const auto& [name, value] : graph.constants) names.insert(name);
  for (const std::string& name : graph.input_names) names.insert(name);  // the drafter has reported duplicates
  for (const NodeDraft& node : graph.nodes)
    for (const std::string& output : node.outputs)
      if (!output.empty() && !names.insert(output).second)
        findings.add(node.where(), "defines '" + output + "', which is defined already in graph '" + graph.name + "'");
  return names;
}

class Preparer {
 public:
  Preparer(GrowthLimit& growth, Diagnostics& findings) : growth_(growth), findings_(findings) {}

  void prepare(GraphDraft& graph) {
    move_constants(graph, findings_);
    const Names own = defined_names(graph, findings_);
    scopes_.push_back(&own);
    Names captured;
    const auto read = [&](const std::string& name, const std::string& where) {
      if (name.empty() || own.contains(name) || captured.contains(name)) return;
      if (std::none_of(scopes_.begin(), scopes_.end(), [&](const Names* names) { return names->contains(name); })) {
        findings_.add(where, "reads '" + name + "', which no node, input or initializer defines");
        return;
      }
      growth_.add(1, where);
      captured.insert(name);
      graph.captures.push_back(name);
    };
    graph.captures.clear();
    for (NodeDraft& node : graph.nodes) {
      for (const std::string& input : node.inputs) read(input, node.where());
      for (auto& [attribute, subgraph] : node.subgraphs) {
        prepare(*subgraph);
        for (const std::string& name : subgraph->captures) read(name, node.where());
      }
    }
    for (const std::string& output : graph.output_names) {
      if (output.empty()) findings_.add("graph '" + graph.name + "'", "has an output without a name");
      read(output, "the outputs of graph '" + graph.name + "'");
    }
    scopes_.pop_back();
    sort_nodes(graph, findings_);
  }

 private:
  GrowthLimit& growth_;
  Diagnostics& findings_;
  Scopes scopes_;
};

}  // namespace

void prepare(GraphDraft& root, GrowthLimit& growth, Diagnostics& findings) { Preparer(growth, findings).prepare(root); }

}  // namespace ge::onnx
