/// Inference through control flow, which needs subgraphs:
///  - If: both branches are inferred over the captures' types; outputs are the taken branch's where the predicate is a
///    constant, else joined (equal dims stay, others become select(predicate, a, b), or unknown);
///  - Loop: the body is inferred over the carried types until they are stable: what changes from one iteration to the
///    next becomes an unknown dim or rank;
///  - SequenceMap: the body is inferred over the type that all elements share.
#include "ge/graph/graph_inference.hpp"

namespace ge {

static std::string dtype_and_kind(const TensorType& type) { return kind_text(type.kind, std::string(to_string(type.dtype))); }

void GraphInference::branch(Graph& graph, NodeId id) {
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
    if (a.dtype != b.dtype || a.kind != b.kind)
      throw Error(ErrorCode::invalid_model, "output " + std::to_string(i) + " is " + dtype_and_kind(a) + " in one branch and " + dtype_and_kind(b) + " in the other");
    graph.set_type({id, i}, a.is_tensor() ? join(graph, id, known, a, b) : shared_type(a.kind, a, b));
  }
}

TensorType GraphInference::join(const Graph& graph, NodeId id, Expr predicate, const TensorType& a, const TensorType& b) {
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

/// Makes the type of a carried sequence or optional what it shares with what the body gives back; true when it changed.
bool GraphInference::widen_carried(Graph& body, size_t input, const TensorType& out) {
  const TensorType in = body.type({body.inputs()[input], 0});
  TensorType shared = shared_type(in.kind, in, out);
  if (shared == in) return false;
  feed(body, input, std::move(shared));
  return true;
}

/// The type with another kind. Dims that may differ from one tensor to the next are open in a single one.
static TensorType of_kind(const Graph& graph, TensorType type, ValueKind kind) {
  type.kind = kind;
  if (type.shape && type.is_tensor())
    for (Expr& dim : *type.shape)
      if (!dim) dim = graph.symbols().symbol("u");
  return type;
}

void GraphInference::map(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  Graph& body = graph.subgraph(node.subgraphs()[0]);
  const auto own = static_cast<size_t>(node.attributes().need_int("_carried"));
  for (size_t i = 0; i < body.inputs().size(); ++i) {
    if (!node.inputs()[i]) throw Error(ErrorCode::invalid_model, "input " + std::to_string(i) + " is missing");
    TensorType type = graph.type(node.inputs()[i]);
    if (i < own && is_optional(type.kind)) throw Error(ErrorCode::invalid_model, "input " + std::to_string(i) + " is " + to_string(type) + ", expected a sequence or a tensor");
    if (i < own && type.kind == ValueKind::sequence) type = of_kind(graph, std::move(type), ValueKind::tensor);
    feed(body, i, std::move(type));
  }
  walk(body);
  if (outputs_failed(body)) return fail(graph, id);
  for (uint32_t i = 0; i < node.outputs().size(); ++i) {
    const TensorType& out = body.type(body.outputs()[i]);
    if (!out.is_tensor()) throw Error(ErrorCode::invalid_model, "the body's output " + std::to_string(i) + " is " + dtype_and_kind(out) + ", expected a tensor");
    TensorType type{out.dtype, out.shape, std::nullopt, ValueKind::sequence};
    if (type.shape)
      for (Expr& dim : *type.shape)
        if (!dim.is_constant()) dim = Expr();  // may come from the element
    graph.set_type({id, i}, std::move(type));
  }
}

void GraphInference::loop(Graph& graph, NodeId id) {
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
      // An optional may be given back as what it held: then it is there.
      if (in.dtype != out.dtype || (in.kind != out.kind && in.kind != optional_of(out.kind)))
        throw Error(ErrorCode::invalid_model, "carried value " + std::to_string(i) + " enters the body as " + dtype_and_kind(in) + " and leaves it as " + dtype_and_kind(out));
      if (!in.is_tensor()) {
        stable = !widen_carried(body, i + 2, out) && stable;
        continue;
      }
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
    if (i < carried && !body.type({body.inputs()[i + 2], 0}).is_tensor()) {
      type = of_kind(graph, body.type({body.inputs()[i + 2], 0}), out.kind);
    } else if (!out.is_tensor()) {
      throw Error(ErrorCode::invalid_model, "scan output " + std::to_string(i) + " is " + dtype_and_kind(out) + ", expected a tensor");
    } else if (i < carried) {
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

}  // namespace ge
