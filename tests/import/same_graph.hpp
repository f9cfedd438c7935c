#pragma once
#include "ge/graph/graph.hpp"

#include <map>
#include <unordered_map>

namespace ge::testing {

/// Rebuilds expressions in another table through the public operators, symbols by name.
class Moved {
 public:
  explicit Moved(SymbolTable& into) : into_(into) {}
  Expr operator()(Expr e) {
    if (const auto known = done_.find(e.id()); known != done_.end()) return known->second;
    std::vector<Expr> in;
    for (Expr operand : e.operands()) in.push_back((*this)(operand));
    const Expr out = built(e, in);
    done_[e.id()] = out;
    return out;
  }

 private:
  static Expr all(const std::vector<Expr>& in, Expr (*operation)(Expr, Expr)) {
    Expr out = in[0];
    for (size_t i = 1; i < in.size(); ++i) out = operation(out, in[i]);
    return out;
  }
  Expr built(Expr e, const std::vector<Expr>& in) {
    switch (e.kind()) {
      case ExprKind::constant: return into_.constant(e.value());
      case ExprKind::symbol: return into_.find_symbol(e.symbol_name());
      case ExprKind::add: return all(in, &operator+);
      case ExprKind::mul: return all(in, &operator*);
      case ExprKind::floordiv: return floor_div(in[0], in[1]);
      case ExprKind::ceildiv: return ceil_div(in[0], in[1]);
      case ExprKind::mod: return floor_mod(in[0], in[1]);
      case ExprKind::min: return all(in, &min_of);
      case ExprKind::max: return all(in, &max_of);
      case ExprKind::eq: return equal(in[0], in[1]);
      case ExprKind::ne: return not_equal(in[0], in[1]);
      case ExprKind::lt: return less(in[0], in[1]);
      case ExprKind::le: return less_equal(in[0], in[1]);
      case ExprKind::logical_and: return all(in, &logical_and);
      case ExprKind::logical_or: return all(in, &logical_or);
      case ExprKind::logical_not: return logical_not(in[0]);
      default: return select(in[0], in[1], in[2]);
    }
  }
  SymbolTable& into_;
  std::unordered_map<uint32_t, Expr> done_;
};

/// Compares two roots node by node, removed nodes left out, and every graph that they own. "" when they are the same.
class GraphComparison {
 public:
  GraphComparison(const Graph& a, const Graph& b) : a_(a), b_(b), moved_(b.symbols()) {}

  std::string difference() {
    if (a_.name() != b_.name()) return "root names '" + a_.name() + "' and '" + b_.name() + "'";
    return graphs(a_, b_);
  }

 private:
  std::string graphs(const Graph& a, const Graph& b) {
    std::map<NodeId, NodeId> to_b;
    std::vector<const Node*> in_a, in_b;
    for (const Node& node : a.nodes())
      if (!node.dead()) in_a.push_back(&node);
    for (const Node& node : b.nodes())
      if (!node.dead()) in_b.push_back(&node);
    if (in_a.size() != in_b.size()) return where(a) + std::to_string(in_a.size()) + " and " + std::to_string(in_b.size()) + " nodes";
    for (size_t i = 0; i < in_a.size(); ++i) to_b[in_a[i]->id()] = in_b[i]->id();
    for (size_t i = 0; i < in_a.size(); ++i)
      if (std::string found = nodes(a, *in_a[i], b, *in_b[i], to_b); !found.empty()) return where(a) + "node '" + in_a[i]->name() + "': " + found;
    if (a.inputs().size() != b.inputs().size()) return where(a) + "inputs";
    for (size_t i = 0; i < a.inputs().size(); ++i)
      if (to_b.at(a.inputs()[i]) != b.inputs()[i]) return where(a) + "order of inputs";
    if (!std::equal(a.output_names().begin(), a.output_names().end(), b.output_names().begin(), b.output_names().end())) return where(a) + "output names";
    if (static_cast<bool>(a.net_output()) != static_cast<bool>(b.net_output())) return where(a) + "one has no NetOutput";
    if (a.net_output() && to_b.at(a.net_output()) != b.net_output()) return where(a) + "NetOutput";
    return "";
  }
  static std::string where(const Graph& graph) { return "graph '" + graph.name() + "': "; }

