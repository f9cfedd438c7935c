#include "ge/import/onnx/before_7.hpp"

namespace ge::onnx {

bool known_before_7(std::string_view op) {
  const OpsetRange* range = opset_range(op);
  return range != nullptr && range->first < 7;
}

void take_old_forms(GraphDraft& root, Diagnostics& findings) {
  for (NodeDraft& node : root.nodes) {
    for (auto& [attribute, subgraph] : node.subgraphs) take_old_forms(*subgraph, findings);
    if (!node.domain.empty() || node.version < 1 || node.version > 6) continue;
    if (!known_before_7(node.op))
      findings.add(node.where(), "is no op of opset " + std::to_string(node.version) +
                                     " that is supported; correct the model's opset_import, or convert it to opset 7 or newer with onnx.version_converter");
    if (node.version < 6) node.attributes.erase("consumed_inputs");
  }
}

}  // namespace ge::onnx
