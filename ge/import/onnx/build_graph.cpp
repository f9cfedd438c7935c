#include "ge/import/onnx/build_graph.hpp"

#include "ge/ops/schema.hpp"

#include <unordered_map>
#include <unordered_set>

namespace ge::onnx {
namespace {

/// Builds one graph; `outer` builds the graph around it.
class Builder {
 public:
  Builder(const GraphDraft& draft, Graph& graph, const Builder* outer) : draft_(draft), graph_(graph), outer_(outer) {}

  void add_input(const std::string& name, TensorType type) {
    const OutputRef ref = graph_.add_input(name, std::move(type));
    graph_.set_output_name(ref, name);  // node names are unique in the model, tensor names only in a graph
    values_[name] = ref;
  }

  void build_body() {
    for (const NodeDraft& node : draft_.nodes) build_node(node);
    std::vector<OutputRef> outputs;
    for (const std::string& name : draft_.output_names) outputs.push_back(value(name));
    graph_.set_outputs(std::move(outputs), draft_.output_names);
  }

 private:
  /// A constant that this graph or one around it defines, unless something nearer has its name.
  const Tensor* constant(const std::string& name) const {
    if (values_.contains(name) && !constants_.contains(name)) return nullptr;
    if (const auto it = draft_.constants.find(name); it != draft_.constants.end()) return &it->second;
    return outer_ != nullptr ? outer_->constant(name) : nullptr;
  }

  /// The value in this graph. All names are defined here, captured as inputs, or constants further out.
  OutputRef value(const std::string& name) {
    if (name.empty()) return {};
    if (const auto it = values_.find(name); it != values_.end()) return it->second;
    const Tensor* tensor = constant(name);
    if (tensor == nullptr) throw Error(ErrorCode::internal, "ONNX import: no value '" + name + "' in graph '" + graph_.name() + "'");
    const OutputRef ref = graph_.add_constant(name, *tensor);
    graph_.set_output_name(ref, name);
    constants_.insert(name);
    return values_[name] = ref;
  }

  /// What the node's subgraphs capture besides constants, by first use.
  std::vector<std::string> captures_of(const NodeDraft& node, const OpSchema& schema) const {
    std::vector<std::string> captures;
    std::unordered_set<std::string> seen;
    for (const std::string& attribute : schema.subgraphs)
      for (const std::string& name : node.subgraphs.at(attribute)->captures)
        if (constant(name) == nullptr && seen.insert(name).second) captures.push_back(name);
    return captures;
  }

  /// The names of the node's outputs. Only what the op calls optional may be absent: kernels write the others whether they
  /// are read or not, and find by their sizes where the next one begins (Split). What nobody reads gets a name of its own.
  std::vector<std::string> named_outputs(const NodeDraft& node, const OpSchema& schema) const {
    std::vector<std::string> names = node.outputs;
    for (size_t i = 0; i < names.size() && i < schema.max_outputs() && schema.subgraphs.empty(); ++i)
      if (names[i].empty() && !schema.output_formal(i).optional) names[i] = node.name + ".unused_" + std::to_string(i);
    return names;
  }

  void build_node(const NodeDraft& node) {
    const OpSchema& schema = *find_schema(node.domain, node.op);
    NodeSpec spec;
    spec.op = node.op;
    spec.domain = node.domain;
    spec.name = node.name;
    spec.attributes = node.attributes;
    spec.outputs = named_outputs(node, schema);
    for (const std::string& input : node.inputs) spec.inputs.push_back(value(input));
    if (!schema.subgraphs.empty()) {
      if (node.op == "Loop") spec.attributes.set("_carried", static_cast<int64_t>(node.inputs.size()) - 2);
      if (node.op == "SequenceMap") spec.attributes.set("_carried", static_cast<int64_t>(node.inputs.size()));
      const std::vector<std::string> captures = captures_of(node, schema);
      for (const std::string& name : captures) spec.inputs.push_back(value(name));
      for (const std::string& attribute : schema.subgraphs) spec.subgraphs.push_back(build_subgraph(node, attribute, captures));
    }
    const NodeId id = graph_.add_node(std::move(spec));
    for (uint32_t i = 0; i < node.outputs.size(); ++i)
      if (!node.outputs[i].empty()) values_[node.outputs[i]] = {id, i};
  }

  GraphId build_subgraph(const NodeDraft& node, const std::string& attribute, const std::vector<std::string>& captures) {
    const GraphDraft& draft = *node.subgraphs.at(attribute);
    Graph& graph = graph_.add_subgraph(node.name + "." + attribute);
    Builder inner(draft, graph, this);
    for (size_t i = 0; i < draft.input_names.size(); ++i) {
      // Only dtype and kind are taken over: inference gives the shape, from what the node feeds in.
      inner.add_input(draft.input_names[i], {dtype_from_onnx(draft.inputs[i].elem_type).value_or(DType::undefined), std::nullopt, std::nullopt, draft.inputs[i].kind.value_or(ValueKind::tensor)});
    }
    for (const std::string& name : captures) inner.add_input(name, {});
    inner.build_body();
    return graph.id();
  }

  const GraphDraft& draft_;
  Graph& graph_;
  const Builder* outer_;
  std::unordered_map<std::string, OutputRef> values_;
  std::unordered_set<std::string> constants_;  ///< which of the values are constants
};

}  // namespace

std::unique_ptr<Graph> build_graph(const GraphDraft& root, std::vector<TensorType> types, std::unique_ptr<Graph> graph) {
  Builder builder(root, *graph, nullptr);
  for (size_t i = 0; i < root.input_names.size(); ++i) builder.add_input(root.input_names[i], std::move(types[i]));
  builder.build_body();
  return graph;
}

}  // namespace ge::onnx
