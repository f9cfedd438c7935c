// Sequences: SequenceConstruct, SequenceEmpty, SequenceAt, SequenceInsert, SequenceErase, SequenceLength (ONNX, opset 11).
#include "executor/value_case.hpp"

#include <random>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

TEST_CASE("elements are inserted, taken out and counted at positions that the run gives", "[executor][SX-17][CR-9]") {
  ValueCase c;
  const OutputRef x = c.input("x", {2}), y = c.input("y", {1}), pos = c.position("pos");
  const OutputRef inserted = c.op("SequenceInsert", {c.op("SequenceConstruct", {x, y}), c.op("Neg", {x}), pos});
  c.outputs({inserted, c.op("SequenceAt", {inserted, pos}), c.op("SequenceLength", {inserted}), c.op("SequenceErase", {inserted, pos})});
  const auto model = c.instance();
  const Tensor one_two = floats({2}, {1, 2}), three = floats({1}, {3});
  CHECK(model->shown({one_two, three, at(0)}) ==
        "sequence(float32[2] -1 -2, float32[2] 1 2, float32[1] 3); float32[2] -1 -2; int64[] 3; sequence(float32[2] 1 2, float32[1] 3)");
  CHECK(model->shown({one_two, three, at(1)}) ==
        "sequence(float32[2] 1 2, float32[2] -1 -2, float32[1] 3); float32[2] -1 -2; int64[] 3; sequence(float32[2] 1 2, float32[1] 3)");
  CHECK(model->shown({one_two, three, at(-1)}) ==
        "sequence(float32[2] 1 2, float32[2] -1 -2, float32[1] 3); float32[1] 3; int64[] 3; sequence(float32[2] 1 2, float32[2] -1 -2)");
  CHECK(model->shown({one_two, three, at(-2)}) ==
        "sequence(float32[2] -1 -2, float32[2] 1 2, float32[1] 3); float32[2] 1 2; int64[] 3; sequence(float32[2] -1 -2, float32[1] 3)");
  const uint64_t made = model->instantiations();
  model->shown({one_two, three, at(0)});
  model->shown({one_two, three, at(-2)});
  CHECK(model->instantiations() == made);
}

TEST_CASE("an element is inserted behind the others and erased from the end where no position is given", "[executor][SX-17]") {
  ValueCase c;
  const OutputRef x = c.input("x", {1});
  const OutputRef two = c.op("SequenceInsert", {c.op("SequenceConstruct", {x}), c.op("Neg", {x})});
  c.outputs({two, c.op("SequenceErase", {two})});
  CHECK(c.instance()->shown({floats({1}, {7})}) == "sequence(float32[1] 7, float32[1] -7); sequence(float32[1] 7)");
}

TEST_CASE("a position out of range is refused with the node and the range", "[executor][SX-17][CR-10]") {
  ValueCase c;
  const OutputRef pos = c.position("pos"), s = c.input_of(ValueKind::sequence, "s");
  c.outputs({c.op("SequenceAt", {s, pos})});
  const auto model = c.instance();
  const Value two = sequence({floats({1}, {4}), floats({2}, {5, 6})});
  CHECK(model->shown({at(1), two}) == "float32[2] 5 6");
  CHECK(model->shown({at(-2), two}) == "float32[1] 4");
  CHECK_THAT(model->refusal({at(2), two}), Contains("node 'SequenceAt_2' (SequenceAt)") && Contains("position 2 is out of range for a sequence of 2 elements, expected -2 to 1"));
  CHECK_THAT(model->refusal({at(-3), two}), Contains("position -3"));
  CHECK_THAT(model->refusal({at(INT64_MIN), two}), Contains("out of range"));
  CHECK_THAT(model->refusal({at(INT64_MAX), two}), Contains("out of range"));
  CHECK_THAT(model->refusal({at(0), sequence({})}), Contains("it is empty"));
  CHECK(model->shown({at(0), two}) == "float32[1] 4");
}

