/// Ops that are made of others (ONNX "functions": Attention, SoftmaxCrossEntropyLoss, …): where no linked kernel runs a
/// node and its op has a body (ge/passes/function_bodies.hpp), the body takes the node's place.
///
/// Before: SwiGLU(a, b)      After: Mul(Swish(a), b)
///
/// The first of the passes, so that all others see what is really computed. Only what has no kernel is taken apart: a
/// kernel for the whole op keeps it whole. The new nodes are named after the old one ("attention/scores"); its outputs'
/// names go to the values that take their place, its control edges to all new nodes. A node whose body needs a rank that
/// inference could not tell stays for a later call, when other passes may have found it.
#include "ge/passes/function_bodies.hpp"
#include "ge/passes/pass.hpp"

#include "ge/ops/schema.hpp"

namespace ge {
namespace {

bool wants_body(const Graph& graph, const Node& node, const PassContext& context) {
  return function_bodies().find(op_key(node.domain(), node.op())) != nullptr && !(context.has_kernel && context.has_kernel(graph, node));
}

/// What was added since `first`: does the control edges' work for the node that goes.
void move_control_edges(Graph& graph, NodeId from, uint32_t first) {
  const std::vector<NodeId> before(graph.node(from).control_inputs().begin(), graph.node(from).control_inputs().end());
  const std::vector<NodeId> after = graph.control_users(from);
  if (before.empty() && after.empty()) return;
  for (uint32_t i = first; i < graph.node_count(); ++i) {
    if (graph.node(NodeId(i)).is(op_types::constant)) continue;
    for (NodeId node : before) graph.add_control_edge(node, NodeId(i));
    for (NodeId node : after) graph.add_control_edge(NodeId(i), node);
  }
}

void replace_outputs(Graph& graph, NodeId id, const FunctionBody& body, const std::vector<Term>& results, uint32_t first, Patch& patch) {
  const auto count = static_cast<uint32_t>(graph.node(id).outputs().size());
  for (uint32_t i = 0; i < count; ++i)
    if (body.wants(i) && (i >= results.size() || !results[i])) throw Error(ErrorCode::internal, "the body gives no output " + std::to_string(i));
  for (uint32_t i = 0; i < count; ++i) {
    if (!body.wants(i)) continue;
    const OutputRef result = results[i].ref();
    if (result.node.value >= first && !graph.node(result.node).is(op_types::constant)) graph.set_output_name(result, graph.tensor_name({id, i}));
    patch.replace({id, i}, result);
  }
}

constexpr int most_tries = 4;

/// What is noted of a node that could not be taken apart so far; null when nothing is.
PassContext::NotExpanded* failure_of(const Graph& graph, NodeId node, PassContext& context) {
  for (auto& failure : context.not_expanded)
    if (failure.graph == graph.id() && failure.node == node) return &failure;
  return nullptr;
}

void expand(Graph& graph, NodeId id, Patch& patch) {
  const auto first = static_cast<uint32_t>(graph.node_count());
  FunctionBody body(graph, id);
  const std::vector<Term> results = function_bodies().at(op_key(graph.node(id).domain(), graph.node(id).op())).build(body);
  replace_outputs(graph, id, body, results, first, patch);
  move_control_edges(graph, id, first);
  patch.remove(id);
}

Patch expand_functions(Graph& graph, PassContext& context) {
  Patch patch;
  const auto count = static_cast<uint32_t>(graph.node_count());
  for (uint32_t i = 0; i < count; ++i) {
    const NodeId id(i);
    if (graph.node(id).dead() || !wants_body(graph, graph.node(id), context)) continue;
    auto* failure = failure_of(graph, id, context);
    if (failure != nullptr && failure->tries >= most_tries) continue;
    const std::string what = "node '" + graph.node(id).name() + "' (" + graph.node(id).op() + ")";
    try {
      in_context([&] { return "expanding " + what; }, [&] { expand(graph, id, patch); });
      if (failure != nullptr) context.not_expanded.erase(context.not_expanded.begin() + (failure - context.not_expanded.data()));
      ++context.matches;
    } catch (const Error& error) {
      // In a branch that may never run, an open rank or a contradiction is no fault.
      if (error.code() != ErrorCode::unsupported && graph.is_root()) throw;
      if (failure == nullptr) failure = &context.not_expanded.emplace_back(PassContext::NotExpanded{graph.id(), id, {}, 0});
      failure->why = what + ": " + error.what();
      ++failure->tries;
    }
  }
  return patch;
}

}  // namespace
}  // namespace ge

REGISTER_PASS("expand_functions", 5, "replaces ops that no kernel runs by what they are made of", ge::expand_functions);
