#include "ge/import/onnx/check_nodes.hpp"

namespace ge::onnx {
namespace {

void expect(const NodeDraft& node, const std::string& subgraph, const char* what, size_t found, size_t expected, Diagnostics& findings) {
  if (found != expected)
    findings.add(node.where(), "its " + subgraph + " has " + std::to_string(found) + " " + what + ", expected " + std::to_string(expected));
}

/// ONNX If: branches take nothing and give the node's outputs.
void check_if(NodeDraft& node, Diagnostics& findings) {
  for (const auto& [name, branch] : node.subgraphs) {
    expect(node, name, "inputs", branch->input_names.size(), 0, findings);
    if (node.outputs.size() < branch->output_names.size()) node.outputs.resize(branch->output_names.size());
  }
  for (const auto& [name, branch] : node.subgraphs) expect(node, name, "outputs", branch->output_names.size(), node.outputs.size(), findings);
}

/// ONNX Loop: inputs [M, cond, carried…], body [iteration, cond, carried…] → [cond, carried…, scan outputs…], outputs
/// [carried…, scan outputs…].
void check_loop(NodeDraft& node, Diagnostics& findings) {
  if (node.inputs.size() < 2) node.inputs.resize(2);
  const size_t carried = node.inputs.size() - 2;
  for (const auto& [name, body] : node.subgraphs) {
    expect(node, name, "inputs", body->input_names.size(), carried + 2, findings);
    const size_t outputs = body->output_names.size();
    if (outputs < carried + 1)
      findings.add(node.where(), "its " + name + " has " + std::to_string(outputs) + " outputs, expected at least " + std::to_string(carried + 1));
    else if (node.outputs.size() < outputs - 1)
      node.outputs.resize(outputs - 1);
    else
      expect(node, name, "outputs", outputs, node.outputs.size() + 1, findings);
  }
}

/// ONNX SequenceMap (opset 17): the body takes an element of each sequence, or the tensor, for each input, and gives an
/// element of each output.
void check_sequence_map(NodeDraft& node, Diagnostics& findings) {
  for (const auto& [name, body] : node.subgraphs) {
    expect(node, name, "inputs", body->input_names.size(), node.inputs.size(), findings);
    if (node.outputs.size() < body->output_names.size()) node.outputs.resize(body->output_names.size());
    expect(node, name, "outputs", body->output_names.size(), node.outputs.size(), findings);
  }
}

}  // namespace

void check_subgraphs(NodeDraft& node, Diagnostics& findings) {
  if (node.op == "If") check_if(node, findings);
  if (node.op == "Loop") check_loop(node, findings);
  if (node.op == "SequenceMap") check_sequence_map(node, findings);
}

}  // namespace ge::onnx
