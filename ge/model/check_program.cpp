#include "ge/model/program_checks.hpp"

#include <vector>

namespace ge {
namespace checks {
namespace {

/// A table that rows of other tables point into by (first, count). Rows may share lists, but all lists together may
/// only be a fixed factor longer than the tables themselves: whoever visits each list once takes linear time, even on
/// a file made to be slow (CR-10).
class Pool {
 public:
  Pool(std::string_view name, size_t size, uint64_t rows) : name_(name), size_(size), allowance_(16 * (size + rows) + (1u << 20)) {}

  void check(Row row, std::string_view field, uint64_t first, uint64_t count) {
    if (first > size_ || count > size_ - first)
      refuse(row, std::string(field) + " are rows " + std::to_string(first) + " + " + std::to_string(count) + " of '" +
                      std::string(name_) + "', which has " + std::to_string(size_));
    if (count > allowance_) refuse(row, std::string(field) + ": the lists in '" + std::string(name_) + "' are shared beyond any reason");
    allowance_ -= count;
  }
  void check(Row row, std::string_view field, RowRange range) { check(row, field, range.first, range.count); }
  void check(Row row, std::string_view field, TextRef text) { check(row, field, text.first, text.count); }

 private:
  std::string_view name_;
  uint64_t size_;
  uint64_t allowance_;
};

void check_index(Row row, std::string_view field, uint64_t index, std::string_view table, uint64_t size) {
  if (index < size) return;
  refuse(row, std::string(field) + " is row " + std::to_string(index) + " of '" + std::string(table) + "', which has " + std::to_string(size));
}

void check_dtype(Row row, uint32_t dtype) {
  if (dtype == 0 || dtype >= dtype_count)
    refuse(row, "dtype is " + std::to_string(dtype) + ", expected 1 to " + std::to_string(dtype_count - 1));
}

constexpr uint32_t max_attribute_name = 1024;

uint64_t row_count(const Program& p) {
  return uint64_t{p.symbols.size()} + p.values.size() + p.expressions.size() + p.ops.size() + p.ranges.size() + p.conditions.size() +
         p.constants.size() + p.attributes.size() + p.inputs.size() + p.outputs.size();
}

class RowChecks {
 public:
  explicit RowChecks(const Program& program)
      : p_(program),
        text_("text", p_.text.size(), row_count(p_)),
        operands_("operands", p_.operands.size(), row_count(p_)),
        code_("code", p_.code.size(), row_count(p_)),
        numbers_("numbers", p_.numbers.size(), row_count(p_)),
        attributes_("attributes", p_.attributes.size(), row_count(p_)),
        conditions_("conditions", p_.conditions.size(), row_count(p_)) {}

  void run() {
    each("expressions", p_.expressions, &RowChecks::expression);
    each("values", p_.values, &RowChecks::value);
    each("constants", p_.constants, &RowChecks::constant);
    each("inputs", p_.inputs, &RowChecks::port);
    each("outputs", p_.outputs, &RowChecks::port);
    each("symbols", p_.symbols, &RowChecks::symbol);
    each("conditions", p_.conditions, &RowChecks::condition);
    each("attributes", p_.attributes, &RowChecks::attribute);
    each("ops", p_.ops, &RowChecks::op);
    each("ranges", p_.ranges, &RowChecks::range);
  }

 private:
  template <class T>
  void each(std::string_view table, std::span<const T> rows, void (RowChecks::*check)(Row, const T&)) {
    // Rows are counted in 32 bits, and the last index means "none".
    if (rows.size() >= no_index) refuse({table, rows.size()}, "a table has fewer than 2^32 - 1 rows");
    for (size_t i = 0; i < rows.size(); ++i) (this->*check)({table, i}, rows[i]);
  }

  /// The operand list itself, then each id in it.
  void list(Row row, std::string_view field, RowRange range, std::string_view table, size_t size, bool may_be_absent = false) {
    operands_.check(row, field, range);
    for (uint32_t id : p_.operands_of(range))
      if (!(may_be_absent && id == no_index)) check_index(row, field, id, table, size);
  }

