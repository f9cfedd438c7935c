// Strings live outside the arena; those that a run makes are forgotten when the next one starts.
#include "executor/model_case.hpp"
#include "ge/executor/string_arena.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

constexpr int64_t to_float = 1, to_int64 = 7, to_string_type = 8;
OutputRef cast(GraphBuild& b, OutputRef x, int64_t to) { return b.op("Cast", {x}, attributes({{"to", to}})); }

}  // namespace

TEST_CASE("numbers become strings and numbers again", "[executor][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"}, DType::int64);
  const OutputRef texts = cast(c, x, to_string_type);
  c.outputs({texts, cast(c, texts, to_int64), cast(c, texts, to_float), c.op("Reshape", {texts, c.ints({1, -1})})});
  const auto model = c.instance();
  for (int round = 0; round < 3; ++round) {
    CHECK(model->shown({int64s({3}, {1, -20, 300})}) == "string[3] '1' '-20' '300'; int64[3] 1 -20 300; float32[3] 1 -20 300; string[1, 3] '1' '-20' '300'");
    CHECK(model->shown({int64s({1}, {INT64_MIN})}) == "string[1] '-9223372036854775808'; int64[1] -9.22337e+18; float32[1] -9.22337e+18; string[1, 1] '-9223372036854775808'");
  }
}

TEST_CASE("string inputs and constants pass through", "[executor][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2}, DType::string), k = c.constant(Tensor::strings({2}, {"", "constant"}));
  c.outputs({x, k, c.op("Concat", {x, k}, attributes({{"axis", int64_t{0}}})), c.op("Gather", {k, c.ints({1})})});
  const auto model = c.instance();
  CHECK(model->shown({Tensor::strings({2}, {"a", "two words"})}) == "string[2] 'a' 'two words'; string[2] '' 'constant'; string[4] 'a' 'two words' '' 'constant'; string[1] 'constant'");
}

TEST_CASE("strings of one segment are there in the next", "[executor][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {3});
  const OutputRef texts = cast(c, x, to_string_type);
  const OutputRef at = c.op("Reshape", {c.op("NonZero", {x}), c.ints({-1})});
  c.outputs({c.op("Gather", {texts, at}), cast(c, at, to_string_type)});
  const auto model = c.instance();
  CHECK(model->shown({floats({3}, {0, 5, -2})}) == "string[2] '5.0' '-2.0'; string[2] '1' '2'");
  CHECK(model->segments() == 2);
  CHECK(model->shown({floats({3}, {7, 0, 0})}) == "string[1] '7.0'; string[1] '0'");
}

TEST_CASE("a text that is no number ends the run with the node's name", "[executor][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {1}, DType::string);
  c.outputs({cast(c, x, to_float)});
  const auto model = c.instance();
  CHECK(model->shown({Tensor::strings({1}, {"2.5"})}) == "float32[1] 2.5");
  CHECK_THAT(model->refusal({Tensor::strings({1}, {"two"})}), Contains("(Cast)"));
  CHECK(model->code == ErrorCode::run_failed);
  CHECK(model->shown({Tensor::strings({1}, {"-3"})}) == "float32[1] -3");
}

TEST_CASE("the string arena keeps its memory and forgets its strings", "[executor][SX-18]") {
  StringArena arena;
  const StringRef first = arena.add("first");
  const std::string large(100'000, 'x');
  CHECK(arena.add(large).view() == large);
  CHECK(arena.add("").view().empty());
  CHECK(arena.add("").data != nullptr);
  CHECK(first.view() == "first");
  arena.clear();
  CHECK(arena.add("again").data == first.data);
  CHECK(arena.add(large).view() == large);
}
