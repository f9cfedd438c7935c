// Sequences and optionals through If, Loop and SequenceMap.
#include "executor/value_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

namespace {

constexpr OutputRef none{};
OutputRef sum_of(GraphBuild& b, OutputRef x) { return b.op("ReduceSum", {x}, attributes({{"keepdims", int64_t{0}}})); }

/// SequenceMap over `own` inputs; the body's inputs are c0, c1, … for these and then for the captures.
template <class Body>
OutputRef map(ValueCase& c, Refs own, Refs captures, Body fill, size_t outputs = 1) {
  Graph& body = c.graph.add_subgraph("body");
  GraphBuild build(body);
  Refs in, all = own;
  for (size_t i = 0; i < own.size() + captures.size(); ++i) in.push_back(build.input_of_unknown_rank("c" + std::to_string(i)));
  build.outputs(fill(build, in));
  all.insert(all.end(), captures.begin(), captures.end());
  NodeSpec spec{.op = "SequenceMap", .attributes = attributes({{"_carried", static_cast<int64_t>(own.size())}}), .inputs = all};
  for (size_t i = 0; i < outputs; ++i) spec.outputs.push_back("m" + std::to_string(i));
  spec.subgraphs = {body.id()};
  return {c.graph.add_node(std::move(spec)), 0};
}

}  // namespace

TEST_CASE("branches give sequences of different lengths", "[executor][SX-17][SX-18]") {
  ValueCase c;
  const OutputRef x = c.input("x", {2}), flag = c.op("Greater", {sum_of(c, x), c.scalar(0)});
  const OutputRef y = c.branch(
      flag, {x}, [](GraphBuild& b, Refs in) { return Refs{b.op("SequenceConstruct", {in[0], b.op("Neg", {in[0]})})}; },
      [](GraphBuild& b, Refs in) { return Refs{b.op("SequenceConstruct", {b.op("Abs", {in[0]})})}; });
  c.outputs({y, c.op("SequenceLength", {y}), c.op("ConcatFromSequence", {y}, attributes({{"axis", int64_t{0}}}))});
  const auto model = c.instance();
  CHECK(model->shown({floats({2}, {1, 2})}) == "sequence(float32[2] 1 2, float32[2] -1 -2); int64[] 2; float32[4] 1 2 -1 -2");
  CHECK(model->shown({floats({2}, {-1, -2})}) == "sequence(float32[2] 1 2); int64[] 1; float32[2] 1 2");
  const uint64_t made = model->instantiations();
  CHECK(model->shown({floats({2}, {3, 4})}) == "sequence(float32[2] 3 4, float32[2] -3 -4); int64[] 2; float32[4] 3 4 -3 -4");
  CHECK(model->shown({floats({2}, {-3, 1})}) == "sequence(float32[2] 3 1); int64[] 1; float32[2] 3 1");
  CHECK(model->instantiations() == made);
}

TEST_CASE("a branch gives an optional with, the other without element", "[executor][SX-17]") {
  ValueCase c;
  const OutputRef flag = c.input("flag", {}, DType::boolean), x = c.input("x", {1});
  const OutputRef y = c.branch(
      flag, {x}, [](GraphBuild& b, Refs in) { return Refs{b.op("Optional", {in[0]})}; },
      [](GraphBuild& b, Refs) { return Refs{b.op("Optional", {}, attributes({{"type", std::string("float32")}}))}; });
  const OutputRef z = c.branch(
      c.op("OptionalHasElement", {y}), {y, x}, [](GraphBuild& b, Refs in) { return Refs{b.op("OptionalGetElement", {in[0]})}; },
      [](GraphBuild& b, Refs in) { return Refs{b.op("Neg", {in[1]})}; });
  c.outputs({y, z});
  const auto model = c.instance();
  CHECK(model->shown({bools({}, {1}), floats({1}, {5})}) == "optional(float32[1] 5); float32[1] 5");
  CHECK(model->shown({bools({}, {0}), floats({1}, {5})}) == "optional(nothing); float32[1] -5");
}