  static OutputRef moved(OutputRef ref, const std::map<NodeId, NodeId>& to_b) { return ref ? OutputRef{to_b.at(ref.node), ref.index} : OutputRef{}; }

  std::string nodes(const Graph& a, const Node& x, const Graph& b, const Node& y, const std::map<NodeId, NodeId>& to_b) {
    if (x.name() != y.name()) return "is named '" + y.name() + "'";
    if (x.op() != y.op() || x.domain() != y.domain()) return "op";
    if (x.inputs().size() != y.inputs().size()) return "number of inputs";
    for (size_t i = 0; i < x.inputs().size(); ++i)
      if (moved(x.inputs()[i], to_b) != y.inputs()[i]) return "input " + std::to_string(i);
    if (x.control_inputs().size() != y.control_inputs().size()) return "number of control inputs";
    for (size_t i = 0; i < x.control_inputs().size(); ++i)
      if (to_b.at(x.control_inputs()[i]) != y.control_inputs()[i]) return "control input " + std::to_string(i);
    if (std::string found = attributes(x.attributes(), y.attributes()); !found.empty()) return "attribute '" + found + "'";
    if (x.outputs().size() != y.outputs().size()) return "number of outputs";
    for (uint32_t i = 0; i < x.outputs().size(); ++i) {
      if (x.outputs()[i].name != y.outputs()[i].name) return "name of output " + std::to_string(i);
      if (!same(x.outputs()[i].type, y.outputs()[i].type)) return "output " + std::to_string(i) + " is " + to_string(x.outputs()[i].type) + " and " + to_string(y.outputs()[i].type);
    }
    if (x.subgraphs().size() != y.subgraphs().size()) return "number of subgraphs";
    for (size_t i = 0; i < x.subgraphs().size(); ++i) {
      const Graph& inner_a = a.subgraph(x.subgraphs()[i]);
      const Graph& inner_b = b.subgraph(y.subgraphs()[i]);
      if (inner_a.name() != inner_b.name()) return "name of subgraph " + std::to_string(i);
      if (std::string found = graphs(inner_a, inner_b); !found.empty()) return found;
    }
    return "";
  }

  /// Bit for bit: NaN equals itself, -0 differs from 0.
  static std::string attributes(const Attributes& a, const Attributes& b) {
    if (a.size() != b.size()) return "(how many)";
    auto other = b.begin();
    for (const auto& [name, value] : a) {
      const auto& [other_name, other_value] = *other++;
      if (name != other_name) return other_name;
      if (value.index() != other_value.index() || !same_bits(value, other_value)) return name;
    }
    return "";
  }
  static bool same_bits(const AttributeValue& a, const AttributeValue& b) {
    if (const float* x = std::get_if<float>(&a)) return std::memcmp(x, std::get_if<float>(&b), sizeof *x) == 0;
    if (const auto* x = std::get_if<std::vector<float>>(&a)) {
      const auto& y = std::get<std::vector<float>>(b);
      return x->size() == y.size() && (x->empty() || std::memcmp(x->data(), y.data(), x->size() * sizeof(float)) == 0);
    }
    return a == b;
  }

  bool same(const TensorType& a, const TensorType& b) {
    const auto list = [&](const auto& x, const auto& y) {
      if (x.has_value() != y.has_value() || (x && x->size() != y->size())) return false;
      for (size_t i = 0; x && i < x->size(); ++i)
        if (static_cast<bool>((*x)[i]) != static_cast<bool>((*y)[i]) || ((*x)[i] && moved_((*x)[i]) != (*y)[i])) return false;
      return true;
    };
    return a.dtype == b.dtype && a.kind == b.kind && list(a.shape, b.shape) && list(a.values, b.values);
  }

  const Graph& a_;
  const Graph& b_;
  Moved moved_;
};

inline std::string difference(const Graph& a, const Graph& b) { return GraphComparison(a, b).difference(); }

}  // namespace ge::testing
