// SplitToSequence (ONNX, opset 24), ConcatFromSequence (11).
#include "executor/value_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

Attributes axis(int64_t n) { return attributes({{"axis", n}}); }

}  // namespace

TEST_CASE("a tensor is split into parts of a size, the last one smaller", "[executor][SX-17][CR-9]") {
  ValueCase c;
  const OutputRef x = c.input("x", {"R", "C"}), size = c.position("size");
  const OutputRef s = c.op("SplitToSequence", {x, size}, axis(-1));
  c.outputs({s, c.op("SequenceLength", {s})});
  const auto model = c.instance();
  const Tensor t = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(model->shown({t, at(2)}) == "sequence(float32[2, 2] 1 2 4 5, float32[2, 1] 3 6); int64[] 2");
  CHECK(model->shown({t, at(1)}) == "sequence(float32[2, 1] 1 4, float32[2, 1] 2 5, float32[2, 1] 3 6); int64[] 3");
  CHECK(model->shown({t, at(9)}) == "sequence(float32[2, 3] 1 2 3 4 5 6); int64[] 1");
  CHECK_THAT(model->refusal({t, at(0)}), Contains("(SplitToSequence)") && Contains("split is 0, expected a positive size"));
  CHECK_THAT(model->refusal({t, at(-4)}), Contains("split is -4"));
  const uint64_t made = model->instantiations();
  model->shown({t, at(2)});
  CHECK(model->instantiations() == made);
}

TEST_CASE("a tensor is split into parts of listed sizes", "[executor][SX-17][CR-9]") {
  ValueCase c;
  const OutputRef x = c.input("x", {4}), sizes = c.input("sizes", {"n"}, DType::int64);
  c.outputs({c.op("SplitToSequence", {x, sizes}, attributes({{"axis", int64_t{0}}, {"keepdims", int64_t{0}}}))});
  const auto model = c.instance();
  const Tensor t = floats({4}, {1, 2, 3, 4});
  CHECK(model->shown({t, int64s({2}, {3, 1})}) == "sequence(float32[3] 1 2 3, float32[1] 4)");
  CHECK(model->shown({t, int64s({1}, {4})}) == "sequence(float32[4] 1 2 3 4)");
  CHECK(model->shown({t, int64s({3}, {0, 4, 0})}) == "sequence(float32[0], float32[4] 1 2 3 4, float32[0])");
  CHECK_THAT(model->refusal({t, int64s({2}, {3, 2})}), Contains("sum up to 5, expected the axis' size, 4"));
  CHECK_THAT(model->refusal({t, int64s({3}, {5, -2, 1})}), Contains("size -2"));
  CHECK_THAT(model->refusal({t, int64s({2}, {INT64_MAX, INT64_MAX})}), Contains("split has the size"));
}

TEST_CASE("without sizes the parts are slices, with or without their axis", "[executor][SX-17][CR-9]") {
  ValueCase c;
  c.may_be_zero("R");
  const OutputRef x = c.input("x", {"R", 2});
  c.outputs({c.op("SplitToSequence", {x}), c.op("SplitToSequence", {x}, attributes({{"axis", int64_t{1}}, {"keepdims", int64_t{0}}}))});
  const auto model = c.instance();
  CHECK(model->shown({floats({2, 2}, {1, 2, 3, 4})}) == "sequence(float32[1, 2] 1 2, float32[1, 2] 3 4); sequence(float32[2] 1 3, float32[2] 2 4)");
  CHECK(model->shown({floats({0, 2}, {})}) == "sequence(); sequence(float32[0], float32[0])");
}

TEST_CASE("a tensor is split into more parts than values are carried along", "[executor][SX-17][CR-9]") {
  ValueCase c;
  c.may_be_zero("N");
  const OutputRef x = c.input("x", {"N"}), s = c.op("SplitToSequence", {x});
  c.outputs({c.op("SequenceLength", {s}), c.op("SequenceAt", {s, c.ints({-1})}), c.op("ReduceSum", {c.op("ConcatFromSequence", {s}, attributes({{"axis", int64_t{0}}}))})});
  const auto model = c.instance();
  for (int64_t n : {64, 65, 300}) {
    std::vector<float> values(static_cast<size_t>(n), 1.0f);
    values.back() = 2;
    CHECK(model->shown({floats({n}, values)}) == "int64[] " + std::to_string(n) + "; float32[1] 2; float32[1] " + std::to_string(n + 1));
  }
}

