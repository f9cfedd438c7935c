#include "ge/import/onnx/known_values.hpp"
#include "ge/ops/schema.hpp"

namespace ge::onnx {

KnownValues::KnownValues(const KnownValues* outer, const GraphDraft& graph) : outer_(outer), graph_(graph) {
  for (size_t i = 0; i < graph.input_names.size(); ++i) inputs_.emplace(graph.input_names[i], &graph.inputs[i]);
}

bool KnownValues::defines(const std::string& name) const {
  return graph_.constants.contains(name) || inputs_.contains(name) || dtypes_.contains(name);
}

const Tensor* KnownValues::constant(const std::string& name) const {
  if (const auto it = graph_.constants.find(name); it != graph_.constants.end()) return it->second ? &it->second : nullptr;
  return outer_ != nullptr && !defines(name) ? outer_->constant(name) : nullptr;
}

DType KnownValues::dtype(const std::string& name) const {
  if (const auto it = dtypes_.find(name); it != dtypes_.end()) return it->second;
  if (const auto it = graph_.constants.find(name); it != graph_.constants.end()) return it->second.dtype();
  if (const auto it = inputs_.find(name); it != inputs_.end()) return dtype_from_onnx(it->second->elem_type).value_or(DType::undefined);
  return outer_ != nullptr ? outer_->dtype(name) : DType::undefined;
}

std::optional<size_t> KnownValues::rank(const std::string& name) const {
  if (const Tensor* tensor = constant(name)) return tensor->dims().size();
  if (const auto it = inputs_.find(name); it != inputs_.end()) return it->second->dims ? std::optional(it->second->dims->size()) : std::nullopt;
  return outer_ != nullptr && !defines(name) ? outer_->rank(name) : std::nullopt;
}

void KnownValues::learn(const NodeDraft& node) {
  const OpSchema* schema = find_schema(node.domain, node.op);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    DType found = DType::undefined;
    if (schema != nullptr && i < schema->max_outputs() && !schema->outputs.empty()) {
      const std::string& letter = schema->output_formal(i).type_var;
      for (size_t k = 0; k < node.inputs.size() && k < schema->max_inputs() && !letter.empty(); ++k)
        if (node.has_input(k) && schema->input_formal(k).type_var == letter) {
          found = dtype(node.inputs[k]);
          break;
        }
    }
    if (const auto* to = std::get_if<int64_t>(node.attributes.find("to")); to != nullptr && node.op == "Cast") found = dtype_from_onnx(*to).value_or(found);
    if (!node.outputs[i].empty()) dtypes_.emplace(node.outputs[i], found);
  }
}

}  // namespace ge::onnx