TEST_CASE("the position of an insertion may be one behind the last", "[executor][SX-17][CR-10]") {
  ValueCase c;
  const OutputRef pos = c.position("pos"), s = c.input_of(ValueKind::sequence, "s"), x = c.input("x", {1});
  c.outputs({c.op("SequenceInsert", {s, x, pos})});
  const auto model = c.instance();
  CHECK(model->shown({at(1), sequence({floats({1}, {4})}), floats({1}, {5})}) == "sequence(float32[1] 4, float32[1] 5)");
  CHECK(model->shown({at(0), sequence({}), floats({1}, {5})}) == "sequence(float32[1] 5)");
  CHECK_THAT(model->refusal({at(2), sequence({floats({1}, {4})}), floats({1}, {5})}), Contains("expected -1 to 1"));
  CHECK_THAT(model->refusal({at(-1), sequence({}), floats({1}, {5})}), Contains("expected 0 to 0"));
}

TEST_CASE("sequences of different lengths go through one instance", "[executor][SX-17][SX-18]") {
  ValueCase c;
  const OutputRef s = c.input_of(ValueKind::sequence, "s"), x = c.input("x", {1});
  c.outputs({s, c.op("SequenceInsert", {s, x}), c.op("SequenceLength", {s})});
  const auto model = c.instance();
  CHECK(model->model.inputs()[0].text == "sequence(float32[?])");
  CHECK(model->model.outputs()[0].kind == ValueKind::sequence);
  const auto run_all = [&] {
    CHECK(model->shown({sequence({}), floats({1}, {9})}) == "sequence(); sequence(float32[1] 9); int64[] 0");
    CHECK(model->shown({sequence({floats({2}, {1, 2}), floats({}, {3})}), floats({1}, {9})}) ==
          "sequence(float32[2] 1 2, float32[] 3); sequence(float32[2] 1 2, float32[] 3, float32[1] 9); int64[] 2");
    CHECK(model->shown({sequence({floats({0}, {})}), floats({1}, {8})}) == "sequence(float32[0]); sequence(float32[0], float32[1] 8); int64[] 1");
  };
  run_all();
  const uint64_t made = model->instantiations();
  CHECK(made == 3);
  run_all();
  CHECK(model->instantiations() == made);
}

TEST_CASE("an element that stands twice is given twice", "[executor][SX-17]") {
  ValueCase c;
  const OutputRef x = c.input("x", {1}), y = c.op("Neg", {x});
  c.outputs({c.op("SequenceConstruct", {y, y, x, x}), y, c.op("SequenceConstruct", {y})});
  CHECK(c.instance()->shown({floats({1}, {7})}) == "sequence(float32[1] -7, float32[1] -7, float32[1] 7, float32[1] 7); float32[1] -7; sequence(float32[1] -7)");
}

TEST_CASE("elements that are constants, known before the run, or strings", "[executor][SX-17]") {
  ValueCase c;
  const OutputRef x = c.input("x", {"N", 3}), texts = c.input("texts", {2}, DType::string);
  const OutputRef s = c.op("SequenceConstruct", {c.op("Shape", {x}), c.ints({8})});
  const OutputRef words = c.op("SequenceInsert", {c.op("SequenceEmpty", {}, attributes({{"dtype", int64_t{8}}})), texts});
  c.outputs({s, c.op("Expand", {c.scalar(1), c.op("SequenceAt", {s, c.ints({0})})}), words, c.op("SequenceAt", {words, c.ints({-1})})});
  CHECK(c.instance()->shown({floats({2, 3}, {1, 2, 3, 4, 5, 6}), Tensor::strings({2}, {"a", "bc"})}) ==
        "sequence(int64[2] 2 3, int64[1] 8); float32[2, 3] 1 1 1 1 1 1; sequence(string[2] 'a' 'bc'); string[2] 'a' 'bc'");
}