TEST_CASE("a loop carries a sequence that grows", "[executor][SX-17][SX-18]") {
  ValueCase c;
  const OutputRef n = c.position("n"), x = c.input("x", {1}), s = c.input_of(ValueKind::sequence, "s");
  const OutputRef y = c.loop(n, none, {s, x}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef next = b.op("Concat", {in[3], in[3]}, attributes({{"axis", int64_t{0}}}));
    return Refs{in[1], b.op("SequenceInsert", {in[2], in[3], b.ints({0})}), next};
  });
  c.outputs({y, c.op("SequenceLength", {y})});
  const auto model = c.instance();
  CHECK(model->shown({at(2), floats({1}, {5}), sequence({})}) == "sequence(float32[2] 5 5, float32[1] 5); int64[] 2");
  CHECK(model->shown({at(0), floats({1}, {5}), sequence({floats({1}, {9})})}) == "sequence(float32[1] 9); int64[] 1");
  CHECK(model->shown({at(1), floats({1}, {5}), sequence({floats({1}, {9})})}) == "sequence(float32[1] 5, float32[1] 9); int64[] 2");
  const uint64_t made = model->instantiations();
  CHECK(model->shown({at(2), floats({1}, {6}), sequence({})}) == "sequence(float32[2] 6 6, float32[1] 6); int64[] 2");
  CHECK(model->instantiations() == made);
}

TEST_CASE("a loop whose condition only the run knows keeps its sequence across cuts", "[executor][SX-17][SX-18]") {
  ValueCase c;
  const OutputRef x = c.input("x", {2}), s = c.op("SequenceEmpty", {});
  const OutputRef y = c.loop(none, none, {s, x}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef next = b.op("Add", {in[3], in[3]});
    return Refs{b.op("Less", {sum_of(b, next), b.scalar(20)}), b.op("SequenceInsert", {in[2], next}), next};
  });
  c.outputs({y, c.op("SequenceAt", {y, c.ints({0})})});
  const auto model = c.instance();
  CHECK(model->shown({floats({2}, {1, 2})}) == "sequence(float32[2] 2 4, float32[2] 4 8, float32[2] 8 16); float32[2] 2 4");
  CHECK(model->shown({floats({2}, {9, 9})}) == "sequence(float32[2] 18 18); float32[2] 18 18");
  const uint64_t made = model->instantiations();
  CHECK(model->shown({floats({2}, {2, 1})}) == "sequence(float32[2] 4 2, float32[2] 8 4, float32[2] 16 8); float32[2] 4 2");
  CHECK(model->instantiations() == made);
}

TEST_CASE("a loop reads elements of a captured sequence by its iteration number", "[executor][SX-17]") {
  ValueCase c;
  const OutputRef s = c.input_of(ValueKind::sequence, "s"), zero = c.scalar(0);
  const OutputRef y = c.loop(c.op("SequenceLength", {s}), none, {zero}, {s}, [](GraphBuild& b, Refs in) {
    return Refs{in[1], b.op("Add", {in[2], sum_of(b, b.op("SequenceAt", {in[3], in[0]}))})};
  });
  c.outputs({y});
  const auto model = c.instance();
  CHECK(model->shown({sequence({floats({2}, {1, 2}), floats({3}, {3, 4, 5})})}) == "float32[] 15");
  CHECK(model->shown({sequence({})}) == "float32[] 0");
}

