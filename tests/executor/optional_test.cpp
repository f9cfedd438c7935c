// Optional, OptionalHasElement, OptionalGetElement (ONNX, opset 28).
#include "executor/value_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

TEST_CASE("an optional holds a tensor, a sequence or nothing", "[executor][SX-17][CR-9]") {
  ValueCase c;
  const OutputRef x = c.input("x", {2}), held = c.op("Optional", {c.op("Neg", {x})}), sequence = c.op("Optional", {c.op("SequenceConstruct", {x, x})});
  const OutputRef nothing = c.op("Optional", {}, attributes({{"type", std::string("sequence(int64[2])")}}));
  c.outputs({held, c.op("OptionalGetElement", {held}), c.op("OptionalHasElement", {held}), sequence, c.op("OptionalGetElement", {sequence}), nothing,
             c.op("OptionalHasElement", {nothing}), c.op("Optional", {}, attributes({{"type", std::string("float32")}}))});
  const auto model = c.instance();
  CHECK(model->shown({floats({2}, {1, 2})}) ==
        "optional(float32[2] -1 -2); float32[2] -1 -2; bool[] 1; optional(sequence(float32[2] 1 2, float32[2] 1 2)); sequence(float32[2] 1 2, float32[2] 1 2); "
        "optional(sequence(nothing)); bool[] 0; optional(nothing)");
  CHECK(model->segments() == 1);
}

TEST_CASE("optionals that a run gives, with and without element", "[executor][SX-17][SX-18]") {
  ValueCase c;
  const OutputRef o = c.input_of(ValueKind::optional, "o"), s = c.input_of(ValueKind::optional_sequence, "s");
  c.outputs({c.op("Identity", {o}), c.op("OptionalHasElement", {o}), c.op("Identity", {s}), c.op("OptionalHasElement", {s})});
  const auto model = c.instance();
  const Value tensor(ValueKind::optional, {floats({1}, {5})}), none = Value::nothing(ValueKind::optional);
  const Value two(ValueKind::optional_sequence, {floats({1}, {6}), floats({2}, {7, 8})}), empty(ValueKind::optional_sequence, {});
  const auto run_all = [&] {
    CHECK(model->shown({tensor, two}) == "optional(float32[1] 5); bool[] 1; optional(sequence(float32[1] 6, float32[2] 7 8)); bool[] 1");
    CHECK(model->shown({none, empty}) == "optional(nothing); bool[] 0; optional(sequence()); bool[] 1");
    CHECK(model->shown({none, Value::nothing(ValueKind::optional_sequence)}) == "optional(nothing); bool[] 0; optional(sequence(nothing)); bool[] 0");
  };
  run_all();
  const uint64_t made = model->instantiations();
  CHECK(made == 3);
  run_all();
  CHECK(model->instantiations() == made);
}

TEST_CASE("taking the element of an empty optional is refused with the node", "[executor][SX-17][CR-10]") {
  ValueCase c;
  const OutputRef o = c.input_of(ValueKind::optional, "o");
  c.outputs({c.op("OptionalGetElement", {o})});
  const auto model = c.instance();
  CHECK_THAT(model->refusal({Value::nothing(ValueKind::optional)}), Contains("node 'OptionalGetElement_1' (OptionalGetElement)") && Contains("the optional holds nothing"));
  CHECK(model->shown({Value(ValueKind::optional, {floats({1}, {5})})}) == "float32[1] 5");
  CHECK_THAT(model->refusal({Value(ValueKind::optional, {floats({1}, {5}), floats({1}, {5})})}), Contains("2 tensors"));
}

TEST_CASE("a tensor and a sequence are their own elements", "[executor][SX-17][CR-9]") {
  ValueCase c;
  const OutputRef x = c.input("x", {1}), s = c.op("SequenceConstruct", {x});
  c.outputs({c.op("OptionalGetElement", {x}), c.op("OptionalHasElement", {x}), c.op("OptionalGetElement", {s}), c.op("OptionalHasElement", {s}), c.op("OptionalHasElement", {})});
  CHECK(c.instance()->shown({floats({1}, {3})}) == "float32[1] 3; bool[] 1; sequence(float32[1] 3); bool[] 1; bool[] 0");
}
