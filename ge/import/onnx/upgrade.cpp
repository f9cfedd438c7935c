#include "ge/import/onnx/upgrade.hpp"

#include "ge/ops/schema.hpp"

#include <algorithm>

namespace ge::onnx {

GE_DEFINE_REGISTRY(onnx_upgrades, UpgradeStep, "ONNX upgrade")

void FreshNames::reserve(const GraphDraft& graph) {
  for (const auto& [name, value] : graph.constants) taken_.emplace(name, 0);
  for (const std::string& name : graph.input_names) taken_.emplace(name, 0);
  for (const NodeDraft& node : graph.nodes) {
    for (const std::string& name : node.outputs) taken_.emplace(name, 0);
    for (const auto& [attribute, subgraph] : node.subgraphs) reserve(*subgraph);
  }
}

std::string FreshNames::make(const std::string& base) {
  std::string name = base;
  while (!taken_.emplace(name, 0).second) name = base + "_" + std::to_string(++taken_[base]);
  return name;
}

std::string Upgrade::add_constant(const std::string& what, Tensor value) {
  std::string name = fresh_.make(node.name + "." + what);
  graph_.constants.emplace(name, std::move(value));
  return name;
}

std::string Upgrade::add_scalar_like(const std::string& what, size_t like, float value) {
  const DType dtype = node.has_input(like) ? known_.dtype(node.inputs[like]) : DType::undefined;
  const auto scalar = [&](DType type, auto element) { return add_constant(what, Tensor::from(type, {}, std::span<const decltype(element)>(&element, 1))); };
  switch (dtype) {
    case DType::float16: return scalar(dtype, float_to_half(value));
    case DType::bfloat16: return scalar(dtype, float_to_bfloat16(value));
    case DType::float64: return scalar(dtype, static_cast<double>(value));
    default: return scalar(DType::float32, value);
  }
}

static NodeDraft newest(const std::string& op, std::string name, std::vector<std::string> inputs, std::string output, Attributes attributes) {
  NodeDraft node;
  node.op = op;
  node.name = std::move(name);
  node.version = any_version;
  node.inputs = std::move(inputs);
  node.outputs = {std::move(output)};
  node.attributes = std::move(attributes);
  return node;
}

std::string Upgrade::add_before(const std::string& op, std::vector<std::string> inputs, Attributes attributes) {
  std::string output = fresh_.make(node.name + "." + op);
  before_.push_back(newest(op, node.name + "." + op, std::move(inputs), output, std::move(attributes)));
  known_.learn(before_.back());
  return output;
}

void Upgrade::add_after(const std::string& op, std::vector<std::string> more_inputs, Attributes attributes, size_t output) {
  if (node.outputs.size() <= output || node.outputs[output].empty()) return;
  std::string old = std::exchange(node.outputs[output], fresh_.make(node.name + ".before" + op));
  more_inputs.insert(more_inputs.begin(), node.outputs[output]);
  after.insert(after.begin(), newest(op, node.name + "." + op, std::move(more_inputs), std::move(old), std::move(attributes)));
}

void Upgrade::set_input(size_t i, std::string name) {
  if (node.inputs.size() <= i) node.inputs.resize(i + 1);
  node.inputs[i] = std::move(name);
}

bool Upgrade::ints_to_input(const std::string& attribute, size_t i) {
  if (!node.attributes.has(attribute)) return false;
  set_input(i, add_constant(attribute, Tensor::ints(node.attributes.get_ints(attribute))));
  node.attributes.erase(attribute);
  return true;
}

namespace {

using Steps = std::map<std::string, std::map<int64_t, const UpgradeStep*>>;

class Upgrader {
 public:
  Upgrader(const GraphDraft& root, Diagnostics& findings) : fresh_(root), findings_(findings) {
    for (const std::string& key : onnx_upgrades().keys_below("")) {
      const UpgradeStep& step = onnx_upgrades().at(key);
      steps_[step.op][step.version] = &step;
    }
  }

  void run(GraphDraft& graph, const KnownValues* outer) {
    KnownValues known(outer, graph);
    std::vector<NodeDraft> written = std::move(graph.nodes);
    graph.nodes.clear();
    graph.nodes.reserve(written.size());
    for (NodeDraft& node : written) take(node, graph, known);
  }

 private:
  /// Appends the upgraded node, with what comes before and after it.
  void take(NodeDraft& node, GraphDraft& graph, KnownValues& known) {
    Upgrade upgrade(node, graph, known, fresh_, graph.nodes, findings_);
    apply_steps(upgrade);
    if (!upgrade.instead.empty()) {
      for (NodeDraft& other : upgrade.instead) take(other, graph, known);
      return;
    }
    for (auto& [attribute, subgraph] : node.subgraphs) run(*subgraph, &known);
    known.learn(node);
    graph.nodes.push_back(std::move(node));
    for (NodeDraft& after : upgrade.after) {
      known.learn(after);
      graph.nodes.push_back(std::move(after));
    }
  }

  /// Steps may rename the op (Upsample → Resize), so the next one is looked up each time.
  void apply_steps(Upgrade& upgrade) {
    try {
      for (;;) {
        const auto of_op = steps_.find(op_key(upgrade.node.domain, upgrade.node.op));
        if (of_op == steps_.end()) return;
        const auto next = of_op->second.upper_bound(upgrade.node.version);
        if (next == of_op->second.end()) return;
        next->second->apply(upgrade);
        upgrade.node.version = next->first;
      }
    } catch (const Error& error) {  // an attribute of the wrong kind
      findings_.add(upgrade.node.where(), error.what());
    }
  }

  Steps steps_;
  FreshNames fresh_;
  Diagnostics& findings_;
};

}  // namespace

void upgrade(GraphDraft& root, Diagnostics& findings) { Upgrader(root, findings).run(root, nullptr); }

}  // namespace ge::onnx
