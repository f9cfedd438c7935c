#include "model/sample_model.hpp"
#include "support/catch.hpp"

#include "ge/model/om.hpp"

#include <functional>
#include <random>

namespace {

using namespace ge;
using Catch::Matchers::Contains;

/// Tables of the sample with the constants' places filled in, and the weights.
struct Sample {
  ProgramTables tables;
  std::vector<std::byte> weights;
};

Sample make_sample() {
  GeModel model = ge::test::sample_model();
  const auto bytes = write_om_bytes(model, "");
  const auto file = OmFile::from_buffer(nullptr, bytes);
  Sample sample{model.tables, {file->weights().begin(), file->weights().end()}};
  sample.tables.constants.assign(file->program().constants.begin(), file->program().constants.end());
  return sample;
}

const Sample& sample() {
  static const Sample made = make_sample();
  return made;
}

std::string refusal(const std::function<void(ProgramTables&)>& change, size_t weights = sample().weights.size()) {
  ProgramTables tables = sample().tables;
  change(tables);
  try {
    check_program(tables.view(), weights);
    return "";
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::corrupt_file);
    return error.what();
  }
}

uint32_t& operand(ProgramTables& t, RowRange list, uint32_t i) { return t.operands[list.first + i]; }

TEST_CASE("the sample program is accepted", "[model][CR-4]") { CHECK(refusal([](ProgramTables&) {}).empty()); }

TEST_CASE("indices and lists out of range are refused by table and row", "[model][CR-4][CR-10]") {
  using T = ProgramTables;
  CHECK_THAT(refusal([](T& t) { t.values[2].name = {UINT32_MAX, UINT32_MAX}; }), Contains("table 'values' row 2: name characters are rows 4294967295"));
  CHECK_THAT(refusal([](T& t) { t.values[1].dtype = 29; }), Contains("table 'values' row 1: dtype is 29, expected 1 to 28"));
  CHECK_THAT(refusal([](T& t) { t.values[1].dtype = 0; }), Contains("dtype is 0"));
  CHECK_THAT(refusal([](T& t) { t.values[1].flags = 4; }), Contains("flags are 4"));
  CHECK_THAT(refusal([](T& t) { operand(t, t.values[0].dims, 0) = 999; }), Contains("table 'values' row 0: dims is row 999 of 'expressions'"));
  CHECK_THAT(refusal([](T& t) { t.values[0].constant = 500; }), Contains("constant is row 500 of 'constants'"));
  CHECK_THAT(refusal([](T& t) { t.values.back().content.count = 1; }), Contains("contents are 1 expressions, but the dims are [2]"));
  CHECK_THAT(refusal([](T& t) { t.expressions[1].code.count -= 1; }), Contains("table 'expressions' row 1: postfix code"));
  CHECK_THAT(refusal([](T& t) { t.symbols[0].input = 2; }), Contains("table 'symbols' row 0: input is row 2 of 'inputs'"));
  CHECK_THAT(refusal([](T& t) { t.symbols[0].position = 2; }), Contains("dim 2 of an input with 2 known"));
  CHECK_THAT(refusal([](T& t) { t.symbols[0].source = SymbolSource::input_element; }), Contains("element 0 of an input with 0 known"));
  CHECK_THAT(refusal([](T& t) { t.symbols[0].source = static_cast<SymbolSource>(3); }), Contains("source is 3"));
  CHECK_THAT(refusal([](T& t) { t.inputs[0].value = no_index; }), Contains("table 'inputs' row 0: value is row 4294967295"));
  CHECK_THAT(refusal([](T& t) { t.conditions[0].expression = 77; }), Contains("table 'conditions' row 0: expression is row 77"));
  CHECK_THAT(refusal([](T& t) { t.ops[0].conditions.count = 2; }), Contains("table 'ops' row 0: conditions are rows 0 + 2"));
  CHECK_THAT(refusal([](T& t) { t.ops[1].bodies.count = 0; }), Contains("bodies of If number 0, expected 2"));
  CHECK_THAT(refusal([](T& t) { t.ranges[0].ops.count = 9; }), Contains("table 'ranges' row 0: ops are rows 0 + 9"));
}

TEST_CASE("malformed attributes are refused", "[model][CR-4][CR-10]") {
  using T = ProgramTables;
  CHECK_THAT(refusal([](T& t) { t.attributes[0].payload.count = 0; }), Contains("table 'attributes' row 0: payload of 0 numbers, expected one"));
  CHECK_THAT(refusal([](T& t) { t.numbers[t.attributes[1].payload.first] = int64_t{1} << 40; }), Contains("is not the bits of a float"));
  CHECK_THAT(refusal([](T& t) { t.numbers[t.attributes[2].payload.first] = -1; }), Contains("row 2: text characters"));
  CHECK_THAT(refusal([](T& t) { t.attributes[5].payload.count = 3; }), Contains("expected an even number"));
  CHECK_THAT(refusal([](T& t) { t.numbers[t.attributes[6].payload.first] = -1; }), Contains("of 'constants'"));
  CHECK_THAT(refusal([](T& t) { t.attributes[6].dtype = 7; }), Contains("dtype is 7, but that of its constant is 1"));
  CHECK_THAT(refusal([](T& t) { t.attributes[3].kind = static_cast<AttributeKind>(7); }), Contains("kind is 7"));
  CHECK_THAT(refusal([](T& t) { std::swap(t.attributes[0].name, t.attributes[1].name); }), Contains("attribute 'a_int' follows 'b_float'"));
}

