#pragma once
#include "ge/base/attributes.hpp"
#include "ge/base/dtype.hpp"
#include "ge/base/value_kind.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ge {

/// A compiled model as flat tables (SX-17): symbols and what binds each, values, ops, constants, dims as postfix
/// expressions, conditions, and control flow as ranges of ops. Every row is a fixed-size plain struct; rows point to
/// each other by index, to text and numbers by (first, count) into pools. The tables are written to the model file as
/// they are and mapped back; check_program() proves all indices in bounds once, so nothing is parsed or checked later.
inline constexpr uint32_t no_index = UINT32_MAX;

/// Characters first .. first+count of the text pool.
struct TextRef {
  uint32_t first = 0, count = 0;
};
/// Rows first .. first+count of some table.
struct RowRange {
  uint32_t first = 0, count = 0;
};

enum class SymbolSource : uint32_t {
  open,           ///< bound when the op that makes it is instantiated
  input_dim,      ///< dim `position` of input `input`
  input_element,  ///< element `position` of the small integer input `input`
};
struct SymbolRow {
  TextRef name;
  SymbolSource source = SymbolSource::open;
  uint32_t input = no_index;
  uint32_t position = 0;
  uint32_t padding = 0;
  int64_t lowest = INT64_MIN, highest = INT64_MAX;  ///< what inference took for granted; checked when it is bound
};

enum ValueFlags : uint32_t {
  value_rank_known = 1,      ///< dims are valid
  value_content_known = 2,   ///< content is valid: one expression per element
};
struct ValueRow {
  TextRef name;
  uint32_t dtype = 0;     ///< DType
  uint32_t flags = 0;
  RowRange dims;          ///< expression ids in `operands`, one per axis; no_index where the tensors of a sequence or optional may differ
  RowRange content;       ///< expression ids in `operands`
  uint32_t constant = no_index;  ///< row of `constants` for a constant
  uint32_t kind = 0;      ///< ValueKind; for others than tensors, dtype and dims are those of the tensors inside
};

/// An expression: `code` words first .. first+count in postfix form (ge/base/postfix.hpp).
struct ExpressionRow {
  RowRange code;
};

struct OpRow {
  TextRef domain, op, name;
  RowRange inputs;      ///< value ids in `operands`; no_index where absent
  RowRange outputs;     ///< value ids in `operands`; no_index where not used
  RowRange attributes;  ///< rows of `attributes`, names ascending, none twice
  RowRange conditions;  ///< rows of `conditions`
  RowRange bodies;      ///< range ids in `operands`: If then, else; Loop body
};

/// The main graph (range 0), a branch or a loop body. The captures of a branch or body are the very value ids of the
/// enclosing range; `inputs` lists what is its own (Loop: iteration, condition, carried values; If: none).
struct RangeRow {
  RowRange ops;
  RowRange inputs;   ///< value ids in `operands`
  RowRange outputs;  ///< value ids in `operands`
};

struct ConditionRow {
  uint32_t expression = 0;
  TextRef what;
  uint32_t padding = 0;
};

/// A constant's place in the weights section.
struct ConstantRow {
  uint64_t offset = 0;  ///< bytes from the start of the section, multiple of 64; strings: (offset, size) pairs, see om.hpp
  uint64_t size = 0;
  TextRef packing;      ///< "" as in the model
  RowRange dims;        ///< the constant's own dims in `numbers`
  uint32_t dtype = 0;   ///< DType, as of every value and attribute that refers to it; filled in by the writer
  uint32_t padding = 0;
};

enum class AttributeKind : uint32_t { integer, real, text, integers, reals, texts, tensor };
struct AttributeRow {
  TextRef name;
  AttributeKind kind = AttributeKind::integer;
  uint32_t dtype = 0;     ///< tensor: its DType
  RowRange payload;       ///< integer(s): `numbers`; real(s): `numbers`, the float's bits; text(s): (first, count) pairs
                          ///< in `numbers`; tensor: `numbers`: row of `constants`
};

struct PortRow {
  TextRef name;
  uint32_t value = no_index;
  uint32_t padding = 0;
};

/// Views of the tables; the owner (a mapped file or a ProgramTables) outlives them. Thread-safe to read.
struct Program {
  std::span<const SymbolRow> symbols;
  std::span<const ValueRow> values;
  std::span<const ExpressionRow> expressions;
  std::span<const OpRow> ops;
  std::span<const RangeRow> ranges;
  std::span<const ConditionRow> conditions;
  std::span<const ConstantRow> constants;
  std::span<const AttributeRow> attributes;
  std::span<const PortRow> inputs, outputs;
  std::span<const uint32_t> operands;
  std::span<const int64_t> code;
  std::span<const int64_t> numbers;
  std::span<const char> text;

  std::string_view text_of(TextRef ref) const { return {text.data() + ref.first, ref.count}; }
  std::span<const uint32_t> operands_of(RowRange range) const { return operands.subspan(range.first, range.count); }
  std::span<const int64_t> code_of(uint32_t expression) const {
    const RowRange range = expressions[expression].code;
    return code.subspan(range.first, range.count);
  }
  DType dtype_of(uint32_t value) const { return static_cast<DType>(values[value].dtype); }
  ValueKind kind_of(uint32_t value) const { return static_cast<ValueKind>(values[value].kind); }

  /// One line per op, readable; expressions in infix form.
  GE_API std::string dump() const;
};

/// The same tables as vectors, while they are built.
struct ProgramTables {
  std::vector<SymbolRow> symbols;
  std::vector<ValueRow> values;
  std::vector<ExpressionRow> expressions;
  std::vector<OpRow> ops;
  std::vector<RangeRow> ranges;
  std::vector<ConditionRow> conditions;
  std::vector<ConstantRow> constants;
  std::vector<AttributeRow> attributes;
  std::vector<PortRow> inputs, outputs;
  std::vector<uint32_t> operands;
  std::vector<int64_t> code;
  std::vector<int64_t> numbers;
  std::vector<char> text;

  Program view() const {
    return {symbols, values, expressions, ops, ranges, conditions, constants, attributes, inputs, outputs, operands, code, numbers, text};
  }
};

/// Everything of a program that a model file holds beside its text sections: tables and the bytes of the constants.
struct GeModel {
  ProgramTables tables;
  std::vector<Tensor> constants;  ///< by row of tables.constants (whose offsets the writer fills in)
  std::string name;
};

/// Proves that every index, range, expression and constant of `program` is in bounds (weights section: `weights_bytes`)
/// and that values are defined before they are read. Throws Error(corrupt_file) naming table and row.
GE_API void check_program(const Program& program, uint64_t weights_bytes);

/// The typed attributes of an op row. Tensor attributes view `weights`, kept alive by `owner`.
GE_API Attributes read_attributes(const Program& program, const OpRow& op, std::span<const std::byte> weights,
                                  const std::shared_ptr<const void>& owner);

}  // namespace ge
