#pragma once
#include "ge/base/postfix.hpp"
#include "ge/model/program.hpp"

#include <bit>
#include <string>
#include <string_view>
#include <vector>

namespace ge::test {

/// Appends rows to the tables of a model, by hand.
class ModelMaker {
 public:
  GeModel model;
  ProgramTables& t = model.tables;

  TextRef text(std::string_view s) {
    const TextRef ref{static_cast<uint32_t>(t.text.size()), static_cast<uint32_t>(s.size())};
    t.text.insert(t.text.end(), s.begin(), s.end());
    return ref;
  }
  RowRange operands(std::vector<uint32_t> ids) {
    const RowRange range{static_cast<uint32_t>(t.operands.size()), static_cast<uint32_t>(ids.size())};
    t.operands.insert(t.operands.end(), ids.begin(), ids.end());
    return range;
  }
  RowRange numbers(std::vector<int64_t> values) {
    const RowRange range{static_cast<uint32_t>(t.numbers.size()), static_cast<uint32_t>(values.size())};
    t.numbers.insert(t.numbers.end(), values.begin(), values.end());
    return range;
  }
  uint32_t symbol(std::string_view name, SymbolSource source, uint32_t input, uint32_t position) {
    t.symbols.push_back({text(name), source, input, position, 0});
    return static_cast<uint32_t>(t.symbols.size() - 1);
  }
  uint32_t expression(std::vector<int64_t> code) {
    t.expressions.push_back({{static_cast<uint32_t>(t.code.size()), static_cast<uint32_t>(code.size())}});
    t.code.insert(t.code.end(), code.begin(), code.end());
    return static_cast<uint32_t>(t.expressions.size() - 1);
  }
  uint32_t number(int64_t value) { return expression({static_cast<int64_t>(PostfixOp::push_constant), value}); }
  uint32_t value(std::string_view name, DType dtype, std::vector<uint32_t> dims) {
    ValueRow row;
    row.name = text(name), row.dtype = static_cast<uint32_t>(dtype), row.flags = value_rank_known, row.dims = operands(std::move(dims));
    t.values.push_back(row);
    return static_cast<uint32_t>(t.values.size() - 1);
  }
  /// A row of `constants`, not yet a value.
  uint32_t constant_row(const Tensor& tensor) {
    ConstantRow row;
    row.dims = numbers(tensor.dims());
    t.constants.push_back(row);
    model.constants.push_back(tensor);
    return static_cast<uint32_t>(t.constants.size() - 1);
  }
  uint32_t constant(std::string_view name, const Tensor& tensor) {
    std::vector<uint32_t> dims;
    for (int64_t dim : tensor.dims()) dims.push_back(number(dim));
    const uint32_t id = value(name, tensor.dtype(), dims);
    t.values[id].constant = constant_row(tensor);
    return id;
  }
  void attribute(std::string_view name, AttributeKind kind, std::vector<int64_t> payload, uint32_t dtype = 0) {
    t.attributes.push_back({text(name), kind, dtype, numbers(std::move(payload))});
  }
  std::vector<int64_t> texts(std::vector<std::string> values) {
    std::vector<int64_t> pairs;
    for (const std::string& s : values) {
      const TextRef ref = text(s);
      pairs.insert(pairs.end(), {int64_t{ref.first}, int64_t{ref.count}});
    }
    return pairs;
  }
  OpRow& op(std::string_view name, std::vector<uint32_t> inputs, std::vector<uint32_t> outputs) {
    OpRow row;
    row.op = text(name), row.name = text("node_" + std::string(name));
    row.inputs = operands(std::move(inputs)), row.outputs = operands(std::move(outputs));
    return t.ops.emplace_back(row);
  }
  void range(uint32_t first, uint32_t count, std::vector<uint32_t> inputs, std::vector<uint32_t> outputs) {
    t.ranges.push_back({{first, count}, operands(std::move(inputs)), operands(std::move(outputs))});
  }
  void port(std::vector<PortRow>& ports, std::string_view name, uint32_t value) { ports.push_back({text(name), value, 0}); }
};

/// A model with an If whose branches read a capture, a Loop with one carried value and one scan output, an op with an
/// attribute of every kind, and constants of odd sizes, zero size, strings, and equal ones. Weights sections lay out
/// "bias" and "same" in one place.
inline GeModel sample_model() {
  constexpr auto push_constant = static_cast<int64_t>(PostfixOp::push_constant), push_symbol = static_cast<int64_t>(PostfixOp::push_symbol);
  constexpr auto add = static_cast<int64_t>(PostfixOp::add), mul = static_cast<int64_t>(PostfixOp::mul), le = static_cast<int64_t>(PostfixOp::le);
  constexpr uint32_t none = no_index;
  ModelMaker m;
  m.model.name = "sample";
  const uint32_t n = m.expression({push_symbol, m.symbol("N", SymbolSource::input_dim, 0, 0)});
  const uint32_t two_n = m.expression({push_constant, 2, push_symbol, 0, mul, push_constant, -1, add});
  const uint32_t positive = m.expression({push_constant, 1, push_symbol, 0, le});
  m.t.symbols.push_back({m.text("U"), SymbolSource::open, none, 0, 0});
  const uint32_t open = m.expression({push_symbol, 1}), three = m.number(3);

  const uint32_t x = m.value("x", DType::float32, {n, three}), c = m.value("c", DType::boolean, {});
  const float floats[] = {1, 2, 3};
  const uint8_t bytes[] = {7, 8, 9, 10, 11};
  const uint32_t bias = m.constant("bias", Tensor::from<float>(DType::float32, {3}, floats));
  m.constant("odd", Tensor::from<uint8_t>(DType::uint8, {5}, bytes));
  m.constant("empty", Tensor::zeros(DType::float32, {0, 4}));
  m.constant("words", Tensor::strings({2, 2}, {"a", "", "three", "a longer string of characters"}));
  m.constant("same", Tensor::from<float>(DType::float32, {3}, floats));
  m.constant("no_words", Tensor::strings({0}, {}));
  const uint32_t limit = m.constant("limit", Tensor::scalar(4));
  const std::string packed = "packed bytes";
  const uint32_t pack = m.constant("pack", Tensor::copy_of(DType::uint8, {12}, std::as_bytes(std::span(packed))));
  m.t.constants[m.t.values[pack].constant].packing = m.text("nk16");
  const uint32_t tensor_row = m.constant_row(Tensor::from<float>(DType::float32, {1, 3}, floats));
  const uint32_t words_row = m.constant_row(Tensor::strings({1}, {"in an attribute"}));

  const uint32_t y = m.value("y", DType::float32, {n, three}), z = m.value("", DType::float32, {n, three});
  const uint32_t a = m.value("a", DType::float32, {n, three}), b = m.value("b", DType::float32, {n, three});
  const uint32_t i = m.value("i", DType::int64, {}), go = m.value("go", DType::boolean, {}), carry = m.value("carry", DType::float32, {n, three});
  const uint32_t next = m.value("next", DType::float32, {n, three}), last = m.value("last", DType::float32, {n, three});
  const uint32_t scan = m.value("scan", DType::float32, {open, n, three}), shape = m.value("shape", DType::int64, {m.number(2)});
  m.t.values[shape].flags |= value_content_known;
  m.t.values[shape].content = m.operands({two_n, three});
  m.port(m.t.inputs, "x", x), m.port(m.t.inputs, "c", c);

  const uint32_t first_attribute = 0;
  m.attribute("a_int", AttributeKind::integer, {-5});
  m.attribute("b_float", AttributeKind::real, {std::bit_cast<int32_t>(-0.5f)});
  m.attribute("c_string", AttributeKind::text, m.texts({"hello"}));
  m.attribute("d_ints", AttributeKind::integers, {1, 2, 3});
  m.attribute("e_floats", AttributeKind::reals, {std::bit_cast<uint32_t>(1.5f), std::bit_cast<uint32_t>(2.5f)});
  m.attribute("f_strings", AttributeKind::texts, m.texts({"one", "", "two"}));
  m.attribute("g_tensor", AttributeKind::tensor, {tensor_row}, static_cast<uint32_t>(DType::float32));
  m.attribute("h_words", AttributeKind::tensor, {words_row}, static_cast<uint32_t>(DType::string));
  OpRow& add_op = m.op("Add", {x, bias, none}, {y, none});
  add_op.attributes = {first_attribute, 8};
  m.t.conditions.push_back({positive, m.text("N is at least one"), 0});
  m.t.ops.back().conditions = {0, 1};
  m.op("If", {c}, {z}).bodies = m.operands({1, 2});
  m.attribute("_carried", AttributeKind::integer, {1});
  OpRow& loop = m.op("Loop", {limit, none, z, y}, {last, scan});
  loop.attributes = {8, 1};
  m.t.ops.back().bodies = m.operands({3});
  m.op("Shape", {last}, {shape});
  m.op("Relu", {y}, {a});        // op 4: then
  m.op("Neg", {y}, {b});         // op 5: else
  m.op("Sub", {carry, y}, {next});  // op 6: body
  m.range(0, 4, {x, c}, {last, shape});
  m.range(4, 1, {}, {a});
  m.range(5, 1, {}, {b});
  m.range(6, 1, {i, go, carry}, {go, next, carry});
  m.port(m.t.outputs, "last", last), m.port(m.t.outputs, "shape", shape), m.port(m.t.outputs, "scan", scan);
  return m.model;
}

}  // namespace ge::test
