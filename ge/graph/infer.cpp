/// Walks the graph once in topological order and calls each op's inference function. Control flow is in
/// ge/graph/infer_control_flow.cpp.
#include "ge/graph/graph_inference.hpp"
#include "ge/graph/order.hpp"
#include "ge/ops/schema.hpp"

#include <algorithm>

namespace ge {

void GraphInference::infer_all() {
  for (NodeId id : root_.inputs()) name_elements(id);
  walk(root_);
  found_.raise_if_any(ErrorCode::invalid_model, "graph '" + root_.name() + "' contradicts its operators");
}

/// In order over the root: a touched node is inferred again, and its readers too where its types came out otherwise.
/// A touched owner walks its subgraphs whole.
void GraphInference::update(const GraphChanges& changes) {
  const std::vector<NodeId>& touched = changes.of(root_);
  if (touched.empty()) return;
  std::vector<bool> due(root_.node_count());
  for (NodeId id : touched) due[id.value] = true;
  for (NodeId id : topological_order(root_)) {
    if (!due[id.value] || root_.node(id).is(op_types::data)) continue;
    const auto outputs = root_.node(id).outputs();
    const std::vector<NodeOutput> before(outputs.begin(), outputs.end());
    step(root_, id);
    for (uint32_t i = 0; i < before.size(); ++i) {
      if (before[i].type == root_.type({id, i})) continue;
      for (const InputRef& reader : root_.users(OutputRef{id, i})) due[reader.node.value] = true;
    }
  }
  found_.raise_if_any(ErrorCode::invalid_model, "graph '" + root_.name() + "' contradicts its operators");
}

/// Elements of a small integer input become symbols, so that shapes computed from them stay expressions.
void GraphInference::name_elements(NodeId id) {
  TensorType type = root_.type({id, 0});
  const auto dims = type.shape ? constant_dims(*type.shape) : std::nullopt;
  const auto count = dims ? element_count(*dims) : std::nullopt;
  if (!count || *count > max_symbolic_values || type.values || !type.is_tensor()) return;
  Bounds bounds{INT64_MIN, INT64_MAX};
  if (type.dtype == DType::int32) bounds = {INT32_MIN, INT32_MAX};
  else if (type.dtype == DType::boolean) bounds = {0, 1};
  else if (type.dtype != DType::int64) return;
  type.values.emplace();
  for (int64_t i = 0; i < *count; ++i)
    type.values->push_back(root_.symbols().symbol(root_.node(id).name() + "[" + std::to_string(i) + "]", bounds));
  root_.set_type({id, 0}, std::move(type));
}

void GraphInference::walk(Graph& graph) {
  for (NodeId id : topological_order(graph))
    if (!graph.node(id).is(op_types::data)) step(graph, id);
}

/// One node; a contradiction is noted, and what depends on it is not judged.
void GraphInference::step(Graph& graph, NodeId id) {
  ++result_.nodes;
  result_.conditions.erase(key(graph, id));  // a loop body may be walked more than once
  if (follows_failure(graph, id)) return fail(graph, id);
  try {
    visit(graph, id);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_model) throw;
    if (undecided_ == 0) {
      found_.add("node '" + graph.node(id).name() + "' (" + graph.node(id).op() + ")", error.what());
      return fail(graph, id);
    }
    result_.open.emplace_back(key(graph, id), std::string("cannot run if its branch is taken: ") + error.what());
    leave_open(graph, id);
  }
}

/// One mistake gives one finding: what reads a failed node is not judged, nor is a failed node in a second walk.
bool GraphInference::follows_failure(const Graph& graph, NodeId id) const {
  if (failed_.empty()) return false;
  const auto failed = [&](NodeId node) { return failed_.contains(key(graph, node)); };
  const auto inputs = graph.node(id).inputs();
  return failed(id) || std::any_of(inputs.begin(), inputs.end(), [&](OutputRef ref) { return ref && failed(ref.node); });
}

bool GraphInference::outputs_failed(const Graph& sub) const {
  const auto outputs = sub.outputs();
  return std::any_of(outputs.begin(), outputs.end(), [&](OutputRef ref) { return failed_.contains(key(sub, ref.node)); });
}

void GraphInference::fail(Graph& graph, NodeId id) {
  failed_.insert(key(graph, id));
  leave_open(graph, id);
}

/// Outputs of a node that contradicts its op: unknown rank, the dtype of its first input.
void GraphInference::leave_open(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  DType dtype = DType::float32;
  for (OutputRef ref : node.inputs())
    if (ref && graph.type(ref).dtype != DType::undefined) {
      dtype = graph.type(ref).dtype;
      break;
    }
  const OpSchema* schema = find_schema(node.domain(), node.op());
  for (uint32_t i = 0; i < node.outputs().size(); ++i) {
    TensorType type{dtype, std::nullopt, std::nullopt};
    if (schema != nullptr && !schema->outputs.empty() && schema->output_formal(i).kinds == kinds::sequence) type.kind = ValueKind::sequence;
    graph.set_type({id, i}, std::move(type));
  }
}

void GraphInference::visit(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const OpSchema* schema = find_schema(node.domain(), node.op());
  if (schema == nullptr) throw Error(ErrorCode::invalid_model, "op is not registered: link the component that has it");
  std::vector<InferContext::Input> inputs;
  for (OutputRef ref : node.inputs()) inputs.push_back(ref ? InferContext::Input{&graph.type(ref), graph.constant_value(ref)} : InferContext::Input{});
  std::vector<bool> outputs;
  for (const NodeOutput& output : node.outputs()) outputs.push_back(!output.name.empty());
  InferContext context(graph.symbols(), node.attributes(), std::move(inputs), std::move(outputs));
  check_and_infer(*schema, context);
  if (schema->control_flow == ControlFlow::branch) return branch(graph, id);
  if (schema->control_flow == ControlFlow::loop) return loop(graph, id);
  if (schema->control_flow == ControlFlow::map) return map(graph, id);
  for (uint32_t i = 0; i < context.results().size(); ++i) graph.set_type({id, i}, context.results()[i]);
  if (!context.conditions().empty()) result_.conditions[key(graph, id)] = context.conditions();
  note_open(graph, id, context);
}

void GraphInference::note_open(const Graph& graph, NodeId id, const InferContext& context) {
  if (context.unknowns().empty()) return;
  std::string why = "sizes depend on values";
  for (size_t i : context.wanted()) why += (why.ends_with("values") ? " of input " : ", ") + std::to_string(i);
  result_.open.emplace_back(key(graph, id), why);
}

InferResult infer(Graph& root) {
  GraphInference walk(root);
  walk.infer_all();
  return std::move(walk.result());
}

Inference::Inference(Graph& root) : walk_(std::make_unique<GraphInference>(root)) { walk_->infer_all(); }
Inference::~Inference() = default;
void Inference::update(const GraphChanges& changes) { walk_->update(changes); }

std::string InferResult::dump(const Graph& root) const {
  const auto name = [&](const NodeKey& key) {
    const Graph& graph = key.graph ? root.subgraph(key.graph) : root;
    return "'" + graph.node(key.node).name() + "' (" + graph.node(key.node).op() + ")";
  };
  std::string text = std::to_string(nodes) + " nodes inferred, " + std::to_string(open.size()) + " with open sizes\n";
  for (const auto& [key, why] : open) text += "  open: " + name(key) + ": " + why + "\n";
  for (const auto& [key, list] : conditions)
    for (const Condition& c : list) text += "  assumes: " + name(key) + ": " + to_string(c.condition) + "  (" + c.what + ")\n";
  return text;
}

}  // namespace ge
