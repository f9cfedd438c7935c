#include "ge/import/onnx/drafter.hpp"
#include "ge/import/onnx/sparse_tensor.hpp"

#include <algorithm>

namespace ge::onnx {

std::string Scope::value_name(std::string_view name) const {
  if (call == nullptr || name.empty()) return std::string(name);
  const auto it = call->values.find(name);
  return it != call->values.end() ? it->second : call->name + "@" + std::string(name);
}

void GrowthLimit::add(size_t count, const std::string& what) {
  if (count > left_) throw Error(ErrorCode::unsupported, "the model unfolds into far more than its file holds (at " + what + "); is it damaged?");
  left_ -= count;
}

Drafter::Drafter(const ModelProto& model, Source& source, GrowthLimit& growth, Diagnostics& findings)
    : source_(source), growth_(growth), findings_(findings) {
  for (const FunctionProto& function : model.functions)
    if (!functions_.try_emplace({function.domain, function.name, function.overload}, &function).second)
      finding("function '" + std::string(function.domain) + "::" + std::string(function.name) + "'", "is defined twice");
}

void Drafter::finding(std::string where, std::string what) {
  findings_.add(std::move(where), std::move(what));
  constexpr size_t enough = 10000;  // a hostile file may hold millions of empty nodes
  if (findings_.findings().size() >= enough) findings_.raise_if_any(ErrorCode::invalid_model, "the ONNX model cannot be imported");
}

static std::string unsupported_reason(const std::string& kind) {
  return (kind.find("map") == std::string::npos ? std::string() : "; no operator of ai.onnx takes or gives maps") + "; only tensors, sequences of tensors and optionals of these are supported";
}

GraphDraft Drafter::graph(const Message& message, const Scope& scope, bool is_root) {
  if (scope.depth > max_depth) throw Error(ErrorCode::invalid_model, "subgraphs are nested more than " + std::to_string(max_depth) + " deep");
  const GraphProto proto = read_graph(message);
  GraphDraft draft;
  draft.name = std::string(proto.name);
  const std::string where = "graph '" + draft.name + "'";
  add_initializers(proto, scope, draft);

  std::set<std::string> seen;
  for (const ValueInfo& input : proto.inputs) {
    std::string name = scope.value_name(input.name);
    if (name.empty()) finding(where, "has an input without a name");
    // Before IR version 4 every initializer was listed as an input too; later that makes it a default value that a
    // caller may replace. Both are taken as constants here: the input is dropped.
    if (draft.constants.contains(name)) continue;
    if (!seen.insert(name).second) finding(where, "has two inputs named '" + name + "'");
    if (is_root && !input.kind)
      finding("input '" + name + "'", input.kind_name.empty() ? "has no type, expected a tensor type" : "is a " + input.kind_name + unsupported_reason(input.kind_name));
    else if (is_root && !dtype_from_onnx(input.elem_type))
      finding("input '" + name + "'", "has element type " + std::to_string(input.elem_type) + ", which is not one of TensorProto.DataType (1 to 28)");
    draft.inputs.push_back(input);
    draft.input_names.push_back(std::move(name));
  }
  for (const ValueInfo& output : proto.outputs) draft.output_names.push_back(scope.value_name(output.name));
  if (is_root && proto.outputs.empty()) finding(where, "has no outputs");
  for (const Message& node : proto.nodes) add_node(node, scope, draft.nodes);
  return draft;
}

void Drafter::add_initializers(const GraphProto& proto, const Scope& scope, GraphDraft& draft) {
  const auto add = [&](std::string_view own_name, auto make) {
    const std::string name = scope.value_name(own_name);
    const std::string where = "initializer '" + name + "'";
    if (name.empty()) finding(where, "has no name");
    try {
      if (!draft.constants.try_emplace(name, make()).second) finding(where, "is defined twice in graph '" + draft.name + "'");
    } catch (const Error& error) {
      finding(where, error.what());
      draft.constants.try_emplace(name);  // so that its readers are not reported too
    }
  };
  for (const TensorProto& tensor : proto.initializers) add(tensor.name, [&] { return make_tensor(tensor, source_); });
  for (const Message& message : proto.sparse_initializers) {
    const SparseTensorProto sparse = read_sparse_tensor(message);
    add(sparse.values.name, [&] { return make_dense(sparse, source_); });
  }
}

void Drafter::add_node(const Message& message, const Scope& scope, std::vector<NodeDraft>& into) {
  if (scope.call != nullptr) growth_.add(1, "function call '" + scope.call->name + "'");
  const NodeProto proto = read_node(message);
  NodeDraft node;
  node.op = std::string(proto.op_type);
  node.domain = std::string(proto.domain);
  node.name = proto.name.empty() ? node.op + "_" + std::to_string(unnamed_[node.op]++) : scope.node_name(proto.name);
  for (const std::string_view input : proto.inputs) node.inputs.push_back(scope.value_name(input));
  for (const std::string_view output : proto.outputs) node.outputs.push_back(scope.value_name(output));
  if (node.op.empty()) return finding(node.where(), "has no op_type");
  if (const auto version = scope.opsets->find(proto.domain); version != scope.opsets->end()) node.version = version->second;

  const auto function = functions_.find({proto.domain, proto.op_type, proto.overload});
  if (function == functions_.end() && node.domain.empty() && node.version == 0)
    finding(node.where(), "is of domain ai.onnx, but opset_import names no version of it");
  read_attributes(proto.attributes, scope, node);
  if (function != functions_.end()) return expand(*function->second, proto, std::move(node), scope, into);
  into.push_back(std::move(node));
}

namespace {

/// ONNX's own domains, of which it is known what they hold (ONNX 1.23). Others are taken as they are.
struct DomainOpsets {
  std::string_view name;
  int64_t oldest, newest;
};
constexpr DomainOpsets domain_opsets[] = {{"", oldest_opset, newest_opset}, {"ai.onnx.ml", 1, 5}, {"ai.onnx.preview", 1, 1}};

}  // namespace

GraphDraft make_draft(const ModelProto& model, Source& source, GrowthLimit& growth, Diagnostics& findings) {
  if (!model.graph) throw Error(ErrorCode::invalid_model, "not a valid ONNX file: it has no graph; is it a model (ModelProto)?");
  const auto check_opset = [&](const std::string& where, const OpsetVersions& opsets) {
    for (const DomainOpsets& domain : domain_opsets) {
      const auto it = opsets.find(domain.name);
      if (it == opsets.end() || (it->second >= domain.oldest && it->second <= domain.newest)) continue;
      findings.add(where, "opset " + std::to_string(it->second) + " of " + (domain.name.empty() ? "ai.onnx" : std::string(domain.name)) +
                              " is not supported, expected " + std::to_string(domain.oldest) + " to " + std::to_string(domain.newest) +
                              "; convert the model with onnx.version_converter");
    }
  };
  check_opset("model", model.opsets);
  for (const FunctionProto& function : model.functions) check_opset("function '" + std::string(function.name) + "'", function.opsets);
  findings.raise_if_any(ErrorCode::invalid_model, "the ONNX model cannot be imported");

  return Drafter(model, source, growth, findings).graph(*model.graph, Scope{nullptr, &model.opsets, 0}, true);
}

}  // namespace ge::onnx
