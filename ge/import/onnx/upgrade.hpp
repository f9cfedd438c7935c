#pragma once
#include "ge/base/registry.hpp"
#include "ge/import/onnx/known_values.hpp"


// Every op is rewritten to the form of its newest opset, step by step: a step registered as {op, version} takes a node
// written for an opset before `version` and gives the form that `version` introduced. One file per op family,
// upgrade_*.cpp. Bumps that only widen types or add an attribute whose default keeps the old meaning need no step.
namespace ge::onnx {

/// Names that no value of the model has.
class FreshNames {
 public:
  explicit FreshNames(const GraphDraft& root) { reserve(root); }
  /// `base`, or the first "<base>_<n>" that is free; taken from now on.
  std::string make(const std::string& base);

 private:
  void reserve(const GraphDraft& graph);
  std::unordered_map<std::string, size_t> taken_;  ///< with the suffixes given so far
};

/// One node being upgraded.
class Upgrade {
 public:
  Upgrade(NodeDraft& node_in, GraphDraft& graph, KnownValues& known, FreshNames& fresh, std::vector<NodeDraft>& before, Diagnostics& findings)
      : node(node_in), graph_(graph), known_(known), fresh_(fresh), before_(before), findings_(findings) {}

  NodeDraft& node;

  /// Null when input `i` is absent or no constant.
  const Tensor* constant(size_t i) const { return node.has_input(i) ? known_.constant(node.inputs[i]) : nullptr; }
  /// The dtype of input `i`; undefined when it is absent or not known.
  DType dtype(size_t i) const { return node.has_input(i) ? known_.dtype(node.inputs[i]) : DType::undefined; }
  /// The rank of input `i` where it is a constant or a graph input of declared rank.
  std::optional<size_t> rank(size_t i) const { return node.has_input(i) ? known_.rank(node.inputs[i]) : std::nullopt; }

  /// "<node>.<what>", or what is free of that kind.
  std::string new_name(const std::string& what) { return fresh_.make(node.name + "." + what); }
  /// Adds a constant named "<node>.<what>" and returns its name.
  std::string add_constant(const std::string& what, Tensor value);
  /// A scalar of input `like`'s dtype (float32 where that is not known; inference then reports the mismatch).
  std::string add_scalar_like(const std::string& what, size_t like, float value);
  /// Adds a node of the newest form that runs before this one, and returns its output's name.
  std::string add_before(const std::string& op, std::vector<std::string> inputs, Attributes attributes = {});
  /// Gives this node's output `output` a new name, and the old name to a node of the newest form that reads it. Does
  /// nothing when the output is not used.
  void add_after(const std::string& op, std::vector<std::string> more_inputs, Attributes attributes = {}, size_t output = 0);

  /// Sets input `i`, filling those before it with absent ones.
  void set_input(size_t i, std::string name);
  /// Moves an ints attribute to input `i` as a constant int64 tensor; false when the attribute is absent.
  bool ints_to_input(const std::string& attribute, size_t i);
  void finding(std::string what) { findings_.add(node.where(), std::move(what)); }

  std::vector<NodeDraft> after;
  /// Nodes that take this node's place, producers first. They are upgraded in their turn, each from the opset version that it
  /// says it was written for. Where there are any, `after` is not looked at.
  std::vector<NodeDraft> instead;

 private:
  GraphDraft& graph_;
  KnownValues& known_;
  FreshNames& fresh_;
  std::vector<NodeDraft>& before_;
  Diagnostics& findings_;
};

struct UpgradeStep {
  std::string op;  ///< as op_key() gives it
  int64_t version;  ///< the opset whose form the step gives
  void (*apply)(Upgrade&);
};

/// A version for steps that every node takes, whatever opset it was written for.
inline constexpr int64_t any_version = 1000;

GE_DECLARE_REGISTRY(onnx_upgrades, UpgradeStep);

/// Upgrades a prepared graph and its subgraphs in place.
void upgrade(GraphDraft& root, Diagnostics& findings);

}  // namespace ge::onnx

/// REGISTER_ONNX_UPGRADE(Clip, 11, "min and max become inputs", clip_bounds_to_inputs);
#define REGISTER_ONNX_UPGRADE(op, version, doc, function) \
  GE_REGISTER(::ge::onnx::onnx_upgrades, #op "@" #version, doc, ::ge::onnx::UpgradeStep{#op, version, function})
/// The same for an op of another domain: REGISTER_ONNX_UPGRADE_OF("ai.onnx.ml", LabelEncoder, 2, "…", labels_to_keys);
#define REGISTER_ONNX_UPGRADE_OF(domain, op, version, doc, function) \
  GE_REGISTER(::ge::onnx::onnx_upgrades, domain "::" #op "@" #version, doc, ::ge::onnx::UpgradeStep{domain "::" #op, version, function})
