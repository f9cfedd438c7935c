#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;

TEST_CASE("QuantizeLinear gives the zero point's dtype, the one asked for, or uint8", "[ops][CR-2]") {
  Symbols s;
  const auto node = [&] { return s.op("QuantizeLinear").in({s.N, 3, s.H}).in({}); };
  CHECK(node().text() == "uint8[N, 3, H]");
  CHECK(node().in({}, DType::int4).text() == "int4[N, 3, H]");
  CHECK(node().set("output_dtype", static_cast<int64_t>(DType::float8e5m2)).text() == "float8e5m2[N, 3, H]");
  CHECK(node().set("output_dtype", int64_t{0}).text() == "uint8[N, 3, H]");
  CHECK(mentions(node().in({}, DType::int4).set("output_dtype", static_cast<int64_t>(DType::int8)).error(), {"'output_dtype'", "int8", "int4"}));
  CHECK(mentions(node().set("output_dtype", static_cast<int64_t>(DType::float32)).error(), {"'output_dtype'", "float32"}));
  CHECK(mentions(node().set("precision", static_cast<int64_t>(DType::int32)).error(), {"'precision'", "int32"}));
  CHECK(s.op("QuantizeLinear").rankless().in({}).text() == "uint8[?]");
}

TEST_CASE("a scale is one number, one for each place of an axis, or one for each block", "[ops][CR-2]") {
  Symbols s;
  const auto node = [&](const Terms& scale) { return s.op("QuantizeLinear").in({s.N, 6, s.H}).in(scale); };
  CHECK(node({6}).text() == "uint8[N, 6, H]");
  CHECK(node({1}).text() == "uint8[N, 6, H]");
  CHECK(mentions(node({5}).error(), {"scale", "axis 1", "is 5, expected 6"}));
  CHECK(node({s.H}).set("axis", int64_t{-1}).run().conditions.empty());
  CHECK(node({5}).set("axis", int64_t{0}).run().conditions.size() == 1);  // N is 5
  CHECK(mentions(node({6}).set("axis", int64_t{3}).error(), {"axis", "3"}));
  CHECK(mentions(node({1, 6, 1}).in({1, 6, 1}, DType::int8).error(), {"scale", "without a block size"}));
  CHECK(node({s.N, 2, s.H}).set("block_size", int64_t{4}).text() == "uint8[N, 6, H]");
  CHECK(mentions(node({s.N, 3, s.H}).set("block_size", int64_t{4}).error(), {"dim 1 of the scale", "is 3, expected 2"}));
  CHECK(mentions(node({2, 2}).set("block_size", int64_t{4}).error(), {"scale", "rank"}));
  CHECK(mentions(node({6}).set("block_size", int64_t{-1}).error(), {"'block_size'", "-1"}));
  CHECK(mentions(node({6}).in({5}, DType::int8).error(), {"zero point", "is 5, expected 6"}));
  CHECK(node({}).in({1}, DType::int8).text() == "int8[N, 6, H]");
  CHECK(node({}).in({s.N}, DType::int8).run().conditions.size() == 1);  // N is 1
  CHECK(mentions(node({}).in({2}, DType::int8).error(), {"zero point", "[2]", "the scale's, []"}));
  CHECK(node({s.N}).run().conditions.size() == 1);  // N is 1 or 6
  CHECK(s.op("QuantizeLinear").in({}).in({s.N}).run().conditions.size() == 1);
  CHECK(s.op("QuantizeLinear").in({7}).in({7}).text() == "uint8[7]");
}

TEST_CASE("a scale and a zero point whose dims only the run knows may be one number each", "[ops][CR-2]") {
  Symbols s;
  const auto node = [&](const Terms& scale) { return s.op("QuantizeLinear").in({s.N, 6}).in(scale); };
  const auto holds = [&](const Inferred& found, int64_t h) {
    return std::all_of(found.conditions.begin(), found.conditions.end(), [&](const Condition& c) {
      return InferCase::value(c.condition, {{s.H.symbol_id(), h}}) != 0;
    });
  };
  const Inferred scale = node({s.H}).run();
  CHECK(scale.conditions.size() == 1);
  CHECK((holds(scale, 1) && holds(scale, 6) && !holds(scale, 2)));
  const Inferred zero = node({}).in({s.H}, DType::int8).run();
  CHECK(zero[0] == "int8[N, 6]");
  CHECK(zero.conditions.size() == 1);
  CHECK((holds(zero, 1) && !holds(zero, 6)));
  CHECK(mentions(node({}).in({2}, DType::int8).error(), {"zero point", "[2]"}));
}

TEST_CASE("DequantizeLinear gives the scale's dtype or the one asked for", "[ops][CR-2]") {
  Symbols s;
  const auto node = [&](DType scale) { return s.op("DequantizeLinear").in({s.N, 3}, DType::int8).in({}, scale); };
  CHECK(node(DType::float16).text() == "float16[N, 3]");
  CHECK(node(DType::float32).set("output_dtype", static_cast<int64_t>(DType::bfloat16)).text() == "bfloat16[N, 3]");
  CHECK(mentions(node(DType::float8e8m0).error(), {"float8e8m0", "'output_dtype'"}));
  CHECK(node(DType::float8e8m0).set("output_dtype", int64_t{1}).text() == "float32[N, 3]");
}

TEST_CASE("DynamicQuantizeLinear and the integer products", "[ops][CR-2]") {
  Symbols s;
  const auto dynamic = s.op("DynamicQuantizeLinear").in({s.N, 3}).run(3);
  CHECK(dynamic[0] == "uint8[N, 3]");
  CHECK(dynamic[1] == "float32[]");
  CHECK(dynamic[2] == "uint8[]");
  CHECK(s.op("MatMulInteger").in({s.N, 2, 3}, DType::uint8).in({3, 4}, DType::int8).text() == "int32[N, 2, 4]");
  CHECK(s.op("ConvInteger").in({s.N, 3, 8}, DType::uint8).in({4, 3, 3}, DType::uint8).text() == "int32[N, 4, 6]");
  const auto conv = s.op("QLinearConv").in({1, 3, 8}, DType::uint8).in({}).in({}, DType::uint8).in({4, 3, 3}, DType::int8).in({4}).in({4}, DType::int8).in({}).in({}, DType::uint8).in({4}, DType::int32);
  CHECK(InferCase(conv).text() == "uint8[1, 4, 6]");
  const auto product = s.op("QLinearMatMul").in({2, 3}, DType::uint8).in({}).in({}, DType::uint8).in({3, 4}, DType::int8).in({}).in({}, DType::int8).in({}).in({}, DType::int8);
  CHECK(InferCase(product).text() == "int8[2, 4]");
}

TEST_CASE("BitCast asks for a dtype of the same width", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("BitCast").in({s.N}).set("to", static_cast<int64_t>(DType::uint32)).text() == "uint32[N]");
  CHECK(mentions(s.op("BitCast").in({s.N}).set("to", static_cast<int64_t>(DType::int64)).error(), {"'to'", "64 bits", "32"}));
  CHECK(mentions(s.op("BitCast").in({s.N}, DType::complex128).set("to", static_cast<int64_t>(DType::string)).error(), {"'to'", "string"}));
}
