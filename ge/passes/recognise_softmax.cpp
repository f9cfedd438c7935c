/// Softmax along one axis (ONNX Softmax, opset 13), written out the way that does not overflow, or as e^LogSoftmax:
///
/// Before: e / sum(e), with e = exp(x - max(x))      After: Softmax(x)
/// Before: exp(LogSoftmax(x))                        After: Softmax(x)
///
/// Without the maximum the formula gives NaN where e^x is infinite; Softmax would not, so that form is left alone.
#include "ge/passes/match.hpp"

namespace ge {
namespace {

std::optional<Recognised> softmax_of(const Graph& graph, OutputRef x, OutputRef result, int64_t axis, std::vector<NodeId> nodes) {
  if (!same_float_type(graph, x, result)) return std::nullopt;
  Recognised out{result, std::move(nodes), "Softmax", {}, {{x, {}}}};
  out.attributes.set("axis", axis);
  return out;
}

/// x of exp(x - max(x)) along the axis; adds the nodes of it.
OutputRef shifted_exponent(const Graph& graph, OutputRef value, size_t axis, std::vector<NodeId>& nodes) {
  const Node* exp = made_by(graph, value, "Exp");
  const Node* sub = exp == nullptr ? nullptr : made_by(graph, exp->inputs()[0], "Sub");
  const Node* max = sub == nullptr ? nullptr : made_by(graph, sub->inputs()[1], "ReduceMax");
  if (max == nullptr || max->inputs()[0] != sub->inputs()[0] || kept_axes(graph, *max) != std::vector{axis}) return {};
  for (const Node* node : {exp, sub, max}) add_node_of(nodes, node->output());
  return sub->inputs()[0];
}

/// e / sum(e), from the sum.
std::optional<Recognised> from_sum(const Graph& graph, const Node& sum) {
  const auto axes = kept_axes(graph, sum);
  if (!axes || axes->size() != 1) return std::nullopt;
  std::vector<NodeId> nodes;
  const OutputRef x = shifted_exponent(graph, sum.inputs()[0], axes->front(), nodes);
  const Node* divides = x ? only_reader(graph, sum.output()) : nullptr;
  if (divides == nullptr) return std::nullopt;
  add_node_of(nodes, sum.output());
  OutputRef numerator;
  if (divides->is("Div") && divides->inputs()[1] == sum.output()) {
    numerator = divides->inputs()[0];
  } else if (divides->is("Reciprocal")) {
    add_node_of(nodes, divides->output());
    const OutputRef inverse = divides->output();
    divides = only_reader(graph, inverse);
    if (divides != nullptr && divides->is("Mul")) numerator = other_operand(*divides, inverse);
  }
  if (!numerator || shifted_exponent(graph, numerator, axes->front(), nodes) != x) return std::nullopt;
  add_node_of(nodes, divides->output());
  return softmax_of(graph, x, divides->output(), static_cast<int64_t>(axes->front()), std::move(nodes));
}

std::optional<Recognised> written_out_softmax(const Graph& graph, const Node& node) {
  if (node.is("ReduceSum")) return from_sum(graph, node);
  const Node* logarithm = node.is("Exp") ? made_by(graph, node.inputs()[0], "LogSoftmax") : nullptr;
  if (logarithm == nullptr) return std::nullopt;
  return softmax_of(graph, logarithm->inputs()[0], node.output(), logarithm->attributes().get_int("axis", -1), {node.id(), logarithm->id()});
}

Patch recognise_softmax(Graph& graph, PassContext& context) { return replace_recognised(graph, context, written_out_softmax); }

}  // namespace
}  // namespace ge

REGISTER_PASS("recognise_softmax", 53, "makes one Softmax of e^(x - max) divided by its sum, and of e^LogSoftmax", ge::recognise_softmax);
