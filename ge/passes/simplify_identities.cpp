/// A node whose output is one of the values it reads (or that its producer reads) goes; its readers read that value.
///
/// Before: Relu(Mul(x, 1))      After: Relu(x)
///
/// "Is" means every bit but the payload of NaNs: x + 0 turns -0 into +0, so for floats only x + (-0) and x - (+0) are x.
/// Broadcasting must not change the shape, which is taken as proven when the dims are the same expressions.
#include "ge/passes/facts.hpp"
#include "ge/passes/pass.hpp"

#include <algorithm>
#include <map>

namespace ge {
namespace {

/// The value that output 0 of the node is; none when that is not certain.
using Rule = OutputRef (*)(const Graph& graph, const Node& node);

OutputRef input(const Node& node, size_t slot) { return slot < node.inputs().size() ? node.inputs()[slot] : OutputRef{}; }

/// Identity: always.
OutputRef first_input(const Graph&, const Node& node) { return input(node, 0); }

/// Concat, Max, Min, Sum, Mean: with one input.
OutputRef only_input(const Graph&, const Node& node) { return node.inputs().size() == 1 ? node.inputs()[0] : OutputRef{}; }

/// Cast (opset 25), CastLike: to the type that it has.
OutputRef same_type(const Graph& graph, const Node& node) {
  return graph.type(node.output()).dtype == graph.type(node.inputs()[0]).dtype ? node.inputs()[0] : OutputRef{};
}

/// Reshape, Expand, Squeeze, Unsqueeze, Flatten, Tile: to the shape that it has; the elements' order never changes.
OutputRef same_dims(const Graph& graph, const Node& node) {
  return same_shape(graph, node.output(), node.inputs()[0]) ? node.inputs()[0] : OutputRef{};
}

/// Transpose: axes stay where they are. Without `perm` the axes are reversed.
OutputRef same_axes(const Graph& graph, const Node& node) {
  const TensorType& type = graph.type(node.inputs()[0]);
  const std::vector<int64_t> perm = node.attributes().get_ints("perm");
  if (!node.attributes().has("perm")) return type.has_rank() && type.rank() <= 1 ? node.inputs()[0] : OutputRef{};
  for (size_t i = 0; i < perm.size(); ++i)
    if (perm[i] != static_cast<int64_t>(i)) return {};
  return node.inputs()[0];
}

/// Slice (opset 13: data, starts, ends, axes, steps): as many elements as there are, in steps of 1, are all of them.
OutputRef takes_all(const Graph& graph, const Node& node) {
  if (!same_shape(graph, node.output(), node.inputs()[0])) return {};
  if (const OutputRef steps = input(node, 4)) {
    const auto known = known_ints(graph, steps);
    if (!known || std::any_of(known->begin(), known->end(), [](int64_t step) { return step != 1; })) return {};
  }
  return node.inputs()[0];
}

/// Dropout (opset 22: data, ratio, training_mode): training mode is false or absent, the mask is not read.
OutputRef not_training(const Graph& graph, const Node& node) {
  if (const OutputRef training = input(node, 2)) {
    const auto known = known_ints(graph, training);
    if (!known || known->size() != 1 || (*known)[0] != 0) return {};
  }
  return input(node, 0);
}

/// Not(Not(x)), Neg(Neg(x)), BitwiseNot(BitwiseNot(x)).
OutputRef undone(const Graph& graph, const Node& node) {
  const Node& inner = graph.node(node.inputs()[0].node);
  return inner.op() == node.op() && inner.domain() == node.domain() ? inner.inputs()[0] : OutputRef{};
}

/// Whether the other operand, filled with `neutral`, leaves the operand in `slot` as it is.
OutputRef kept_by(const Graph& graph, const Node& node, size_t slot, double neutral) {
  const OutputRef kept = node.inputs()[slot];
  const Tensor* constant = graph.constant_value(node.inputs()[1 - slot]);
  if (constant == nullptr || !is_filled_with(*constant, neutral)) return {};
  if (graph.type(node.output()).dtype != graph.type(kept).dtype) return {};
  // A scalar broadcasts to any shape; otherwise the constant may add axes or repeat those of size 1.
  return constant->dims().empty() || same_shape(graph, node.output(), kept) ? kept : OutputRef{};
}

OutputRef either_kept(const Graph& graph, const Node& node, double neutral) {
  const OutputRef kept = kept_by(graph, node, 0, neutral);
  return kept ? kept : kept_by(graph, node, 1, neutral);
}

OutputRef add_zero(const Graph& graph, const Node& node) { return either_kept(graph, node, -0.0); }
OutputRef multiply_by_one(const Graph& graph, const Node& node) { return either_kept(graph, node, 1.0); }
OutputRef subtract_zero(const Graph& graph, const Node& node) { return kept_by(graph, node, 0, 0.0); }
/// Div by 1, Pow with exponent 1.
OutputRef by_one(const Graph& graph, const Node& node) { return kept_by(graph, node, 0, 1.0); }

const std::map<std::string, Rule, std::less<>>& rules() {
  static const std::map<std::string, Rule, std::less<>> all = {
      {"Identity", first_input}, {"Concat", only_input},   {"Max", only_input},      {"Min", only_input},      {"Sum", only_input},
      {"Mean", only_input},      {"Cast", same_type},      {"CastLike", same_type},  {"Reshape", same_dims},   {"Expand", same_dims},
      {"Squeeze", same_dims},    {"Unsqueeze", same_dims}, {"Flatten", same_dims},   {"Tile", same_dims},      {"Transpose", same_axes},
      {"Slice", takes_all},      {"Dropout", not_training}, {"Not", undone},         {"Neg", undone},          {"BitwiseNot", undone},
      {"Add", add_zero},         {"Sub", subtract_zero},   {"Mul", multiply_by_one}, {"Div", by_one},          {"Pow", by_one},
  };
  return all;
}

Patch simplify_identities(Graph& graph, PassContext&) {
  Patch patch;
  for (const Node& node : graph.nodes()) {
    if (node.dead() || !node.domain().empty()) continue;
    const auto rule = rules().find(node.op());
    if (rule == rules().end() || has_control_edges(graph, node)) continue;
    // Second outputs (Dropout's mask) have no other source; a node that nobody reads is remove_dead's.
    if (graph.users(node.output()).size() != graph.user_count(node.id()) || graph.user_count(node.id()) == 0) continue;
    const OutputRef same = rule->second(graph, node);
    if (!same) continue;
    patch.replace(node.output(), same);
    patch.remove(node.id());
  }
  return patch;
}

}  // namespace
}  // namespace ge

REGISTER_PASS("simplify_identities", 30, "removes nodes that give back a value they read", ge::simplify_identities);