  void expression(Row row, const ExpressionRow& expression) {
    code_.check(row, "code words", expression.code);
    std::string why;
    if (!check_postfix(p_.code.subspan(expression.code.first, expression.code.count), static_cast<uint32_t>(p_.symbols.size()), &why))
      refuse(row, why);
  }

  void value(Row row, const ValueRow& value) {
    text_.check(row, "name characters", value.name);
    check_dtype(row, value.dtype);
    if (value.flags & ~uint32_t{value_rank_known | value_content_known}) refuse(row, "flags are " + std::to_string(value.flags) + ", expected 0 to 3");
    if (value.kind >= value_kind_count) refuse(row, "kind is " + std::to_string(value.kind) + ", expected 0 to " + std::to_string(value_kind_count - 1));
    const bool composite = static_cast<ValueKind>(value.kind) != ValueKind::tensor;
    if (composite && (value.constant != no_index || (value.flags & value_content_known) != 0))
      refuse(row, "is a " + std::string(to_string(static_cast<ValueKind>(value.kind))) + ", which has neither a constant nor contents");
    list(row, "dims", value.dims, "expressions", p_.expressions.size(), composite);
    list(row, "contents", value.content, "expressions", p_.expressions.size());
    if (value.constant != no_index) check_index(row, "constant", value.constant, "constants", p_.constants.size());
    if (value.flags & value_content_known) content(row, value);
  }

  /// Known contents have one expression per element, so the number of elements may not contradict them.
  void content(Row row, const ValueRow& value) {
    if (!(value.flags & value_rank_known)) refuse(row, "contents are known, but the rank is not");
    if (!is_int(p_.dtype_of(static_cast<uint32_t>(row.index))) && static_cast<DType>(value.dtype) != DType::boolean)
      refuse(row, "contents are known, but the dtype is " + std::string(to_string(static_cast<DType>(value.dtype))) + ", expected an integer");
    std::vector<int64_t> dims;
    for (uint32_t dim : p_.operands_of(value.dims)) {
      const auto known = constant_expression(p_, dim);
      if (!known) return;
      dims.push_back(*known);
    }
    const auto count = element_count(dims);
    if (!count || *count != value.content.count)
      refuse(row, "contents are " + std::to_string(value.content.count) + " expressions, but the dims are " + dims_to_string(dims));
  }

  void constant(Row row, const ConstantRow& constant) {
    text_.check(row, "packing characters", constant.packing);
    numbers_.check(row, "dims", constant.dims);
    check_dtype(row, constant.dtype);
  }

  void port(Row row, const PortRow& port) {
    text_.check(row, "name characters", port.name);
    check_index(row, "value", port.value, "values", p_.values.size());
  }

  void symbol(Row row, const SymbolRow& symbol) {
    text_.check(row, "name characters", symbol.name);
    if (symbol.source == SymbolSource::open) return;
    if (symbol.source > SymbolSource::input_element) refuse(row, "source is " + std::to_string(static_cast<uint32_t>(symbol.source)) + ", expected 0 to 2");
    check_index(row, "input", symbol.input, "inputs", p_.inputs.size());
    const ValueRow& input = p_.values[p_.inputs[symbol.input].value];
    if (p_.kind_of(p_.inputs[symbol.input].value) != ValueKind::tensor) refuse(row, "is bound by an input that is no tensor");
    const bool is_dim = symbol.source == SymbolSource::input_dim;
    const uint32_t known = input.flags & (is_dim ? value_rank_known : value_content_known) ? (is_dim ? input.dims : input.content).count : 0;
    if (symbol.position >= known)
      refuse(row, std::string(is_dim ? "dim " : "element ") + std::to_string(symbol.position) + " of an input with " + std::to_string(known) + " known");
  }

  void condition(Row row, const ConditionRow& condition) {
    check_index(row, "expression", condition.expression, "expressions", p_.expressions.size());
    text_.check(row, "text characters", condition.what);
  }

