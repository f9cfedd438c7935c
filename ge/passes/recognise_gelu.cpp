/// GELU (Hendrycks and Gimpel 2016; ONNX Gelu, opset 20), exact and with tanh, in any order of factors and terms:
///
/// Before: x/2 · (1 + erf(x/√2))                             After: Gelu(x)
/// Before: x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))      After: Gelu(x, approximate="tanh")
#include "ge/passes/match_polynomial.hpp"

#include <numbers>

namespace ge {
namespace {

std::optional<Recognised> written_out_gelu(const Graph& graph, const Node& gate) {
  const bool exact = gate.is("Erf");
  if (!exact && !gate.is("Tanh")) return std::nullopt;
  constexpr double root = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // √(2/π)
  const Polynomial argument = exact ? Polynomial{{0, 1 / std::numbers::sqrt2}, {}} : Polynomial{{0, root, 0, root * 0.044715}, {}};
  const Polynomial gelu{{0, 0.5}, {0, 0.5}};

  for (OutputRef x : possible_variables(graph, gate.inputs()[0])) {
    Expansion formula(graph, x, gate.output());
    if (!formula.is(gate.inputs()[0], argument)) continue;
    const OutputRef result = formula.climb_to(gelu);
    auto nodes = formula.nodes();
    add_node_of(nodes, gate.output());
    auto found = elementwise_of(graph, x, result, std::move(nodes), "Gelu");
    if (found && !exact) found->attributes.set("approximate", "tanh");
    if (found) return found;
  }
  return std::nullopt;
}

Patch recognise_gelu(Graph& graph, PassContext& context) { return replace_recognised(graph, context, written_out_gelu); }

}  // namespace
}  // namespace ge

REGISTER_PASS("recognise_gelu", 54, "makes one Gelu of x/2 (1 + erf(x/√2)) and of its approximation with tanh", ge::recognise_gelu);
