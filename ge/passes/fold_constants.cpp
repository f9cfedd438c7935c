/// What is the same in every run becomes a Const:
///
///  - a value whose elements inference found to be constants (Shape of static dims and the arithmetic on it): nothing
///    is run, and nothing is asked of the producer but that somebody reads it;
///  - the outputs of a deterministic node all of whose inputs are constants: the evaluator runs it.
///
/// Before: Mul(Add(2, 3), x)      After: Mul(5, x)
///
/// A chain folds in one call: nodes are visited producers first, and what was folded counts as a constant for the next.
/// Only values that something unfolded reads become nodes. Size: a folded tensor may have context.fold_limit_bytes, or
/// as many bytes as the constants that die with the node (a transposed weight replaces the weight). What all of them add
/// to the constants, and the work of computing them, is bounded too (CR-10): what does not fit is left for the run.
#include "ge/base/log.hpp"
#include "ge/graph/order.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/facts.hpp"
#include "ge/passes/fold_work.hpp"
#include "ge/passes/pass.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ge {
namespace {

/// The tensor that an inferred type describes completely; none when it does not.
Tensor tensor_from_values(const TensorType& type) {
  if (!type.values || !type.shape) return {};
  const auto dims = constant_dims(*type.shape);
  if (!dims || element_count(*dims) != static_cast<int64_t>(type.values->size())) return {};
  std::vector<int64_t> wide;
  for (Expr value : *type.values) {
    if (!value.is_constant()) return {};
    wide.push_back(value.value());
  }
  switch (type.dtype) {
    case DType::int64: return Tensor::from<int64_t>(type.dtype, *dims, wide);
    case DType::int32: {
      // Expressions do not wrap around as the op would.
      if (std::any_of(wide.begin(), wide.end(), [](int64_t v) { return v < INT32_MIN || v > INT32_MAX; })) return {};
      const std::vector<int32_t> narrow(wide.begin(), wide.end());
      return Tensor::from<int32_t>(type.dtype, *dims, narrow);
    }
    case DType::boolean: {
      std::vector<uint8_t> narrow;
      for (int64_t value : wide) narrow.push_back(value != 0);
      return Tensor::from<uint8_t>(type.dtype, *dims, narrow);
    }
    default: return {};
  }
}

std::optional<int64_t> inferred_bytes(const TensorType& type) {
  const auto dims = type.shape ? constant_dims(*type.shape) : std::nullopt;
  const auto count = dims ? element_count(*dims) : std::nullopt;
  return count ? bytes_for(type.dtype, *count) : std::nullopt;
}

bool agrees(const Tensor& tensor, const TensorType& type) {
  if (!tensor || tensor.dtype() != type.dtype) return false;
  if (!type.shape) return true;
  if (type.rank() != tensor.dims().size()) return false;
  for (size_t axis = 0; axis < type.rank(); ++axis)
    if ((*type.shape)[axis].is_constant() && (*type.shape)[axis].value() != tensor.dims()[axis]) return false;
  return true;
}

class Folding {
 public:
  Folding(Graph& graph, PassContext& context) : graph_(graph), context_(context) {}

  Patch run() {
    for (NodeId id : topological_order(graph_)) visit(graph_.node(id));
    Patch patch;
    for (auto& [ref, tensor] : folded_)
      if (readers_[ref] != 0) patch.replace(ref, graph_.add_constant(graph_.tensor_name(ref), std::move(tensor)));
    for (NodeId id : gone_) patch.remove(id);
    return patch;
  }

 private:
  bool is_read(OutputRef ref) const { return !graph_.users(ref).empty(); }

  void visit(const Node& node) {
    if (node.is(op_types::constant) || node.is(op_types::net_output) || has_control_edges(graph_, node)) return;
    if (node.is(op_types::data) && graph_.is_root()) return;
    bool all_known = true;
    for (uint32_t i = 0; i < node.outputs().size(); ++i) {
      const OutputRef ref = node.output(i);
      if (!is_read(ref)) continue;
      Tensor tensor = tensor_from_values(graph_.type(ref));
      all_known = all_known && tensor;
      if (tensor) fold(ref, std::move(tensor));
    }
    if (node.is(op_types::data)) return;  // of a subgraph, with a known value: the readers get the value, the input stays
    if ((all_known && graph_.user_count(node.id()) != 0) || (!all_known && evaluate(node))) {
      gone_.insert(node.id());
      release_inputs(node);
    }
  }

