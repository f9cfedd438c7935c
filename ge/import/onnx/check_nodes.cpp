#include "ge/import/onnx/check_nodes.hpp"

#include "ge/ops/schema.hpp"

#include <algorithm>

namespace ge::onnx {
namespace {

void trim(std::vector<std::string>& names) {
  while (!names.empty() && names.back().empty()) names.pop_back();
}

/// Absent outputs at the end go where the op calls them optional; others keep their place (the sizes of Split's parts).
void trim_outputs(std::vector<std::string>& names, const OpSchema& schema) {
  const auto may_go = [&](size_t i) { return i >= schema.max_outputs() || schema.output_formal(i).optional || !schema.subgraphs.empty(); };
  while (names.size() > schema.min_outputs() && names.back().empty() && may_go(names.size() - 1)) names.pop_back();
}

std::string range(size_t lo, size_t hi) {
  if (hi == SIZE_MAX) return "at least " + std::to_string(lo);
  return lo == hi ? std::to_string(lo) : std::to_string(lo) + " to " + std::to_string(hi);
}

void check_arity(const NodeDraft& node, const OpSchema& schema, Diagnostics& findings) {
  const auto check = [&](size_t found, size_t lo, size_t hi, const char* what) {
    if (found < lo || found > hi) findings.add(node.where(), "has " + std::to_string(found) + " " + what + ", expected " + range(lo, hi));
  };
  check(node.inputs.size(), schema.min_inputs(), schema.max_inputs(), "inputs");
  check(node.outputs.size(), schema.min_outputs(), schema.max_outputs(), "outputs");
  for (size_t i = 0; i < node.inputs.size() && i < schema.max_inputs(); ++i) {
    const Formal& formal = schema.input_formal(i);
    if (node.inputs[i].empty() && !formal.optional && !formal.variadic)
      findings.add(node.where(), "input " + std::to_string(i) + " (" + formal.name + ") is missing");
  }
}

void check_attributes(const NodeDraft& node, const OpSchema& schema, Diagnostics& findings) {
  for (const auto& [name, value] : node.attributes) {
    const AttributeRule* rule = schema.find_attribute(name);
    if (rule == nullptr)
      findings.add(node.where(), "attribute '" + name + "' is not one of this op's");
    else if (rule->sample.index() != value.index())
      findings.add(node.where(), "attribute '" + name + "' is of kind " + std::string(kind_name(value)) + ", expected " + std::string(kind_name(rule->sample)));
  }
  for (const AttributeRule& rule : schema.attributes)
    if (rule.required && !node.attributes.has(rule.name))
      findings.add(node.where(), "attribute '" + rule.name + "' (" + std::string(kind_name(rule.sample)) + ") is missing");
  for (const auto& [name, subgraph] : node.subgraphs)
    if (std::find(schema.subgraphs.begin(), schema.subgraphs.end(), name) == schema.subgraphs.end())
      findings.add(node.where(), "attribute '" + name + "' is a graph, which this op does not take");
  for (const std::string& name : schema.subgraphs)
    if (!node.subgraphs.contains(name)) findings.add(node.where(), "attribute '" + name + "' (graph) is missing");
}

void check(NodeDraft& node, Diagnostics& findings) {
  trim(node.inputs);
  const OpSchema* schema = find_schema(node.domain, node.op);
  if (schema == nullptr && node.domain.empty() && node.op == "ImageDecoder") {
    findings.add(node.where(), "decodes images (JPEG, PNG, …), which is not done here; decode them before the run and make the pixels an input of the model");
    return;
  }
  if (schema == nullptr) {
    std::string version = node.version == 0 ? "no version imported" : "version " + std::to_string(node.version);
    findings.add(node.where(), "op '" + node.op + "' of domain '" + (node.domain.empty() ? "ai.onnx" : node.domain) + "' (" + version +
                                   ") is not known; link the component that has it, or register it with REGISTER_OP");
    return;
  }
  trim_outputs(node.outputs, *schema);
  if (node.outputs.size() < schema->min_outputs()) node.outputs.resize(schema->min_outputs());
  check_arity(node, *schema, findings);
  check_attributes(node, *schema, findings);
  if (node.domain.empty()) check_subgraphs(node, findings);
}

}  // namespace

void check_nodes(GraphDraft& root, Diagnostics& findings) {
  for (NodeDraft& node : root.nodes) {
    check(node, findings);
    for (auto& [name, subgraph] : node.subgraphs) check_nodes(*subgraph, findings);
  }
}

}  // namespace ge::onnx
