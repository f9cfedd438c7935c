/// Swish, also known as SiLU (Ramachandran, Zoph and Le 2017; ONNX Swish, opset 24):
///
/// Before: x · sigmoid(alpha · x)      After: Swish(x, alpha)
#include "ge/passes/match_polynomial.hpp"

#include <cmath>

namespace ge {
namespace {

std::optional<Recognised> written_out_swish(const Graph& graph, const Node& gate) {
  if (!gate.is("Sigmoid")) return std::nullopt;
  for (OutputRef x : possible_variables(graph, gate.inputs()[0])) {
    Expansion formula(graph, x, gate.output());
    const auto argument = formula.of(gate.inputs()[0]);
    if (!argument) continue;
    const auto alpha = static_cast<float>(argument->plain[1]);
    if (!std::isfinite(alpha) || !stands_for(*argument, {{0, alpha}, {}}, DType::float64)) continue;  // the attribute is a float
    const OutputRef result = formula.climb_to({{}, {0, 1}});
    auto nodes = formula.nodes();
    add_node_of(nodes, gate.output());
    auto found = elementwise_of(graph, x, result, std::move(nodes), "Swish");
    if (found) found->attributes.set("alpha", alpha);
    if (found) return found;
  }
  return std::nullopt;
}

Patch recognise_swish(Graph& graph, PassContext& context) { return replace_recognised(graph, context, written_out_swish); }

}  // namespace
}  // namespace ge

REGISTER_PASS("recognise_swish", 56, "makes one Swish of x times Sigmoid(alpha x)", ge::recognise_swish);
