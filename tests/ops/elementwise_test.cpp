#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;

TEST_CASE("element-wise ops of one tensor keep its shape, dtype and unknown rank", "[ops][CR-2]") {
  Symbols s;
  for (const char* op : {"Sqrt", "Exp", "Log", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid", "Selu", "Gelu", "Softplus", "Round"}) {
    CAPTURE(op);
    CHECK(s.op(op).in({s.N, 3}).text() == "float32[N, 3]");
    CHECK(s.op(op).rankless(DType::float16).text() == "float16[?]");
    CHECK(mentions(s.op(op).in({s.N}, DType::int32).error(), {"input 0", "int32", "expected one of", "float32"}));
  }
  CHECK(s.op("IsNaN").in({s.N, 3}).text() == "bool[N, 3]");
  CHECK(mentions(s.op("Sqrt").error(), {"0 inputs", "expected 1"}));
  CHECK(mentions(s.op("Sqrt").in({1}).in({1}).error(), {"2 inputs", "expected 1"}));
  CHECK(mentions(s.op("LeakyRelu").in({1}).set("alpha", int64_t{1}).error(), {"alpha", "of kind int", "expected float"}));
  CHECK(mentions(s.op("Gelu").in({1}).set("approximate", std::string("fast")).error(), {"fast", "none, tanh"}));
}

TEST_CASE("broadcasting keeps what is certain and records the rest", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Add").in({s.N, 1, 4}).in({3, 1}).text() == "float32[N, 3, 4]");
  CHECK(s.op("Add").in({s.N, 3}).in({}).text() == "float32[N, 3]");
  CHECK(s.op("Add").in({s.N, 3}).rankless().text() == "float32[?]");
  CHECK(s.op("Add").in({s.N}).in({s.N}).run().conditions.empty());
  const auto open = s.op("Mul").in({s.N, 4}).in({s.M, 4}).run();
  REQUIRE(open.conditions.size() == 1);
  CHECK(mentions(open.conditions[0].what, {"[N, 4]", "[M, 4]", "N against M"}));
  CHECK(mentions(s.op("Add").in({2, 3}).in({4}).error(), {"[2, 3]", "[4]", "3 against 4"}));
  CHECK(mentions(s.op("Add").in({2}).in({2}, DType::float16).error(), {"input 1", "float16", "expected float32 as input 0"}));
  CHECK(s.op("Less").in({s.N, 3}).in({3}).text() == "bool[N, 3]");
  CHECK(s.op("Max").in({s.N, 1}).in({1, 4}).in({1}).text() == "float32[N, 4]");
  CHECK(s.op("Where").in({s.N, 1}, DType::boolean).in({1, 4}).in({}).text() == "float32[N, 4]");
}

TEST_CASE("two distinct symbols are never made one", "[ops][CR-2]") {
  Symbols s;
  const auto sum = s.op("Add").in({s.N}).in({s.M}).run();
  CHECK(sum.dim(0, 0) != s.N);
  CHECK(sum.dim(0, 0) != s.M);
  CHECK(InferCase::value(sum.dim(0, 0), {{s.N.symbol_id(), 1}, {s.M.symbol_id(), 7}}) == 7);
  CHECK(InferCase::value(sum.dim(0, 0), {{s.N.symbol_id(), 7}, {s.M.symbol_id(), 1}}) == 7);
  const auto concat = s.op("Concat").set("axis", int64_t{0}).in({1, s.N}).in({1, s.M}).run();
  REQUIRE(concat.conditions.size() == 1);
  CHECK(concat.dim(0, 1) == s.N);
}

TEST_CASE("arithmetic on small integer tensors stays symbolic", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Add").values({s.N, 2}).values({1}).text() == "int64[2]{N + 1, 3}");
  CHECK(s.op("Sub").values({s.N, 2}).scalar(s.N).text() == "int64[2]{0, -N + 2}");
  CHECK(s.op("Mul").values({s.N}).values({s.M}).type().values->front() == s.N * s.M);
  CHECK(s.op("Neg").values({s.N}).type().values->front() == -s.N);
  CHECK(s.op("Max").values({s.N}).values({0}).type().values->front() == s.N);
  CHECK(s.op("Min").values({s.N}).values({3}).type().values->front() == min_of(s.N, 3));
  CHECK(s.op("Equal").values({s.N, 3}).values({3}).type().values->at(0) == equal(s.N, 3));
  CHECK(s.op("Equal").values({s.N, 3}).values({3}).type().values->at(1).is_constant(1));
  CHECK(s.op("Not").values({equal(s.N, 3)}, DType::boolean).type().values->front() == logical_not(equal(s.N, 3)));
  CHECK(s.op("Where").values({equal(s.N, 3)}, DType::boolean).values({s.M}).values({1}).type().values->front() == select(equal(s.N, 3), s.M, 1));
  CHECK(s.op("Clip").values({s.N}).absent().scalar(9).type().values->front() == min_of(s.N, 9));
  CHECK_FALSE(s.op("Add").values({s.N}).in({1}, DType::int64).type().values);
}

TEST_CASE("integer division rounds towards zero as ONNX says", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Div").values({s.N}).values({2}).type().values->front() == floor_div(s.N, 2));
  CHECK(s.op("Div").values({-7, 7}).values({2}).text() == "int64[2]{-3, 3}");
  CHECK(s.op("Div").values({-7, 7}).values({-2}).text() == "int64[2]{3, -3}");
  CHECK_FALSE(s.op("Div").values({7}).values({0}).type().values);
  CHECK_FALSE(s.op("Div").values({7}).values({s.any}).type().values);
  const Expr half = s.op("Div").values({s.any}).values({2}).type().values->front();
  for (int64_t v : {-5, -4, -1, 0, 1, 5}) CHECK(InferCase::value(half, {{s.any.symbol_id(), v}}) == v / 2);
  CHECK(s.op("Mod").values({-7, 7}).values({3}).text() == "int64[2]{2, 1}");
  CHECK(s.op("Mod").values({-7, 7}).values({3}).set("fmod", int64_t{1}).text() == "int64[2]{-1, 1}");
}

TEST_CASE("int32 and bool keep values only where they fit", "[ops][CR-2]") {
  Symbols s;
  const Expr small = s.table.symbol("small", {0, 1000});
  const auto cast = [&](Expr e, DType to) { return s.op("Cast").set("to", static_cast<int64_t>(to)).values({e}).type(); };
  CHECK(to_string(cast(small, DType::int32)) == "int32[1]{small}");
  CHECK_FALSE(cast(s.N, DType::int32).values);
  CHECK(cast(s.N, DType::int64).values->front() == s.N);
  CHECK(cast(s.N, DType::boolean).values->front() == not_equal(s.N, 0));
  CHECK_FALSE(cast(s.N, DType::float32).values);
  CHECK(s.op("Mul").values({small}, DType::int32).values({1000}, DType::int32).type().values->front() == small * 1000);
  CHECK_FALSE(s.op("Mul").values({small}, DType::int32).values({10'000'000}, DType::int32).type().values);
  CHECK(mentions(s.op("Cast").in({1}).error(), {"'to'", "missing"}));
  CHECK(mentions(s.op("Cast").in({1}).set("to", int64_t{99}).error(), {"99", "expected the number of a dtype"}));
}

TEST_CASE("elements beyond 64 are forgotten", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Add").values(Terms(64, s.N)).values({1}).type().values);
  CHECK_FALSE(s.op("Expand").values({s.N}).values({65}).type().values);
}