  void attribute(Row row, const AttributeRow& attribute) {
    text_.check(row, "name characters", attribute.name);
    // Names are compared for every op that has the attribute.
    if (attribute.name.count > max_attribute_name) refuse(row, "name has " + std::to_string(attribute.name.count) + " characters, expected at most " + std::to_string(max_attribute_name));
    numbers_.check(row, "payload", attribute.payload);
    const auto payload = p_.numbers.subspan(attribute.payload.first, attribute.payload.count);
    const auto expect = [&](bool holds, const char* expected) {
      if (!holds) refuse(row, "payload of " + std::to_string(payload.size()) + " numbers, expected " + expected);
    };
    switch (attribute.kind) {
      case AttributeKind::integers: return;
      case AttributeKind::integer: return expect(payload.size() == 1, "one");
      case AttributeKind::real: expect(payload.size() == 1, "one"); [[fallthrough]];
      case AttributeKind::reals:
        for (int64_t bits : payload)
          if (bits < INT32_MIN || bits > UINT32_MAX) refuse(row, std::to_string(bits) + " is not the bits of a float");
        return;
      case AttributeKind::text: expect(payload.size() == 2, "two"); [[fallthrough]];
      case AttributeKind::texts:
        expect(payload.size() % 2 == 0, "an even number");
        for (size_t i = 0; i < payload.size(); i += 2)  // a negative number becomes too large a row
          text_.check(row, "text characters", static_cast<uint64_t>(payload[i]), static_cast<uint64_t>(payload[i + 1]));
        return;
      case AttributeKind::tensor: {
        expect(payload.size() == 1, "one");
        check_index(row, "tensor", static_cast<uint64_t>(payload[0]), "constants", p_.constants.size());
        const ConstantRow& constant = p_.constants[static_cast<size_t>(payload[0])];
        if (attribute.dtype != constant.dtype)
          refuse(row, "dtype is " + std::to_string(attribute.dtype) + ", but that of its constant is " + std::to_string(constant.dtype));
        if (constant.packing.count != 0) refuse(row, "tensor is a packed constant, expected one as in the model");
        return;
      }
    }
    refuse(row, "kind is " + std::to_string(static_cast<uint32_t>(attribute.kind)) + ", expected 0 to 6");
  }

  void op(Row row, const OpRow& op) {
    text_.check(row, "domain characters", op.domain);
    text_.check(row, "op characters", op.op);
    text_.check(row, "name characters", op.name);
    list(row, "inputs", op.inputs, "values", p_.values.size(), true);
    list(row, "outputs", op.outputs, "values", p_.values.size(), true);
    list(row, "bodies", op.bodies, "ranges", p_.ranges.size());
    conditions_.check(row, "conditions", op.conditions);
    attributes_.check(row, "attributes", op.attributes);
    // Sorted, so that a list of attributes is built by appending.
    for (uint32_t i = 1; i < op.attributes.count; ++i) {
      const auto before = p_.text_of(p_.attributes[op.attributes.first + i - 1].name), name = p_.text_of(p_.attributes[op.attributes.first + i].name);
      if (before >= name) refuse(row, "attribute '" + std::string(name.substr(0, 80)) + "' follows '" + std::string(before.substr(0, 80)) + "', expected ascending names");
    }
  }

  void range(Row row, const RangeRow& range) {
    if (range.ops.first > p_.ops.size() || range.ops.count > p_.ops.size() - range.ops.first)
      refuse(row, "ops are rows " + std::to_string(range.ops.first) + " + " + std::to_string(range.ops.count) + " of 'ops', which has " + std::to_string(p_.ops.size()));
    list(row, "inputs", range.inputs, "values", p_.values.size());
    list(row, "outputs", range.outputs, "values", p_.values.size());
  }

  const Program& p_;
  Pool text_, operands_, code_, numbers_, attributes_, conditions_;
};

}  // namespace

void check_rows(const Program& program) { RowChecks(program).run(); }

}  // namespace checks

void check_program(const Program& program, uint64_t weights_bytes) {
  checks::check_rows(program);
  checks::check_constants(program, weights_bytes);
  checks::check_scopes(program);
}

}  // namespace ge
