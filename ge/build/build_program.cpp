/// 1. Number the values: Data nodes of branches and bodies stand for the outer values that feed them.
/// 2. Bind the symbols: dims of inputs, elements of small integer inputs that decide something.
/// 3. Write one range per graph, innermost first, so that a range's ops are contiguous.
#include "ge/build/build_program.hpp"

#include "ge/build/attribute_rows.hpp"
#include "ge/build/execution_order.hpp"
#include "ge/build/needed_symbols.hpp"
#include "ge/build/table_writer.hpp"
#include "ge/ops/schema.hpp"

#include <algorithm>
#include <unordered_map>

namespace ge {
namespace {

class ProgramBuilder {
 public:
  ProgramBuilder(const Graph& root, const InferResult& inferred, const Packing& packing)
      : root_(root), inferred_(inferred), packing_(packing), needed_(needed_symbols(root, inferred)), writer_(model_.tables),
        attributes_(writer_, model_) {}

  GeModel build() {
    model_.name = root_.name();
    model_.tables.ranges.emplace_back();  // range 0 is the main graph; filled last
    ValueMap values = add_inputs();
    bind_symbols();
    model_.tables.ranges[0] = write_range(root_, values, {});
    for (size_t i = 0; i < root_.outputs().size(); ++i)
      model_.tables.outputs.push_back({writer_.text(root_.output_names()[i]), values.at(root_.outputs()[i]), 0});
    return std::move(model_);
  }

 private:
  struct RefHash {
    size_t operator()(OutputRef ref) const { return (size_t{ref.node.value} << 8) ^ ref.index; }
  };
  using ValueMap = std::unordered_map<OutputRef, uint32_t, RefHash>;

  ValueMap add_inputs() {
    ValueMap values;
    for (NodeId id : root_.inputs()) {
      const Node& node = root_.node(id);
      values[node.output()] = add_value(node.outputs()[0], decides(node.outputs()[0].type));
      model_.tables.inputs.push_back({writer_.text(node.name()), values[node.output()], 0});
    }
    return values;
  }

  /// The first input dim or element that is a bare symbol binds it.
  void bind_symbols() {
    const auto bind = [&](Expr expr, SymbolSource source, uint32_t input, uint32_t position) {
      if (!expr.is_symbol() || !needed(expr)) return;
      SymbolRow& row = model_.tables.symbols[writer_.symbol(expr)];
      if (row.source != SymbolSource::open) return;
      row.source = source, row.input = input, row.position = position;
    };
    for (uint32_t i = 0; i < root_.inputs().size(); ++i) {
      const TensorType& type = root_.type({root_.inputs()[i], 0});
      if (type.shape && type.is_tensor())
        for (uint32_t axis = 0; axis < type.rank(); ++axis) bind((*type.shape)[axis], SymbolSource::input_dim, i, axis);
      if (type.values)
        for (uint32_t e = 0; e < type.values->size(); ++e) bind((*type.values)[e], SymbolSource::input_element, i, e);
    }
  }

  bool needed(Expr symbol) const { return symbol.symbol_id() < needed_.size() && needed_[symbol.symbol_id()]; }

  /// Elements are kept only where every symbol in them is known to instantiate anyway.
  bool keep_content(const std::vector<Expr>& exprs) const {
    std::vector<uint32_t> symbols;
    for (Expr expr : exprs) {
      symbols.clear();
      collect_symbols(expr, symbols);
      for (uint32_t id : symbols)
        if (id >= needed_.size() || !needed_[id]) return false;
    }
    return true;
  }

  /// Whether an element of this graph input binds a symbol. Then all elements are kept, the others as open symbols.
  bool decides(const TensorType& type) const {
    return type.values && std::any_of(type.values->begin(), type.values->end(), [&](Expr element) { return element.is_symbol() && needed(element); });
  }

  uint32_t add_value(const NodeOutput& output, bool keep_all = false) {
    ValueRow row;
    row.name = writer_.text(output.name);
    row.dtype = static_cast<uint32_t>(output.type.dtype);
    row.kind = static_cast<uint32_t>(output.type.kind);
    if (output.type.shape) {
      row.flags |= value_rank_known;
      row.dims = writer_.expressions(*output.type.shape);
    }
    if (output.type.values && (keep_all || keep_content(*output.type.values))) {
      row.flags |= value_content_known;
      row.content = writer_.expressions(*output.type.values);
    }
    model_.tables.values.push_back(row);
    return static_cast<uint32_t>(model_.tables.values.size() - 1);
  }

  uint32_t add_constant(const Node& node, const std::string& packing) {
    const Tensor* plain = node.attributes().get_tensor("value");
    const Tensor stored = packing.empty() ? *plain : packing_.apply(packing, *plain);
    NodeOutput output = node.outputs()[0];
    const uint32_t value = add_value(output);
    model_.tables.values[value].constant = attributes_.add_constant(stored, packing);
    return value;
  }