TEST_CASE("an axis without elements that would give parts beyond number is refused", "[executor][CR-10]") {
  ValueCase c;
  c.may_be_zero("R");
  const OutputRef x = c.input("x", {"R", "C"});
  c.outputs({c.op("SplitToSequence", {x}, axis(1))});
  CHECK_THAT(c.instance()->refusal({floats({0, int64_t{1} << 30}, {})}), Contains("would be split into 1073741824 parts"));
}

TEST_CASE("elements are joined along an axis, or along a new one", "[executor][SX-17][CR-9]") {
  ValueCase c;
  const OutputRef s = c.input_of(ValueKind::sequence, "s");
  const OutputRef joined = c.op("ConcatFromSequence", {s}, axis(-1));
  c.outputs({joined, c.op("Neg", {joined})});
  const auto model = c.instance();
  CHECK(model->shown({sequence({floats({2, 1}, {1, 2}), floats({2, 2}, {3, 4, 5, 6})})}) == "float32[2, 3] 1 3 4 2 5 6; float32[2, 3] -1 -3 -4 -2 -5 -6");
  CHECK(model->shown({sequence({floats({2}, {1, 2})})}) == "float32[2] 1 2; float32[2] -1 -2");
  CHECK_THAT(model->refusal({sequence({floats({2, 1}, {1, 2}), floats({1, 2}, {3, 4})})}), Contains("(ConcatFromSequence)") && Contains("[1, 2]"));
  CHECK_THAT(model->refusal({sequence({floats({2, 1}, {1, 2}), floats({1}, {3})})}), Contains("expected rank 2"));
  CHECK_THAT(model->refusal({sequence({})}), Contains("the sequence is empty"));
  CHECK_THAT(model->refusal({sequence({floats({}, {1})})}), Contains("out of range for rank 0"));

  ValueCase d;
  const OutputRef t = d.input_of(ValueKind::sequence, "t");
  d.outputs({d.op("ConcatFromSequence", {t}, attributes({{"axis", int64_t{-1}}, {"new_axis", int64_t{1}}})),
             d.op("ConcatFromSequence", {t}, attributes({{"axis", int64_t{0}}, {"new_axis", int64_t{1}}}))});
  const auto stacked = d.instance();
  CHECK(stacked->shown({sequence({floats({2}, {1, 2}), floats({2}, {3, 4})})}) == "float32[2, 2] 1 3 2 4; float32[2, 2] 1 2 3 4");
  CHECK(stacked->shown({sequence({floats({}, {1}), floats({}, {2}), floats({}, {3})})}) == "float32[3] 1 2 3; float32[3] 1 2 3");
  CHECK_THAT(stacked->refusal({sequence({floats({1}, {1}), floats({}, {2})})}), Contains("different ranks"));
}

TEST_CASE("sizes that are joined from a sequence decide a shape before the run", "[executor][SX-17][CR-2]") {
  ValueCase c;
  const OutputRef x = c.input("x", {"N", 2}), n = c.op("Gather", {c.op("Shape", {x}), c.constant(Tensor::scalar(0))});
  const OutputRef sizes = c.op("ConcatFromSequence", {c.op("SequenceConstruct", {n, c.constant(Tensor::scalar(1)), c.constant(Tensor::scalar(2))})},
                               attributes({{"axis", int64_t{0}}, {"new_axis", int64_t{1}}}));
  c.outputs({c.op("Reshape", {x, sizes})});
  const auto model = c.instance();
  CHECK(model->shown({floats({2, 2}, {1, 2, 3, 4})}) == "float32[2, 1, 2] 1 2 3 4");
  CHECK(model->segments() == 1);
}

TEST_CASE("parts of strings, and a round trip through a sequence", "[executor][SX-17]") {
  ValueCase c;
  const OutputRef x = c.input("x", {3}, DType::string);
  c.outputs({c.op("ConcatFromSequence", {c.op("SplitToSequence", {x})}, axis(0))});
  CHECK(c.instance()->shown({Tensor::strings({3}, {"a", "", "ccc"})}) == "string[3] 'a' '' 'ccc'");
}
