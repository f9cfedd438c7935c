// How much memory the walk takes for what sequences and optionals hold.
#include "executor/value_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

namespace {

constexpr OutputRef none{};

/// A sequence of `length` times x, made in a loop.
OutputRef long_sequence(ValueCase& c, OutputRef x, int64_t length) {
  return c.loop(c.constant(Tensor::scalar(length)), none, {c.op("SequenceConstruct", {x})}, {x}, [](GraphBuild& b, Refs in) { return Refs{in[1], b.op("SequenceInsert", {in[2], in[3]})}; });
}

}  // namespace

TEST_CASE("what an iteration held before does not count in later ones", "[executor][SX-17][CR-10]") {
  ValueCase c;
  const OutputRef x = c.input("x", {1}), s = long_sequence(c, x, 3000);
  // Each iteration copies the list of the sequence: 90 million numbers in all.
  const OutputRef same = c.loop(c.constant(Tensor::scalar(30000)), none, {s}, {}, [](GraphBuild& b, Refs in) {
    return Refs{in[1], b.op("OptionalGetElement", {b.op("Optional", {in[2]})})};
  });
  c.outputs({c.op("SequenceLength", {same})});
  CHECK(c.instance()->shown({floats({1}, {7})}) == "int64[] 3001");
}

TEST_CASE("a chain of copies of a long sequence is refused when it grows too large", "[executor][CR-10]") {
  ValueCase c;
  const OutputRef x = c.input("x", {1}), s = long_sequence(c, x, 20000);
  Refs kept;
  for (int i = 0; i < 3500; ++i) kept.push_back(c.op("OptionalHasElement", {c.op("Optional", {s})}));
  c.outputs({c.op("Concat", {c.op("Unsqueeze", {kept.back(), c.ints({0})})}, attributes({{"axis", int64_t{0}}}))});
  CHECK_THAT(c.instance()->refusal({floats({1}, {7})}), Contains("(Optional)") && Contains("hold more than"));
}

TEST_CASE("segments whose states list long sequences count as several in the cache", "[executor][SX-9][CR-10]") {
  ValueCase c;
  const OutputRef s = c.input_of(ValueKind::sequence, "s"), x = c.input("x", {1});
  // Only the run knows whether x is used up: each iteration is a segment.
  const OutputRef y = c.loop(none, none, {s, x}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef less = b.op("Sub", {in[3], b.scalar(1)});
    return Refs{b.op("Greater", {b.op("ReduceSum", {less}, attributes({{"keepdims", int64_t{0}}})), b.scalar(0)}), b.op("SequenceInsert", {in[2], less}), less};
  });
  c.outputs({c.op("SequenceLength", {y})});
  ModelParam param;
  param.max_cached_segments = 50;
  const auto made_again = [&](size_t length) {
    const auto model = c.instance(param);
    const Value given = sequence(std::vector<Tensor>(length, floats({1}, {7})));
    const std::string answer = "int64[] " + std::to_string(length + 20);
    CHECK(model->shown({given, floats({1}, {20})}) == answer);
    const uint64_t made = model->instantiations();
    CHECK(model->shown({given, floats({1}, {20})}) == answer);
    return model->instantiations() - made;
  };
  CHECK(made_again(1) == 0);
  CHECK(made_again(2560) > 0);
}
