/// Layer normalization (Ba, Kiros and Hinton 2016; ONNX LayerNormalization, opset 17) over the last axes:
///
/// Before: d / sqrt(mean(d²) + epsilon) · gain + bias, with d = x - mean(x)      After: LayerNormalization(x, gain, bias)
#include "ge/passes/match_norm.hpp"

namespace ge {
namespace {

/// x of x - mean(x); adds the nodes of it.
OutputRef centred_value(const Graph& graph, OutputRef difference, size_t axis, std::vector<NodeId>& nodes) {
  const Node* sub = made_by(graph, difference, "Sub");
  const Node* mean = sub == nullptr ? nullptr : made_by(graph, sub->inputs()[1], "ReduceMean");
  if (mean == nullptr || !reduces_last_axes(graph, *mean, axis) || mean->inputs()[0] != sub->inputs()[0]) return {};
  add_node_of(nodes, difference);
  add_node_of(nodes, mean->output());
  return sub->inputs()[0];
}

std::optional<Recognised> written_out_layer_norm(const Graph& graph, const Node& root) {
  const auto found = find_normalised(graph, root, Bias::taken);
  if (!found) return std::nullopt;
  auto nodes = found->nodes;
  const OutputRef x = centred_value(graph, found->operand, found->axis, nodes);
  if (!x) return std::nullopt;
  for (OutputRef copy : found->copies)
    if (centred_value(graph, copy, found->axis, nodes) != x) return std::nullopt;
  return normalisation_of(graph, x, *found, std::move(nodes), "LayerNormalization");
}

Patch recognise_layer_norm(Graph& graph, PassContext& context) { return replace_recognised(graph, context, written_out_layer_norm); }

}  // namespace
}  // namespace ge

REGISTER_PASS("recognise_layer_norm", 51, "makes one LayerNormalization of x minus mean, divided by its root mean square", ge::recognise_layer_norm);
