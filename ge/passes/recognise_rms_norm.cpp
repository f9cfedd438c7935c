/// RMS normalization (Zhang and Sennrich 2019; ONNX RMSNormalization, opset 23) over the last axes:
///
/// Before: x / sqrt(mean(x²) + epsilon) · gain      After: RMSNormalization(x, gain)
#include "ge/passes/match_norm.hpp"

#include <algorithm>

namespace ge {
namespace {

std::optional<Recognised> written_out_rms_norm(const Graph& graph, const Node& root) {
  const auto found = find_normalised(graph, root, Bias::not_taken);
  if (!found || !std::all_of(found->copies.begin(), found->copies.end(), [&](OutputRef copy) { return copy == found->operand; })) return std::nullopt;
  return normalisation_of(graph, found->operand, *found, found->nodes, "RMSNormalization");
}

Patch recognise_rms_norm(Graph& graph, PassContext& context) { return replace_recognised(graph, context, written_out_rms_norm); }

}  // namespace
}  // namespace ge

REGISTER_PASS("recognise_rms_norm", 52, "makes one RMSNormalization of x divided by the root of its mean square", ge::recognise_rms_norm);
