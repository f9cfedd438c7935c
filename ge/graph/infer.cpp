/// Walks the graph once in topological order and calls each op's inference function. Control flow is here, since it
/// needs subgraphs:
///  - If: both branches are inferred over the captures' types; outputs are the taken branch's where the predicate is a
///    constant, else joined (equal dims stay, others become select(predicate, a, b), or unknown);
///  - Loop: the body is inferred over the carried types until they are stable: what changes from one iteration to the
///    next becomes an unknown dim or rank.
#include "ge/graph/infer.hpp"

#include "ge/base/diagnostics.hpp"
#include "ge/graph/order.hpp"
#include "ge/ops/schema.hpp"

#include <algorithm>
#include <set>

namespace ge {
namespace {

class Inference {
 public:
  explicit Inference(Graph& root) : root_(root) {}

  InferResult run() {
    for (NodeId id : root_.inputs()) name_elements(id);
    walk(root_);
    found_.raise_if_any(ErrorCode::invalid_model, "graph '" + root_.name() + "' contradicts its operators");
    return std::move(result_);
  }

 private:
  static NodeKey key(const Graph& graph, NodeId id) { return {graph.is_root() ? GraphId{} : graph.id(), id}; }

  /// Elements of a small integer input become symbols, so that shapes computed from them stay expressions.
  void name_elements(NodeId id) {
    TensorType type = root_.type({id, 0});
    const auto dims = type.shape ? constant_dims(*type.shape) : std::nullopt;
    const auto count = dims ? element_count(*dims) : std::nullopt;
    if (!count || *count > max_symbolic_values || type.values) return;
    Bounds bounds{INT64_MIN, INT64_MAX};
    if (type.dtype == DType::int32) bounds = {INT32_MIN, INT32_MAX};
    else if (type.dtype == DType::boolean) bounds = {0, 1};
    else if (type.dtype != DType::int64) return;
    type.values.emplace();
    for (int64_t i = 0; i < *count; ++i)
      type.values->push_back(root_.symbols().symbol(root_.node(id).name() + "[" + std::to_string(i) + "]", bounds));
    root_.set_type({id, 0}, std::move(type));
  }

  void walk(Graph& graph) {
    for (NodeId id : topological_order(graph)) {
      if (graph.node(id).is(op_types::data)) continue;
      ++result_.nodes;
      result_.conditions.erase(key(graph, id));  // a loop body may be walked more than once
      if (follows_failure(graph, id)) {
        fail(graph, id);
        continue;
      }
      try {
        visit(graph, id);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::invalid_model) throw;
        if (undecided_ == 0) {
          found_.add("node '" + graph.node(id).name() + "' (" + graph.node(id).op() + ")", error.what());
          fail(graph, id);
          continue;
        }
        result_.open.emplace_back(key(graph, id), std::string("cannot run if its branch is taken: ") + error.what());
        leave_open(graph, id);
      }
    }
  }

  /// One mistake gives one finding: what reads a failed node is not judged, nor is a failed node in a second walk.
  bool follows_failure(const Graph& graph, NodeId id) const {
    if (failed_.empty()) return false;
    const auto failed = [&](NodeId node) { return failed_.contains(key(graph, node)); };
    const auto inputs = graph.node(id).inputs();
    return failed(id) || std::any_of(inputs.begin(), inputs.end(), [&](OutputRef ref) { return ref && failed(ref.node); });
  }
  bool outputs_failed(const Graph& sub) const {
    const auto outputs = sub.outputs();
    return std::any_of(outputs.begin(), outputs.end(), [&](OutputRef ref) { return failed_.contains(key(sub, ref.node)); });
  }
  void fail(Graph& graph, NodeId id) {
    failed_.insert(key(graph, id));
    leave_open(graph, id);
  }

  /// Outputs of a node that contradicts its op: unknown rank, the dtype of its first input.
  void leave_open(Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    DType dtype = DType::float32;
    for (OutputRef ref : node.inputs())
      if (ref && graph.type(ref).dtype != DType::undefined) {
        dtype = graph.type(ref).dtype;
        break;
      }
    for (uint32_t i = 0; i < node.outputs().size(); ++i) graph.set_type({id, i}, {dtype, std::nullopt, std::nullopt});
  }

  void visit(Graph& graph, NodeId id) {
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
    for (uint32_t i = 0; i < context.results().size(); ++i) graph.set_type({id, i}, context.results()[i]);
    if (!context.conditions().empty()) result_.conditions[key(graph, id)] = context.conditions();
    note_open(graph, id, context);
  }

  void note_open(const Graph& graph, NodeId id, const InferContext& context) {
    if (context.unknowns().empty()) return;
    std::string why = "sizes depend on values";
    for (size_t i : context.wanted()) why += (why.ends_with("values") ? " of input " : ", ") + std::to_string(i);
    result_.open.emplace_back(key(graph, id), why);
  }

  void feed(Graph& sub, size_t input, TensorType type) { sub.set_type({sub.inputs()[input], 0}, std::move(type)); }

