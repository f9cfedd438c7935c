#include "ge/build/needed_symbols.hpp"

#include "ge/ops/schema.hpp"

namespace ge {
namespace {

class Collector {
 public:
  explicit Collector(const Graph& root) : needed_(root.symbols().symbol_count()) {}

  void add(Expr expr) {
    if (!expr) return;  // may differ inside a sequence
    symbols_.clear();
    collect_symbols(expr, symbols_);
    for (uint32_t id : symbols_) needed_[id] = true;
  }
  void add(const std::optional<std::vector<Expr>>& exprs) {
    if (exprs)
      for (Expr expr : *exprs) add(expr);
  }

  void visit(const Graph& graph) {
    for (const Node& node : graph.nodes()) {
      if (node.dead()) continue;
      for (const NodeOutput& output : node.outputs()) add(output.type.shape);
      const OpSchema* schema = find_schema(node.domain(), node.op());
      for (size_t i = 0; i < node.inputs().size(); ++i)
        if (node.inputs()[i] && decides(node, *schema, i)) add(graph.type(node.inputs()[i]).values);
      for (GraphId sub : node.subgraphs()) visit(graph.subgraph(sub));
    }
  }
  std::vector<bool> take() { return std::move(needed_); }

 private:
  static bool decides(const Node& node, const OpSchema& schema, size_t input) {
    switch (schema.control_flow) {
      case ControlFlow::branch: return input == 0;
      case ControlFlow::loop: {
        // The trip count decides a shape only where iterations are collected.
        const bool scans = static_cast<int64_t>(node.outputs().size()) > node.attributes().get_int("_carried", 0);
        return input < 2 && scans;
      }
      case ControlFlow::map: return false;
      case ControlFlow::none: return schema.needs_content(input);
    }
    return false;
  }

  std::vector<bool> needed_;
  std::vector<uint32_t> symbols_;
};

}  // namespace

std::vector<bool> needed_symbols(const Graph& root, const InferResult& inferred) {
  Collector collector(root);
  collector.visit(root);
  for (const auto& [key, conditions] : inferred.conditions)
    for (const Condition& c : conditions) collector.add(c.condition);
  return collector.take();
}

}  // namespace ge