TEST_CASE("a loop takes an optional and gives back what it held", "[executor][SX-17]") {
  ValueCase c;
  const OutputRef n = c.position("n"), o = c.input_of(ValueKind::optional_sequence, "o"), x = c.input("x", {1});
  const OutputRef y = c.loop(n, none, {o}, {x}, [](GraphBuild& b, Refs in) {
    const OutputRef s = b.branch(
        b.op("OptionalHasElement", {in[2]}), {in[2]}, [](GraphBuild& t, Refs v) { return Refs{t.op("OptionalGetElement", {v[0]})}; },
        [](GraphBuild& t, Refs) { return Refs{t.op("SequenceEmpty", {})}; });
    return Refs{in[1], b.op("SequenceInsert", {s, in[3]})};
  });
  c.outputs({y});
  const auto model = c.instance();
  CHECK(model->shown({at(2), Value::nothing(ValueKind::optional_sequence), floats({1}, {4})}) == "sequence(float32[1] 4, float32[1] 4)");
  CHECK(model->shown({at(1), Value(ValueKind::optional_sequence, {floats({1}, {3})}), floats({1}, {4})}) == "sequence(float32[1] 3, float32[1] 4)");
  CHECK(model->shown({at(0), Value(ValueKind::optional_sequence, {floats({1}, {3})}), floats({1}, {4})}) == "sequence(float32[1] 3)");
  CHECK_THAT(model->refusal({at(0), Value::nothing(ValueKind::optional_sequence), floats({1}, {4})}), Contains("an optional holds nothing where a sequence is needed"));
}

TEST_CASE("a map runs its body for each element", "[executor][SX-17][SX-18]") {
  ValueCase c;
  const OutputRef s = c.input_of(ValueKind::sequence, "s"), t = c.input_of(ValueKind::sequence, "t"), x = c.input("x", {1}), k = c.op("Neg", {x});
  const OutputRef m = map(c, {s, t, x}, {k}, [](GraphBuild& b, Refs in) { return Refs{b.op("Add", {b.op("Mul", {in[0], in[1]}), in[2]}), b.op("Add", {b.op("Shape", {in[0]}), b.op("Cast", {in[3]}, attributes({{"to", int64_t{7}}}))})}; }, 2);
  c.outputs({m, c.second(m)});
  const auto model = c.instance();
  const Value two = sequence({floats({2}, {1, 2}), floats({1}, {3})}), ones = sequence({floats({1}, {10}), floats({1}, {20})});
  CHECK(model->shown({two, ones, floats({1}, {5})}) == "sequence(float32[2] 15 25, float32[1] 65); sequence(int64[1] -3, int64[1] -4)");
  CHECK(model->shown({sequence({}), sequence({}), floats({1}, {5})}) == "sequence(); sequence()");
  const uint64_t made = model->instantiations();
  model->shown({two, ones, floats({1}, {6})});
  CHECK(model->instantiations() == made);
  CHECK_THAT(model->refusal({two, sequence({floats({1}, {1})}), floats({1}, {5})}), Contains("(SequenceMap)") && Contains("input 1 has 1 elements, expected 2 as input 0"));
}

TEST_CASE("a map whose body waits for values goes on with the same element", "[executor][SX-17][SX-18]") {
  ValueCase c;
  const OutputRef s = c.input_of(ValueKind::sequence, "s");
  c.outputs({map(c, {s}, {}, [](GraphBuild& b, Refs in) { return Refs{b.op("NonZero", {in[0]})}; })});
  const auto model = c.instance();
  CHECK(model->shown({sequence({floats({3}, {0, 1, 1}), floats({2}, {1, 0}), floats({1}, {0})})}) == "sequence(int64[1, 2] 1 2, int64[1, 1] 0, int64[1, 0])");
  CHECK(model->segments() == 4);
}

TEST_CASE("elements that were computed live until a map that waits has come to them", "[executor][SX-17][SX-18]") {
  ValueCase c;
  const OutputRef x = c.input("x", {3}), y = c.input("y", {2});
  const OutputRef s = c.op("SequenceConstruct", {c.op("Relu", {x}), c.op("Relu", {y}), c.op("Relu", {c.op("Neg", {x})})});
  const OutputRef m = map(c, {s}, {}, [](GraphBuild& b, Refs in) { return Refs{b.op("NonZero", {in[0]})}; });
  c.outputs({m});
  CHECK(c.instance()->shown({floats({3}, {-1, 1, 1}), floats({2}, {1, 0})}) == "sequence(int64[1, 2] 1 2, int64[1, 1] 0, int64[1, 1] 0)");
}