TEST_CASE("elements live on behind a cut", "[executor][SX-17][SX-18]") {
  ValueCase c;
  const OutputRef x = c.input("x", {3}), pos = c.op("Gather", {c.op("Squeeze", {c.op("NonZero", {x}), c.ints({0})}), c.ints({0})});
  const OutputRef s = c.op("SequenceConstruct", {c.op("Neg", {x}), c.op("Abs", {x}), c.op("Add", {x, x})});
  c.outputs({c.op("SequenceAt", {s, pos}), c.op("Mul", {c.op("SequenceAt", {s, c.ints({2})}), x}), s});
  const auto model = c.instance();
  CHECK(model->shown({floats({3}, {0, 2, -3})}) == "float32[3] 0 2 3; float32[3] 0 8 18; sequence(float32[3] -0 -2 3, float32[3] 0 2 3, float32[3] 0 4 -6)");
  CHECK(model->segments() > 1);
  CHECK(model->shown({floats({3}, {1, 2, -3})}) == "float32[3] -1 -2 3; float32[3] 2 8 18; sequence(float32[3] -1 -2 3, float32[3] 1 2 3, float32[3] 2 4 -6)");
  CHECK(model->shown({floats({3}, {5, 0, 0})}) == "float32[3] -5 -0 -0; float32[3] 50 0 0; sequence(float32[3] -5 -0 -0, float32[3] 5 0 0, float32[3] 10 0 0)");
  const uint64_t made = model->instantiations();
  CHECK(model->shown({floats({3}, {6, 0, 0})}) == "float32[3] -6 -0 -0; float32[3] 72 0 0; sequence(float32[3] -6 -0 -0, float32[3] 6 0 0, float32[3] 12 0 0)");
  CHECK(model->shown({floats({3}, {0, 4, 4})}) == "float32[3] 0 4 4; float32[3] 0 32 32; sequence(float32[3] -0 -4 -4, float32[3] 0 4 4, float32[3] 0 8 8)");
  CHECK(model->instantiations() == made);
}

TEST_CASE("tensors alone cannot be given to a model with sequences", "[executor][SX-8][CR-10]") {
  ValueCase c;
  const OutputRef s = c.input_of(ValueKind::sequence, "s");
  c.outputs({c.op("SequenceLength", {s})});
  const auto model = c.instance();
  CHECK_THAT(static_cast<Instance&>(*model).refusal({floats({1}, {1})}), Contains("InputValues"));
  CHECK_THAT(model->refusal({Value::nothing(ValueKind::optional)}), Contains("input 0 's' is sequence(float32[?])") && Contains("as absent"));
  CHECK_THAT(model->refusal({sequence({int64s({1}, {1})})}), Contains("input 0 's', element 0 is int64, expected float32"));
  CHECK(model->shown({sequence({floats({1}, {1})})}) == "int64[] 1");
}

TEST_CASE("random sequence ops agree with lists", "[executor][SX-17][property]") {
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 20; ++round) {
    ValueCase c;
    std::vector<OutputRef> shown;
    std::vector<float> list;
    std::string expected;
    const OutputRef x = c.input("x", {1});
    OutputRef s = c.op("SequenceEmpty", {}), value = x;
    float number = 1;
    const auto text = [](float f) { return "float32[1] " + std::to_string(static_cast<int>(f)); };
    for (int step = 0; step < 12; ++step) {
      const auto n = static_cast<int64_t>(list.size());
      const int64_t pos = n == 0 ? 0 : static_cast<int64_t>(random() % static_cast<unsigned>(2 * n)) - n;
      const auto index = static_cast<std::ptrdiff_t>(pos < 0 ? pos + n : pos);
      switch (n == 0 ? 0 : random() % 4) {
        case 0:
        case 1:
          value = c.op("Add", {value, c.filled({1}, 1)});
          number += 1;
          s = c.op("SequenceInsert", {s, value, c.ints({pos})});
          list.insert(list.begin() + index, number);
          break;
        case 2:
          s = c.op("SequenceErase", {s, c.ints({pos})});
          list.erase(list.begin() + index);
          break;
        default:
          shown.push_back(c.op("SequenceAt", {s, c.ints({pos})}));
          expected += text(list[static_cast<size_t>(index)]) + "; ";
      }
    }
    shown.push_back(c.op("SequenceLength", {s}));
    shown.push_back(s);
    expected += "int64[] " + std::to_string(list.size()) + "; sequence(";
    for (size_t i = 0; i < list.size(); ++i) expected += (i == 0 ? "" : ", ") + text(list[i]);
    c.outputs(shown);
    CHECK(c.instance()->shown({floats({1}, {1})}) == expected + ")");
  }
}