  const Tensor* known(OutputRef ref) const {
    if (auto it = folded_.find(ref); it != folded_.end()) return &it->second;
    return graph_.constant_value(ref);
  }

  /// True when the node's outputs are in folded_.
  bool evaluate(const Node& node) {
    const OpSchema* schema = find_schema(node.domain(), node.op());
    if (context_.evaluator == nullptr || schema == nullptr || !schema->deterministic || !node.subgraphs().empty() || node.outputs().empty())
      return false;
    for (const NodeOutput& output : node.outputs())
      if (!output.type.is_tensor()) return false;  // there are no constant sequences
    std::vector<Tensor> inputs;
    for (OutputRef ref : node.inputs()) {
      const Tensor* tensor = ref ? known(ref) : nullptr;
      if (ref && tensor == nullptr) return false;
      inputs.push_back(tensor != nullptr ? *tensor : Tensor());
    }
    const int64_t dying = dying_bytes(node), limit = std::max(context_.fold_limit_bytes, dying);
    int64_t expected = 0;
    for (const NodeOutput& output : node.outputs())
      if (__builtin_add_overflow(expected, inferred_bytes(output.type).value_or(0), &expected)) return false;
    if (expected > limit || expected - dying > context_.fold_growth_bytes) return false;
    const double work = folding_work(node, inputs);
    if (work > context_.fold_work) {
      log_debug("not folded: node '" + node.name() + "' (" + node.op() + "): it would take too long");
      return false;
    }
    context_.fold_work -= work;

    std::vector<Tensor> results;
    try {
      results = context_.evaluator->evaluate(graph_, node.id(), inputs);
    } catch (const Error& error) {
      log_debug("not folded: node '" + node.name() + "' (" + node.op() + "): " + error.what());
      return false;
    }
    return take(node, std::move(results), limit, dying);
  }

  bool take(const Node& node, std::vector<Tensor> results, int64_t limit, int64_t dying) {
    int64_t bytes = 0;
    for (uint32_t i = 0; i < node.outputs().size(); ++i) {
      if (!is_read(node.output(i))) continue;
      const TensorType& type = graph_.type(node.output(i));
      if (i >= results.size() || !agrees(results[i], type)) {
        log_warning("not folded: node '" + node.name() + "' (" + node.op() + "): output " + std::to_string(i) + " came out as " +
                    (i < results.size() ? std::string(to_string(results[i].dtype())) + dims_to_string(results[i].dims()) : "nothing") +
                    ", inferred " + to_string(type));
        return false;
      }
      bytes += static_cast<int64_t>(results[i].bytes().size());
    }
    if (bytes > limit || bytes - dying > context_.fold_growth_bytes) return false;
    context_.fold_growth_bytes -= bytes - dying;
    for (uint32_t i = 0; i < node.outputs().size(); ++i)
      if (is_read(node.output(i))) fold(node.output(i), std::move(results[i]));
    return true;
  }

  void fold(OutputRef ref, Tensor tensor) {
    folded_[ref] = std::move(tensor);
    readers_[ref] = graph_.users(ref).size();
  }

  /// Bytes of the constants that only this node reads.
  int64_t dying_bytes(const Node& node) const {
    std::map<OutputRef, size_t> slots;
    for (OutputRef ref : node.inputs())
      if (ref) ++slots[ref];
    int64_t bytes = 0;
    for (const auto& [ref, count] : slots)
      if (graph_.user_count(ref.node) == count) bytes += static_cast<int64_t>(known(ref)->bytes().size());
    return bytes;
  }

  /// Lets the memory of intermediate results go as soon as all readers are folded.
  void release_inputs(const Node& node) {
    for (OutputRef ref : node.inputs())
      if (auto it = readers_.find(ref); it != readers_.end() && --it->second == 0) folded_.erase(ref);
  }

  Graph& graph_;
  PassContext& context_;
  std::map<OutputRef, Tensor> folded_;
  std::map<OutputRef, size_t> readers_;  ///< of folded_: input slots of nodes that are not folded
  std::set<NodeId> gone_;  ///< nodes that nothing needs any more
};

Patch fold_constants(Graph& graph, PassContext& context) { return Folding(graph, context).run(); }

}  // namespace
}  // namespace ge

REGISTER_PASS("fold_constants", 10, "computes at compile time what is the same in every run", ge::fold_constants);