TEST_CASE("constants outside the weights or of another size are refused", "[model][CR-4][CR-10]") {
  using T = ProgramTables;
  CHECK_THAT(refusal([](T& t) { t.constants[1].offset += 1; }), Contains("table 'constants' row 1: offset is"));
  CHECK_THAT(refusal([](T& t) { t.constants[1].offset = UINT64_MAX - 63; }), Contains("of weights that have"));
  CHECK_THAT(refusal([](T& t) { t.constants[1].size += 1; }), Contains("size is 6 bytes, but uint8[5] has 5"));
  CHECK_THAT(refusal([](T&) {}, 64), Contains("of weights that have 64"));
  CHECK_THAT(refusal([](T& t) { t.numbers[t.constants[1].dims.first] = -5; }), Contains("no uint8[-5] can exist"));
  CHECK_THAT(refusal([](T& t) { t.numbers[t.constants[0].dims.first] = INT64_MAX / 2; }), Contains("can exist"));
  CHECK_THAT(refusal([](T& t) { t.constants[1].offset = t.constants[0].offset; }), Contains("overlaps row"));
  CHECK_THAT(refusal([](T& t) { t.numbers[t.constants[3].dims.first] = 1000; }), Contains("and the characters"));
  CHECK_THAT(refusal([](T& t) { t.values[2].dtype = 7; }), Contains("is int64[3], but its constant is float32[3]"));
  CHECK_THAT(refusal([](T& t) { operand(t, t.values[2].dims, 0) = 0; }), Contains("is a constant, but dim 0 is no constant"));
  CHECK_THAT(refusal([](T& t) { t.values[2].flags = 0; }), Contains("constant of unknown rank"));
}

TEST_CASE("values read before they are defined, or from another branch, are refused", "[model][CR-4][CR-10]") {
  using T = ProgramTables;
  const auto output = [](T& t, uint32_t op, uint32_t i = 0) { return operand(t, t.ops[op].outputs, i); };
  CHECK_THAT(refusal([&](T& t) { operand(t, t.ops[0].inputs, 0) = output(t, 3); }), Contains("table 'ops' row 0: input is value") && Contains("('shape'), which nothing before it defines"));
  CHECK_THAT(refusal([&](T& t) { operand(t, t.ops[5].inputs, 0) = output(t, 4); }), Contains("table 'ops' row 5: input is value") && Contains("lives in another branch"));
  CHECK_THAT(refusal([&](T& t) { t.outputs[0].value = output(t, 6); }), Contains("table 'outputs' row 0") && Contains("lives in another branch"));
  CHECK_THAT(refusal([&](T& t) { operand(t, t.ops[3].outputs, 0) = output(t, 0); }), Contains("table 'ops' row 3: defines value") && Contains("which is defined already"));
  CHECK_THAT(refusal([&](T& t) { operand(t, t.ops[3].outputs, 0) = 2; }), Contains("defines value 2 ('bias')"));
  CHECK_THAT(refusal([&](T& t) { t.inputs[1].value = t.inputs[0].value; }), Contains("table 'inputs' row 1: defines value 0 ('x')"));
  CHECK_THAT(refusal([&](T& t) { operand(t, t.ranges[3].outputs, 1) = output(t, 2); }), Contains("table 'ranges' row 3: output is value"));
}

TEST_CASE("bodies and ranges that do not form a tree are refused", "[model][CR-4][CR-10]") {
  using T = ProgramTables;
  CHECK_THAT(refusal([](T& t) { t.ranges.clear(), t.ops.clear(); }), Contains("table 'ranges' is empty"));
  CHECK_THAT(refusal([](T& t) { operand(t, t.ops[1].bodies, 1) = 1; }), Contains("body is range 1, which is a body already"));
  CHECK_THAT(refusal([](T& t) { operand(t, t.ops[2].bodies, 0) = 0; }), Contains("Loop"));
  CHECK_THAT(refusal([](T& t) { t.ranges.emplace_back(); }), Contains("table 'ranges' row 4: is the body of no op"));
  CHECK_THAT(refusal([](T& t) { t.ranges[1].ops.first = 5; }), Contains("each op is in one range"));
  CHECK_THAT(refusal([](T& t) { t.ops.push_back(t.ops[0]); }), Contains("table 'ops' row 7: is in no range"));
  CHECK_THAT(refusal([](T& t) { t.ops[0].bodies = t.ops[1].bodies; }), Contains("'Add' has bodies"));
  CHECK_THAT(refusal([](T& t) { t.ranges[1].inputs = {t.ranges[3].inputs.first, 1}; }), Contains("own inputs of If's range 1 number 1, expected 0"));
  CHECK_THAT(refusal([](T& t) { t.ranges[1].outputs.count = 0; }), Contains("outputs of If's range 1 number 0, expected 1"));
  CHECK_THAT(refusal([](T& t) { t.values[1].dtype = 1; }), Contains("the condition of If is float32, expected bool"));
  CHECK_THAT(refusal([](T& t) { t.ranges[3].inputs.count = 2; }), Contains("own inputs of Loop's body number 2, expected 3"));
  CHECK_THAT(refusal([](T& t) { t.ranges[3].outputs.count = 2; }), Contains("outputs of Loop's body number 2, expected 3"));
  CHECK_THAT(refusal([](T& t) { t.numbers[t.attributes[8].payload.first] = 3; }), Contains("Loop carries 3 values, but has 4 inputs"));
  CHECK_THAT(refusal([](T& t) { t.ops[2].attributes.count = 0; }), Contains("no integer attribute '_carried'"));
}

