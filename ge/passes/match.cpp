#include "ge/passes/match.hpp"

#include "ge/ops/schema.hpp"
#include "ge/passes/facts.hpp"

#include <algorithm>
#include <cmath>

namespace ge {
namespace {

constexpr int same_value_depth = 4;
constexpr int64_t small_constant = 64;
/// More readers than slots of any formula: then somebody else reads the value too.
constexpr size_t many_readers = 32;

bool same_constant(const Tensor* a, const Tensor* b) { return a != nullptr && b != nullptr && a->count() <= small_constant && *a == *b; }

bool same_value(const Graph& graph, OutputRef a, OutputRef b, int depth) {
  if (a == b) return true;
  if (!a || !b || a.index != b.index || depth == 0) return false;
  if (same_constant(graph.constant_value(a), graph.constant_value(b))) return true;
  const Node& first = graph.node(a.node);
  const Node& second = graph.node(b.node);
  const OpSchema* schema = find_schema(first.domain(), first.op());
  if (schema == nullptr || !schema->deterministic || first.inputs().empty()) return false;
  if (first.op() != second.op() || first.domain() != second.domain() || first.inputs().size() != second.inputs().size()) return false;
  if (!first.subgraphs().empty() || !second.subgraphs().empty() || first.attributes() != second.attributes()) return false;
  for (size_t i = 0; i < first.inputs().size(); ++i)
    if (!same_value(graph, first.inputs()[i], second.inputs()[i], depth - 1)) return false;
  return true;
}

bool contains(const std::vector<NodeId>& nodes, NodeId id) { return std::find(nodes.begin(), nodes.end(), id) != nodes.end(); }

/// Nothing outside needs more of the formula than its result; nor does the composite op, whose gain might be an inner value.
bool stands_alone(const Graph& graph, const Recognised& found) {
  if (graph.user_count(found.result.node) == 0) return false;
  for (const Operand& operand : found.inputs)
    if (operand.value && contains(found.nodes, operand.value.node)) return false;
  for (NodeId id : found.nodes) {
    if (has_control_edges(graph, graph.node(id))) return false;
    if (id == found.result.node) continue;
    if (graph.user_count(id) > many_readers) return false;
    for (const InputRef& user : graph.users(id))
      if (!contains(found.nodes, user.node)) return false;
  }
  return true;
}

}  // namespace

const Node* made_by(const Graph& graph, OutputRef ref, std::string_view op) {
  if (!ref || ref.index != 0) return nullptr;
  const Node& node = graph.node(ref.node);
  return node.is(op) ? &node : nullptr;
}

std::optional<double> scalar_constant(const Graph& graph, OutputRef ref) {
  const Tensor* tensor = graph.constant_value(ref);
  if (tensor == nullptr || tensor->count() != 1) return std::nullopt;
  const auto elements = tensor->to_doubles();
  if (!elements) return std::nullopt;
  return elements->front();
}

bool stands_for(double found, double expected, DType dtype) {
  const double relative = dtype == DType::float64 ? 1e-6 : dtype == DType::float32 ? 1e-4 : dtype == DType::float16 ? 1e-3 : 1e-2;
  return std::fabs(found - expected) <= relative * std::fabs(expected);
}

bool same_value(const Graph& graph, OutputRef a, OutputRef b) { return same_value(graph, a, b, same_value_depth); }

const Node* only_reader(const Graph& graph, OutputRef ref) {
  if (graph.user_count(ref.node) != 1) return nullptr;
  const std::vector<InputRef> users = graph.users(ref);
  return users.size() == 1 ? &graph.node(users[0].node) : nullptr;
}

OutputRef other_operand(const Node& node, OutputRef one) {
  const auto in = node.inputs();
  if (in.size() != 2 || (in[0] == one) == (in[1] == one)) return {};
  return in[0] == one ? in[1] : in[0];
}

std::optional<std::vector<size_t>> kept_axes(const Graph& graph, const Node& reduction) {
  const TensorType& type = graph.type(reduction.inputs()[0]);
  if (!type.has_rank() || reduction.attributes().get_int("keepdims", 1) == 0) return std::nullopt;
  const auto rank = static_cast<int64_t>(type.rank());
  const OutputRef given = reduction.inputs().size() > 1 ? reduction.inputs()[1] : OutputRef{};
  auto axes = given ? known_ints(graph, given) : std::vector<int64_t>{};
  if (!axes) return std::nullopt;
  if (axes->empty()) {  // all, or none with noop_with_empty_axes
    if (reduction.attributes().get_int("noop_with_empty_axes", 0) != 0) return std::nullopt;
    for (int64_t axis = 0; axis < rank; ++axis) axes->push_back(axis);
  }
  std::vector<size_t> kept;
  for (int64_t axis : *axes) kept.push_back(static_cast<size_t>(axis < 0 ? axis + rank : axis));
  std::sort(kept.begin(), kept.end());
  return kept;
}

bool same_float_type(const Graph& graph, OutputRef a, OutputRef b) {
  const DType dtype = graph.type(a).dtype;
  return contains(dtypes::floats, dtype) && dtype == graph.type(b).dtype && same_shape(graph, a, b);
}

void add_node_of(std::vector<NodeId>& nodes, OutputRef ref) {
  if (!contains(nodes, ref.node)) nodes.push_back(ref.node);
}

Patch replace_recognised(Graph& graph, PassContext& context, Recogniser recognise) {
  std::vector<Recognised> all;
  std::vector<bool> taken(graph.node_count(), false);  // each node belongs to one formula; the rest is for the next call
  for (const Node& node : graph.nodes()) {
    if (node.dead() || !node.domain().empty()) continue;
    auto found = recognise(graph, node);
    if (!found || !stands_alone(graph, *found)) continue;
    if (std::any_of(found->nodes.begin(), found->nodes.end(), [&](NodeId id) { return taken[id.value]; })) continue;
    for (NodeId id : found->nodes) taken[id.value] = true;
    all.push_back(std::move(*found));
  }
  Patch patch;
  for (Recognised& found : all) {
    NodeSpec spec;
    spec.op = found.op;
    spec.name = graph.node(found.result.node).name();
    spec.attributes = std::move(found.attributes);
    spec.outputs = {graph.tensor_name(found.result)};
    for (Operand& operand : found.inputs)
      spec.inputs.push_back(operand.value ? operand.value : graph.add_constant(spec.name + "." + std::to_string(spec.inputs.size()), std::move(operand.constant)));
    const NodeId made = graph.add_node(std::move(spec));
    graph.set_type({made, 0}, graph.type(found.result));
    patch.replace(found.result, {made, 0});
    for (NodeId id : found.nodes) patch.remove(id);
  }
  context.matches += all.size();
  return patch;
}

}  // namespace ge
