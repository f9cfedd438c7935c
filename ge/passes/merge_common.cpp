/// Nodes that compute the same become one: common subexpressions, and equal constants.
///
/// Before: Mul(Add(x, y), Add(x, y))      After: s = Add(x, y); Mul(s, s)
///
///  1. Producers first, each node joins the class of those with its op, attributes and inputs, inputs being the same
///     when their producers are of one class. So a whole repeated chain falls into classes in one walk.
///  2. Of each class the node with the most outputs stays; readers of the others read it, output by output. Nodes with
///     a read output that it lacks (an optional output) become one among those that have the same outputs.
///
/// Only deterministic ops without subgraphs and control edges. Sameness is to the bit, NaN payloads aside: operands may
/// change places in what does not round differently for it. (Max and Min of floats may give either zero.)
#include "ge/graph/order.hpp"
#include "ge/passes/facts.hpp"
#include "ge/passes/pass.hpp"
#include "ge/passes/same_value.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace ge {
namespace {

bool commutes(const Graph& graph, const Node& node) {
  static const std::unordered_set<std::string_view> always{"Add", "Mul", "Equal", "And", "Or", "Xor", "BitwiseAnd", "BitwiseOr", "BitwiseXor"};
  if (!node.domain().empty()) return false;
  if (always.contains(node.op())) return true;
  return (node.op() == "Max" || node.op() == "Min") && is_int(graph.type(node.output()).dtype);
}

/// The nodes of a graph by what they compute. A class is named by its first member.
class Classes {
 public:
  explicit Classes(const Graph& graph) : graph_(graph), class_of_(graph.node_count()), seen_(16, Hash{this}, Same{this}) {
    for (uint32_t i = 0; i < graph.node_count(); ++i) class_of_[i] = NodeId(i);
    const std::vector<bool> ordered = nodes_with_control_edges(graph);
    for (NodeId id : topological_order(graph)) {
      if (ordered[id.value] || !may_merge(graph.node(id))) continue;
      const auto [first, fresh] = seen_.insert(id);
      if (fresh) continue;
      class_of_[id.value] = *first;
      repeated_[*first].push_back(id);
    }
  }
  /// The further members of each class that has several.
  const std::map<NodeId, std::vector<NodeId>>& repeated() const { return repeated_; }

 private:
  struct Hash {
    Classes* self;
    size_t operator()(NodeId id) const { return self->hash(id); }
  };
  struct Same {
    Classes* self;
    bool operator()(NodeId a, NodeId b) const { return self->same(a, b); }
  };

  bool may_merge(const Node& node) const {
    if (node.outputs().empty() || !node.subgraphs().empty() || node.is(op_types::data) || graph_.user_count(node.id()) == 0) return false;
    const OpSchema* schema = find_schema(node.domain(), node.op());
    return schema != nullptr && schema->deterministic && schema->control_flow == ControlFlow::none;
  }
  std::vector<OutputRef> inputs_of(const Node& node) const {
    std::vector<OutputRef> inputs;
    for (OutputRef ref : node.inputs()) inputs.push_back(ref ? OutputRef{class_of_[ref.node.value], ref.index} : ref);
    if (commutes(graph_, node)) std::sort(inputs.begin(), inputs.end());
    return inputs;
  }

  size_t hash(NodeId id) const {
    if (const Tensor* tensor = graph_.constant_value({id, 0})) return quick_hash(*tensor);
    const Node& node = graph_.node(id);
    size_t hash = mix(std::hash<std::string>{}(node.op()), hash_of(*find_schema(node.domain(), node.op()), node.attributes()));
    for (OutputRef ref : inputs_of(node)) hash = mix(mix(hash, ref.node.value), ref.index);
    return hash;
  }
  bool same(NodeId a, NodeId b) {
    const Tensor *value = graph_.constant_value({a, 0}), *other = graph_.constant_value({b, 0});
    if (value != nullptr && other != nullptr) return whole(a, *value) == whole(b, *other) && *value == *other;
    const Node &x = graph_.node(a), &y = graph_.node(b);
    if (x.op() != y.op() || x.domain() != y.domain() || inputs_of(x) != inputs_of(y)) return false;
    const OpSchema& schema = *find_schema(x.domain(), x.op());
    // How many parts there are decides what each is (Split).
    const bool by_count = !schema.outputs.empty() && schema.outputs.back().variadic;
    return (!by_count || x.outputs().size() == y.outputs().size()) && same_attributes(schema, x.attributes(), y.attributes());
  }
  /// Of every byte, once for each constant: many large constants that differ in the middle stay linear.
  size_t whole(NodeId id, const Tensor& tensor) {
    const auto [it, fresh] = whole_.try_emplace(id, 0);
    if (fresh) it->second = full_hash(tensor);
    return it->second;
  }

  const Graph& graph_;
  std::vector<NodeId> class_of_;  ///< by node
  std::unordered_map<NodeId, size_t> whole_;
  std::unordered_set<NodeId, Hash, Same> seen_;  ///< first members
  std::map<NodeId, std::vector<NodeId>> repeated_;
};

/// Which outputs the node has.
std::vector<bool> named_outputs(const Node& node) {
  std::vector<bool> named;
  for (const NodeOutput& output : node.outputs()) named.push_back(!output.name.empty());
  return named;
}

/// The members of one class become as few as their outputs allow.
void merge_members(const Graph& graph, const std::vector<NodeId>& members, Patch& patch) {
  const auto count = [&](NodeId id) { return std::ranges::count(named_outputs(graph.node(id)), true); };
  const NodeId most = *std::max_element(members.begin(), members.end(), [&](NodeId a, NodeId b) { return count(a) < count(b); });
  const std::vector<bool> there = named_outputs(graph.node(most));
  std::map<std::vector<bool>, NodeId> apart;  // those that `most` cannot stand for, by which outputs they have
  for (NodeId id : members) {
    const std::vector<uint32_t> read = read_outputs(graph, graph.node(id));
    const bool covered = std::all_of(read.begin(), read.end(), [&](uint32_t i) { return i < there.size() && there[i]; });
    const NodeId to = covered ? most : apart.try_emplace(named_outputs(graph.node(id)), id).first->second;
    if (to == id) continue;
    for (uint32_t i : read) patch.replace({id, i}, {to, i});
    patch.remove(id);
  }
}

Patch merge_common(Graph& graph, PassContext&) {
  Patch patch;
  const Classes classes(graph);
  for (const auto& [first, others] : classes.repeated()) {
    std::vector<NodeId> members{first};
    members.insert(members.end(), others.begin(), others.end());
    merge_members(graph, members, patch);
  }
  return patch;
}

}  // namespace
}  // namespace ge

REGISTER_PASS("merge_common", 40, "makes one of nodes that compute the same and of equal constants", ge::merge_common);
