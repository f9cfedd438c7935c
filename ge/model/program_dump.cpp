#include "ge/model/attribute_value.hpp"
#include "ge/model/infix.hpp"

namespace ge {
namespace {

class Printer {
 public:
  explicit Printer(const Program& program) : p_(program) {
    for (const SymbolRow& symbol : p_.symbols) symbols_.push_back(p_.text_of(symbol.name));
  }

  std::string print() {
    line(0, "program: " + count(p_.symbols.size(), "symbols") + ", " + count(p_.values.size(), "values") + ", " + count(p_.ops.size(), "ops") +
                ", " + count(p_.ranges.size(), "ranges") + ", " + count(p_.constants.size(), "constants"));
    for (size_t i = 0; i < p_.symbols.size(); ++i) print_symbol(i);
    for (const PortRow& input : p_.inputs) line(0, "input " + quoted(input.name) + " = " + typed(input.value));
    for (uint32_t i = 0; i < p_.values.size(); ++i)
      if (p_.values[i].constant != no_index) line(0, typed(i) + " = " + constant(p_.values[i].constant));
    if (!p_.ranges.empty()) print_range(0, "main", 0);
    for (const PortRow& output : p_.outputs) line(0, "output " + quoted(output.name) + " = " + name(output.value));
    return std::move(out_);
  }

 private:
  static std::string count(size_t n, const char* what) { return std::to_string(n) + " " + what; }
  void line(size_t indent, const std::string& text) { out_ += std::string(2 * indent, ' ') + text + "\n"; }
  std::string quoted(TextRef text) const { return "'" + std::string(p_.text_of(text)) + "'"; }
  std::string expression(uint32_t id) const { return infix_text(p_.code_of(id), symbols_); }

  std::string name(uint32_t value) const {
    if (value == no_index) return "-";
    const auto text = p_.text_of(p_.values[value].name);
    return "%" + (text.empty() ? std::to_string(value) : std::string(text));
  }

  std::string expressions(RowRange list) const {
    std::string text;
    for (uint32_t id : p_.operands_of(list)) text += (text.empty() ? "" : ", ") + (id == no_index ? "*" : expression(id));
    return text;
  }

  std::string typed(uint32_t value) const {
    if (value == no_index) return "-";
    const ValueRow& row = p_.values[value];
    std::string text(to_string(p_.dtype_of(value)));
    text += row.flags & value_rank_known ? "[" + expressions(row.dims) + "]" : "[?]";
    if (row.flags & value_content_known) text += "{" + expressions(row.content) + "}";
    return name(value) + " " + kind_text(p_.kind_of(value), std::move(text));
  }

  std::string names(RowRange list, std::string (Printer::*print)(uint32_t) const) const {
    std::string text;
    for (uint32_t i = 0; i < list.count; ++i) text += (i ? ", " : "") + (this->*print)(p_.operands[list.first + i]);
    return text;
  }

  std::string constant(uint32_t row) const {
    const ConstantRow& constant = p_.constants[row];
    std::string text = "constant " + std::to_string(row) + ", " + std::to_string(constant.size) + " bytes at " + std::to_string(constant.offset);
    if (constant.packing.count != 0) text += ", packing " + quoted(constant.packing);
    return text;
  }

  std::string attribute(const AttributeRow& row) const {
    const std::string text(p_.text_of(row.name));
    if (row.kind != AttributeKind::tensor) return text + "=" + to_string(plain_attribute(p_, row));
    const auto id = static_cast<size_t>(p_.numbers[row.payload.first]);
    const RowRange dims = p_.constants[id].dims;
    return text + "=constant " + std::to_string(id) + " " + std::string(to_string(static_cast<DType>(row.dtype))) +
           dims_to_string(p_.numbers.subspan(dims.first, dims.count));
  }

  void print_symbol(size_t id) {
    const SymbolRow& symbol = p_.symbols[id];
    const std::string head = "symbol " + (symbols_[id].empty() ? "symbol" + std::to_string(id) : std::string(symbols_[id])) + " = ";
    if (symbol.source == SymbolSource::open) return line(0, head + "open");
    line(0, head + (symbol.source == SymbolSource::input_dim ? "dim " : "element ") + std::to_string(symbol.position) + " of input " +
                quoted(p_.inputs[symbol.input].name));
  }

  void print_range(uint32_t id, const std::string& title, size_t indent) {
    const RangeRow& range = p_.ranges[id];
    line(indent, title + "(" + names(range.inputs, &Printer::typed) + "):");
    for (uint32_t i = 0; i < range.ops.count; ++i) print_op(p_.ops[range.ops.first + i], indent + 1);
    line(indent + 1, "-> " + names(range.outputs, &Printer::name));
  }

  void print_op(const OpRow& op, size_t indent) {
    std::string text = names(op.outputs, &Printer::typed);
    if (!text.empty()) text += " = ";
    if (op.domain.count != 0) text += std::string(p_.text_of(op.domain)) + "::";
    text += std::string(p_.text_of(op.op)) + "(" + names(op.inputs, &Printer::name) + ")";
    for (uint32_t i = 0; i < op.attributes.count; ++i) text += " " + attribute(p_.attributes[op.attributes.first + i]);
    line(indent, text + "  " + quoted(op.name));
    for (uint32_t i = 0; i < op.conditions.count; ++i) {
      const ConditionRow& condition = p_.conditions[op.conditions.first + i];
      line(indent + 1, "needs " + expression(condition.expression) + "  " + quoted(condition.what));
    }
    const auto bodies = p_.operands_of(op.bodies);
    for (size_t i = 0; i < bodies.size(); ++i) print_range(bodies[i], bodies.size() == 1 ? "body" : i == 0 ? "then" : "else", indent + 1);
  }

  const Program& p_;
  std::vector<std::string_view> symbols_;
  std::string out_;
};

}  // namespace

std::string Program::dump() const { return Printer(*this).print(); }

}  // namespace ge