TEST_CASE("bodies nested deeper than 64 are refused", "[model][CR-10]") {
  for (const uint32_t depth : {64u, 65u}) {
    ge::test::ModelMaker m;
    const uint32_t condition = m.value("c", DType::boolean, {});
    m.port(m.t.inputs, "c", condition);
    // Op i is in range 2i; its branches are range 2i+1 (empty) and 2i+2, which has op i+1.
    for (uint32_t i = 0; i < depth; ++i) {
      m.op("If", {condition}, {}).bodies = m.operands({2 * i + 1, 2 * i + 2});
      m.range(i, 1, {}, {});
      m.range(0, 0, {}, {});
    }
    m.range(0, 0, {}, {});
    if (depth == 64) CHECK_NOTHROW(check_program(m.t.view(), 0));
    else CHECK_THROWS_WITH(check_program(m.t.view(), 0), Contains("nested deeper than 64"));
  }
}

TEST_CASE("lists shared so often that visiting them would take forever are refused", "[model][CR-10]") {
  ge::test::ModelMaker m;
  const uint32_t x = m.value("x", DType::float32, {});
  m.port(m.t.inputs, "x", x);
  const RowRange inputs = m.operands(std::vector<uint32_t>(100000, x));
  for (int i = 0; i < 50000; ++i) m.op("Sum", {}, {});
  for (OpRow& op : m.t.ops) op.inputs = inputs;
  m.range(0, 50000, {}, {});
  CHECK_THROWS_WITH(check_program(m.t.view(), 0), Contains("shared beyond any reason"));
}

template <class Row>
void scramble(std::vector<Row>& rows, std::mt19937& random) {
  if (rows.empty()) return;
  constexpr size_t words = sizeof(Row) / 4;
  uint32_t word = 0;
  switch (random() % 4) {
    case 0: word = static_cast<uint32_t>(random()); break;
    case 1: word = static_cast<uint32_t>(random() % 32); break;
    case 2: word = UINT32_MAX - static_cast<uint32_t>(random() % 3); break;
    default: break;
  }
  auto* bytes = reinterpret_cast<unsigned char*>(&rows[random() % rows.size()]);
  if constexpr (words == 0) *bytes = static_cast<unsigned char>(word);
  else std::memcpy(bytes + 4 * (random() % words), &word, 4);
}

TEST_CASE("tables with random words are accepted or refused, and safe to use once accepted", "[model][CR-4][CR-10]") {
  const unsigned seed = GENERATE(11u, 12u, 13u);
  CAPTURE(seed);
  std::mt19937 random(seed);
  const std::span<const std::byte> weights = sample().weights;
  size_t accepted = 0, refused = 0;
  for (int round = 0; round < 14 * 700; ++round) {
    ProgramTables t = sample().tables;
    for (unsigned changes = 1 + random() % 2; changes > 0; --changes) {
      switch (round % 14) {
        case 0: scramble(t.symbols, random); break;
        case 1: scramble(t.values, random); break;
        case 2: scramble(t.expressions, random); break;
        case 3: scramble(t.ops, random); break;
        case 4: scramble(t.ranges, random); break;
        case 5: scramble(t.conditions, random); break;
        case 6: scramble(t.constants, random); break;
        case 7: scramble(t.attributes, random); break;
        case 8: scramble(t.inputs, random); break;
        case 9: scramble(t.outputs, random); break;
        case 10: scramble(t.operands, random); break;
        case 11: scramble(t.code, random); break;
        case 12: scramble(t.numbers, random); break;
        default: scramble(t.text, random); break;
      }
    }
    const Program p = t.view();
    try {
      check_program(p, weights.size());
    } catch (const Error& error) {
      ++refused;
      if (error.code() != ErrorCode::corrupt_file) FAIL(error.what());
      continue;
    }
    ++accepted;
    p.dump();
    try {
      for (const OpRow& op : p.ops) read_attributes(p, op, weights, nullptr);
    } catch (const Error& error) {  // the bytes of strings are only seen here
      if (error.code() != ErrorCode::corrupt_file) FAIL(error.what());
    }
  }
  CHECK(accepted > 100);
  CHECK(refused > 1000);
}

}  // namespace