  void branch(Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    const TensorType& predicate = graph.type(node.inputs()[0]);
    const Expr known = predicate.values && predicate.values->size() == 1 ? (*predicate.values)[0] : Expr();
    for (size_t b = 0; b < node.subgraphs().size(); ++b) {
      Graph& sub = graph.subgraph(node.subgraphs()[b]);
      for (size_t i = 0; i < sub.inputs().size(); ++i) feed(sub, i, graph.type(node.inputs()[i + 1]));
      // A branch that is not always taken may contradict itself: exporters write If(rank == 1, Squeeze, Identity).
      // Should it be taken after all, instantiate finds the contradiction again.
      const bool always = known && known.is_constant() && (known.value() != 0) == (b == 0);
      undecided_ += !always;
      walk(sub);
      undecided_ -= !always;
    }
    const Graph& then_graph = graph.subgraph(node.subgraphs()[0]);
    const Graph& else_graph = graph.subgraph(node.subgraphs()[1]);
    if (outputs_failed(then_graph) || outputs_failed(else_graph)) return fail(graph, id);
    for (uint32_t i = 0; i < node.outputs().size(); ++i) {
      const TensorType& a = then_graph.type(then_graph.outputs()[i]);
      const TensorType& b = else_graph.type(else_graph.outputs()[i]);
      if (known && known.is_constant()) {
        graph.set_type({id, i}, known.value() != 0 ? a : b);
        continue;
      }
      if (a.dtype != b.dtype)
        throw Error(ErrorCode::invalid_model, "output " + std::to_string(i) + " is " + std::string(to_string(a.dtype)) + " in one branch and " + std::string(to_string(b.dtype)) + " in the other");
      graph.set_type({id, i}, join(graph, id, known, a, b));
    }
  }

  TensorType join(const Graph& graph, NodeId id, Expr predicate, const TensorType& a, const TensorType& b) {
    TensorType out{a.dtype, std::nullopt, std::nullopt};
    if (!a.shape || !b.shape || a.rank() != b.rank()) {
      result_.open.emplace_back(key(graph, id), "the rank depends on the branch taken");
      return out;
    }
    const auto pick = [&](Expr x, Expr y) {
      if (x == y) return x;
      if (predicate) return select(predicate, x, y);
      result_.open.emplace_back(key(graph, id), "sizes depend on the branch taken");
      return graph.symbols().symbol("u");
    };
    out.shape.emplace();
    for (size_t axis = 0; axis < a.rank(); ++axis) out.shape->push_back(pick((*a.shape)[axis], (*b.shape)[axis]));
    if (a.values && b.values && a.values->size() == b.values->size() && (predicate || *a.values == *b.values)) {
      out.values.emplace();
      for (size_t i = 0; i < a.values->size(); ++i) out.values->push_back(pick((*a.values)[i], (*b.values)[i]));
    }
    return out;
  }

  void loop(Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    Graph& body = graph.subgraph(node.subgraphs()[0]);
    const auto carried = static_cast<size_t>(node.attributes().need_int("_carried"));
    SymbolTable& symbols = graph.symbols();
    feed(body, 0, {DType::int64, Shape{}, std::nullopt});
    feed(body, 1, {DType::boolean, Shape{}, std::nullopt});
    for (size_t i = 2; i < body.inputs().size(); ++i) {
      TensorType type = graph.type(node.inputs()[i]);
      if (i < 2 + carried) type.values.reset();
      feed(body, i, std::move(type));
    }
    std::vector<std::vector<bool>> open(carried);  // axes that change from one iteration to the next
    bool stable = false;
    const size_t open_before = result_.open.size(), nodes_before = result_.nodes;
    while (!stable) {
      result_.open.erase(result_.open.begin() + static_cast<std::ptrdiff_t>(open_before), result_.open.end());
      result_.nodes = nodes_before;
      walk(body);
      if (outputs_failed(body)) return fail(graph, id);
      stable = true;
      for (size_t i = 0; i < carried; ++i) {
        const TensorType in = body.type({body.inputs()[i + 2], 0});
        const TensorType& out = body.type(body.outputs()[i + 1]);
        if (in.dtype != out.dtype)
          throw Error(ErrorCode::invalid_model, "carried value " + std::to_string(i) + " enters the body as " + std::string(to_string(in.dtype)) + " and leaves it as " + std::string(to_string(out.dtype)));
        if (!in.shape) continue;
        if (!out.shape || out.rank() != in.rank()) {
          feed(body, i + 2, {in.dtype, std::nullopt, std::nullopt});
          stable = false;
          continue;
        }
        open[i].resize(in.rank());
        Shape next = *in.shape;
        for (size_t axis = 0; axis < in.rank(); ++axis) {
          if (open[i][axis] || next[axis] == (*out.shape)[axis]) continue;
          open[i][axis] = true;
          next[axis] = symbols.symbol("u");
          stable = false;
        }
        feed(body, i + 2, {in.dtype, std::move(next), std::nullopt});
      }
    }
    for (uint32_t i = 0; i < node.outputs().size(); ++i) {
      const TensorType& out = body.type(body.outputs()[i + 1]);
      TensorType type{out.dtype, out.shape, std::nullopt};
      if (i < carried) {
        type.shape = body.type({body.inputs()[i + 2], 0}).shape;
        if (type.shape)
          for (size_t axis = 0; axis < type.rank(); ++axis)
            if (axis < open[i].size() && open[i][axis]) (*type.shape)[axis] = symbols.symbol("u");
      } else if (type.shape) {
        type.shape->insert(type.shape->begin(), symbols.symbol("u"));
        result_.open.emplace_back(key(graph, id), "the trip count is known only at run time");
      }
      graph.set_type({id, i}, std::move(type));
    }
  }

  Graph& root_;
  InferResult result_;
  Diagnostics found_;
  std::set<NodeKey> failed_;  ///< nodes with a finding, and those that depend on them
  int undecided_ = 0;  ///< depth of branches that may never be taken: their contradictions do not end the compile
};

}  // namespace

InferResult infer(Graph& root) { return Inference(root).run(); }

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
