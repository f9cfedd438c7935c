/// Hard swish (Howard et al. 2019, "Searching for MobileNetV3"; ONNX HardSwish, opset 22): x · max(0, min(1, x/6 + 1/2)),
/// which exporters write as x · HardSigmoid(x) or x · Clip(x + 3, 0, 6) / 6, Clip being Relu6, or Min and Max.
///
/// Before: x · clamp(6h · (x/6 + 1/2), 0, h) / h      After: HardSwish(x)
#include "ge/passes/match_polynomial.hpp"

#include <algorithm>
#include <limits>

namespace ge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int max_nested = 4;

/// max(low, min(high, scale · of + shift)), of being no clamp any more.
struct Clamp {
  double low = -infinity, high = infinity;
  OutputRef of;
  double scale = 1, shift = 0;
  std::vector<NodeId> nodes;

  /// What is clamped is itself clamped to these bounds first.
  void add_inner(double lowest, double highest) {
    const auto clamp = [low = low, high = high](double value) { return std::min(std::max(value, low), high); };
    low = clamp(lowest), high = clamp(highest);
  }
};

/// An absent bound is `otherwise`; nullopt: only a run knows it.
std::optional<double> bound(const Graph& graph, const Node& node, size_t slot, double otherwise) {
  const OutputRef ref = slot < node.inputs().size() ? node.inputs()[slot] : OutputRef{};
  return ref ? scalar_constant(graph, ref) : std::optional(otherwise);
}

/// Goes through the clamp that `value` is, one node; false when it is none.
bool add_clamp(const Graph& graph, OutputRef value, Clamp& clamp) {
  const Node& node = graph.node(value.node);
  if (node.is("Relu")) {
    clamp.add_inner(0, infinity);
    clamp.of = node.inputs()[0];
  } else if (node.is("Clip")) {
    const auto low = bound(graph, node, 1, -infinity), high = bound(graph, node, 2, infinity);
    if (!low || !high) return false;
    clamp.add_inner(*low, *high);
    clamp.of = node.inputs()[0];
  } else if (node.is("HardSigmoid")) {
    clamp.add_inner(0, 1);
    clamp.of = node.inputs()[0];
    clamp.scale = static_cast<double>(node.attributes().get_float("alpha", 0.2f));
    clamp.shift = static_cast<double>(node.attributes().get_float("beta", 0.5f));
  } else if ((node.is("Min") || node.is("Max")) && node.inputs().size() == 2) {
    const size_t slot = scalar_constant(graph, node.inputs()[0]) ? 0 : 1;
    const auto constant = scalar_constant(graph, node.inputs()[slot]);
    if (!constant) return false;
    if (node.is("Min")) clamp.add_inner(-infinity, *constant);
    else clamp.add_inner(*constant, infinity);
    clamp.of = node.inputs()[1 - slot];
  } else {
    return false;
  }
  add_node_of(clamp.nodes, value);
  return true;
}

std::optional<Recognised> written_out_hard_swish(const Graph& graph, const Node& gate) {
  Clamp clamp;
  if (gate.outputs().empty() || !add_clamp(graph, gate.output(), clamp)) return std::nullopt;
  for (int more = 0; more < max_nested && clamp.scale == 1 && clamp.shift == 0 && add_clamp(graph, clamp.of, clamp); ++more) {}
  if (clamp.low != 0 || clamp.high <= 0 || clamp.high == infinity) return std::nullopt;

  for (OutputRef x : possible_variables(graph, clamp.of)) {
    Expansion formula(graph, x, gate.output());
    const double h = clamp.high;
    const double shift = (h / 2 - clamp.shift) / clamp.scale, slope = h / 6 / clamp.scale;
    if (!formula.is(clamp.of, {{shift, slope}, {}})) continue;
    const OutputRef result = formula.climb_to({{}, {0, 1 / h}});
    auto nodes = formula.nodes();
    for (NodeId id : clamp.nodes) add_node_of(nodes, {id, 0});
    if (auto found = elementwise_of(graph, x, result, std::move(nodes), "HardSwish")) return found;
  }
  return std::nullopt;
}

Patch recognise_hard_swish(Graph& graph, PassContext& context) { return replace_recognised(graph, context, written_out_hard_swish); }

}  // namespace
}  // namespace ge

REGISTER_PASS("recognise_hard_swish", 55, "makes one HardSwish of x times (x + 3 clamped to 0..6) / 6", ge::recognise_hard_swish);