  uint32_t operand(const Graph& graph, const Node& node, size_t slot, ValueMap& values) {
    const OutputRef ref = node.inputs()[slot];
    if (!ref) return no_index;
    if (graph.constant_value(ref) != nullptr && packing_.choose) {
      const std::string packing = packing_.choose(graph, node.id(), slot);
      if (!packing.empty()) {
        const auto [it, fresh] = packed_.try_emplace({graph.is_root() ? GraphId{} : graph.id(), ref.node, packing}, 0u);
        if (fresh) it->second = add_constant(graph.node(ref.node), packing);
        return it->second;
      }
    }
    return value_of(graph, ref, values);
  }

  /// A constant gets its value when somebody reads it as it is.
  uint32_t value_of(const Graph& graph, OutputRef ref, ValueMap& values) {
    if (graph.constant_value(ref) == nullptr) return values.at(ref);
    const auto [it, fresh] = values.try_emplace(ref, 0u);
    if (fresh) it->second = add_constant(graph.node(ref.node), "");
    return it->second;
  }

  RangeRow write_range(const Graph& graph, ValueMap& values, const std::vector<uint32_t>& own_inputs) {
    std::vector<OpRow> ops;
    for (NodeId id : execution_order(graph)) {
      const Node& node = graph.node(id);
      if (node.is(op_types::data) || node.is(op_types::net_output) || node.is(op_types::constant)) continue;
      ops.push_back(write_op(graph, node, values));
    }
    RangeRow row;
    row.ops = {static_cast<uint32_t>(model_.tables.ops.size()), static_cast<uint32_t>(ops.size())};
    model_.tables.ops.insert(model_.tables.ops.end(), ops.begin(), ops.end());
    row.inputs = writer_.operands(own_inputs);
    std::vector<uint32_t> outputs;
    for (OutputRef ref : graph.outputs()) outputs.push_back(value_of(graph, ref, values));
    row.outputs = writer_.operands(outputs);
    return row;
  }

  OpRow write_op(const Graph& graph, const Node& node, ValueMap& values) {
    OpRow row;
    row.domain = writer_.text(node.domain());
    row.op = writer_.text(node.op());
    row.name = writer_.text(node.name());
    std::vector<uint32_t> inputs, outputs;
    for (size_t slot = 0; slot < node.inputs().size(); ++slot) inputs.push_back(operand(graph, node, slot, values));
    row.bodies = write_bodies(graph, node, inputs);
    for (uint32_t i = 0; i < node.outputs().size(); ++i) {
      const bool used = !node.outputs()[i].name.empty();
      outputs.push_back(used ? add_value(node.outputs()[i]) : no_index);
      if (used) values[node.output(i)] = outputs.back();
    }
    row.inputs = writer_.operands(inputs);
    row.outputs = writer_.operands(outputs);
    row.attributes = attributes_.write(node.attributes());
    row.conditions = write_conditions(graph, node);
    return row;
  }

  RowRange write_bodies(const Graph& graph, const Node& node, const std::vector<uint32_t>& inputs) {
    if (node.subgraphs().empty()) return {};
    const OpSchema* schema = find_schema(node.domain(), node.op());
    const bool branch = schema->control_flow == ControlFlow::branch;
    const size_t before = schema->control_flow == ControlFlow::loop ? 2 : 0;  // a Loop's count and condition
    const size_t own = branch ? 0 : before + static_cast<size_t>(node.attributes().need_int("_carried"));
    const size_t first_slot = branch ? 1 : 0;  // an If's first input is its predicate
    std::vector<uint32_t> ranges;
    for (GraphId id : node.subgraphs()) {
      const Graph& body = graph.subgraph(id);
      ValueMap values;
      std::vector<uint32_t> own_inputs;
      for (size_t i = 0; i < body.inputs().size(); ++i) {
        const Node& data = body.node(body.inputs()[i]);
        if (i < own) own_inputs.push_back(values[data.output()] = add_value(data.outputs()[0]));
        else values[data.output()] = inputs[i + first_slot];
      }
      const RangeRow row = write_range(body, values, own_inputs);
      ranges.push_back(static_cast<uint32_t>(model_.tables.ranges.size()));
      model_.tables.ranges.push_back(row);
    }
    return writer_.operands(ranges);
  }

  RowRange write_conditions(const Graph& graph, const Node& node) {
    const auto it = inferred_.conditions.find({graph.is_root() ? GraphId{} : graph.id(), node.id()});
    if (it == inferred_.conditions.end()) return {};
    const RowRange range{static_cast<uint32_t>(model_.tables.conditions.size()), static_cast<uint32_t>(it->second.size())};
    for (const Condition& c : it->second) {
      ConditionRow row;
      row.expression = writer_.expression(c.condition);
      row.what = writer_.text(c.what);
      model_.tables.conditions.push_back(row);
    }
    return range;
  }

  const Graph& root_;
  const InferResult& inferred_;
  const Packing& packing_;
  const std::vector<bool> needed_;
  GeModel model_;
  TableWriter writer_;
  AttributeRows attributes_;
  std::map<std::tuple<GraphId, NodeId, std::string>, uint32_t> packed_;
};

}  // namespace

GeModel build_program(const Graph& root, const InferResult& inferred, const Packing& packing) {
  return ProgramBuilder(root, inferred, packing).build();
}

}  // namespace ge
