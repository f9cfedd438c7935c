// Loop in its static form: the body's tasks stand once between two loop tasks.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

namespace {

OutputRef trips(GraphBuild& b, int64_t n) { return b.constant(Tensor::scalar(n)); }
OutputRef sum_of(GraphBuild& b, OutputRef x) { return b.op("ReduceSum", {x}, attributes({{"keepdims", int64_t{0}}})); }
OutputRef as_float(GraphBuild& b, OutputRef x) { return b.op("Cast", {x}, attributes({{"to", int64_t{1}}})); }
constexpr OutputRef none{};

}  // namespace

TEST_CASE("a loop with a constant trip count collects what its iterations give", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef y = c.loop(trips(c, 3), none, {x}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef next = b.op("Add", {in[2], in[2]});
    return Refs{in[1], next, in[2], as_float(b, in[0])};
  });
  c.outputs({y, c.second(y, 1), c.second(y, 2)});
  const auto model = c.instance();
  CHECK(model->shown({floats({2}, {1, 2})}) == "float32[2] 8 16; float32[3, 2] 1 2 2 4 4 8; float32[3] 0 1 2");
  CHECK(model->segments() == 1);
  CHECK(model->shown({floats({2}, {-1, 0})}) == "float32[2] -8 0; float32[3, 2] -1 0 -2 0 -4 0; float32[3] 0 1 2");
  CHECK(model->instantiations() == 1);
}

TEST_CASE("a loop without iterations gives what it was given", "[executor][SX-17]") {
  for (const int64_t n : {int64_t{0}, int64_t{-5}}) {
    ModelCase c;
    const OutputRef x = c.input("x", {2});
    const OutputRef y = c.loop(trips(c, n), none, {x}, {}, [](GraphBuild& b, Refs in) { return Refs{in[1], b.op("Neg", {in[2]}), in[2]}; });
    c.outputs({y, c.second(y), c.op("Add", {y, c.scalar(1)})});
    CHECK(c.instance()->shown({floats({2}, {1, 2})}) == "float32[2] 1 2; float32[0, 2]; float32[2] 2 3");
  }
}

TEST_CASE("a trip count that is an input needs no instantiation of its own without scan outputs", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef n = c.input("n", {}, DType::int64), x = c.input("x", {1});
  c.outputs({c.loop(n, none, {x}, {x}, [](GraphBuild& b, Refs in) { return Refs{in[1], b.op("Add", {in[2], in[3]})}; })});
  const auto model = c.instance();
  for (int64_t count : {0, 1, 5, 3}) CHECK(model->shown({int64s({}, {count}), floats({1}, {2})}) == show(floats({1}, {2.0f * static_cast<float>(count + 1)})));
  CHECK(model->instantiations() == 1);
  CHECK(model->segments() == 1);
}

TEST_CASE("a trip count that is an input sizes the scan outputs", "[executor][SX-17][CR-2]") {
  ModelCase c;
  const OutputRef n = c.input("n", {}, DType::int64), x = c.input("x", {1});
  const OutputRef y = c.loop(n, none, {x}, {}, [](GraphBuild& b, Refs in) { return Refs{in[1], b.op("Add", {in[2], in[2]}), in[0], in[2]}; });
  c.outputs({y, c.second(y), c.op("Neg", {c.second(y, 2)})});
  const auto model = c.instance();
  CHECK(model->shown({int64s({}, {3}), floats({1}, {1})}) == "float32[1] 8; int64[3] 0 1 2; float32[3, 1] -1 -2 -4");
  CHECK(model->shown({int64s({}, {0}), floats({1}, {1})}) == "float32[1] 1; int64[0]; float32[0, 1]");
  CHECK(model->shown({int64s({}, {1}), floats({1}, {5})}) == "float32[1] 10; int64[1] 0; float32[1, 1] -5");
  CHECK(model->segments() == 1);
}

TEST_CASE("a condition that becomes false ends the loop", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  // while sum(x) < 100: x = 2x. No trip count.
  const OutputRef y = c.loop(none, none, {x, c.constant(Tensor::scalar(0))}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef next = b.op("Add", {in[2], in[2]});
    return Refs{b.op("Less", {sum_of(b, next), b.scalar(100)}), next, b.op("Add", {in[3], b.constant(Tensor::scalar(1))})};
  });
  c.outputs({y, c.second(y)});
  const auto model = c.instance();
  CHECK(model->shown({floats({2}, {1, 2})}) == "float32[2] 64 128; int64[] 6");
  CHECK(model->shown({floats({2}, {100, 0})}) == "float32[2] 200 0; int64[] 1");
  CHECK(model->segments() == 1);
  CHECK(model->instantiations() == 1);
}

TEST_CASE("a first condition that only the run knows may skip the loop", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef go = c.op("Greater", {sum_of(c, x), c.scalar(0)});
  c.outputs({c.loop(trips(c, INT64_MAX), go, {x}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef next = b.op("Sub", {in[2], b.scalar(1)});
    return Refs{b.op("Greater", {sum_of(b, next), b.scalar(0)}), next};
  })});
  const auto model = c.instance();
  CHECK(model->shown({floats({2}, {3, 2})}) == "float32[2] 0 -1");
  CHECK(model->shown({floats({2}, {-3, 2})}) == "float32[2] -3 2");
  CHECK(model->segments() == 1);
}

TEST_CASE("carried values change places", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef a = c.input("a", {2}), b0 = c.input("b", {2}), c0 = c.input("c", {2});
  // (a, b, c) = (b, c, a), and one that stays
  const OutputRef y = c.loop(trips(c, 4), none, {a, b0, c0, a}, {}, [](GraphBuild&, Refs in) { return Refs{in[1], in[3], in[4], in[2], in[5], in[2]}; });
  c.outputs({y, c.second(y, 1), c.second(y, 2), c.second(y, 3), c.second(y, 4)});
  CHECK(c.instance()->shown({floats({2}, {1, 1}), floats({2}, {2, 2}), floats({2}, {3, 3})}) ==
        "float32[2] 2 2; float32[2] 3 3; float32[2] 1 1; float32[2] 1 1; float32[4, 2] 1 1 2 2 3 3 1 1");
}

TEST_CASE("an exchange through views and computed values keeps the old ones", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef a = c.input("a", {2}), b0 = c.input("b", {2});
  // a, b = view(b), a + b: the Fibonacci numbers
  const OutputRef y = c.loop(trips(c, 5), none, {a, b0}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef view = b.op("Reshape", {b.op("Reshape", {in[3], b.ints({2, 1})}), b.ints({2})});
    return Refs{in[1], view, b.op("Add", {in[2], in[3]})};
  });
  c.outputs({y, c.second(y)});
  CHECK(c.instance()->shown({floats({2}, {0, 10}), floats({2}, {1, 1})}) == "float32[2] 5 35; float32[2] 8 58");
}

TEST_CASE("the iteration number leaves as a carried value and as a scan output", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef start = c.input("start", {}, DType::int64);
  const OutputRef y = c.loop(trips(c, 4), none, {start}, {}, [](GraphBuild& b, Refs in) { return Refs{in[1], in[0], in[0], b.op("Add", {in[2], in[0]}), in[1]}; });
  c.outputs({y, c.second(y, 1), c.second(y, 2), c.second(y, 3)});
  CHECK(c.instance()->shown({int64s({}, {100})}) == "int64[] 3; int64[4] 0 1 2 3; int64[4] 100 1 3 5; bool[4] 1 1 1 1");
}

TEST_CASE("captured values stay through all iterations", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef step = c.op("Add", {x, c.scalar(1)});  // lives in the arena; its only reader is the body
  const OutputRef y = c.loop(trips(c, 3), none, {x}, {step}, [](GraphBuild& b, Refs in) {
    const OutputRef early = b.op("Neg", {in[3]});
    OutputRef next = b.op("Sub", {in[2], early});
    for (int i = 0; i < 3; ++i) next = b.op("Relu", {b.op("Identity", {next})});
    return Refs{in[1], next, in[3]};
  });
  c.outputs({y, c.second(y)});
  CHECK(c.instance()->shown({floats({2}, {1, 2})}) == "float32[2] 7 11; float32[3, 2] 2 3 2 3 2 3");
}

TEST_CASE("loops nest", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef inner_trips = c.constant(Tensor::scalar(2));
  const OutputRef twice = c.op("Add", {x, x});
  const OutputRef y = c.loop(trips(c, 3), none, {x}, {inner_trips, twice}, [](GraphBuild& b, Refs in) {
    const OutputRef scaled = b.op("Mul", {in[4], as_float(b, in[0])});
    const OutputRef inner = b.loop(in[3], none, {in[2]}, {scaled, in[0]}, [](GraphBuild& i, Refs in2) {
      return Refs{in2[1], i.op("Add", {in2[2], in2[3]}), i.op("Add", {in2[0], in2[4]})};
    });
    return Refs{in[1], inner, OutputRef{inner.node, 1}, scaled};
  });
  c.outputs({y, c.second(y, 1), c.second(y, 2)});
  const auto model = c.instance();
  // Outer iteration k adds 2 * (2x * k): x + 4x(0 + 1 + 2) = 13x.
  CHECK(model->shown({floats({2}, {1, -2})}) == "float32[2] 13 -26; int64[3, 2] 0 1 1 2 2 3; float32[3, 2] 0 -0 2 -4 4 -8");
  CHECK(model->segments() == 1);
}

TEST_CASE("a branch inside a loop and a loop inside a branch are tasks of one segment", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const auto collatz = [](GraphBuild& b, OutputRef v) {  // v > 10 ? v / 2 : 3v + 1, by the first element
    const OutputRef large = b.op("Greater", {b.op("Gather", {v, b.constant(Tensor::scalar(0))}), b.scalar(10)});
    return b.branch(
        large, {v}, [](GraphBuild& t, Refs in) { return Refs{t.op("Div", {in[0], t.scalar(2)})}; },
        [](GraphBuild& e, Refs in) { return Refs{e.op("Add", {e.op("Mul", {in[0], e.scalar(3)}), e.scalar(1)})}; });
  };
  const OutputRef y = c.branch(
      c.op("Greater", {sum_of(c, x), c.scalar(0)}), {x, c.constant(Tensor::scalar(3))},
      [&](GraphBuild& b, Refs in) {
        return Refs{b.loop(in[1], none, {in[0]}, {}, [&](GraphBuild& l, Refs in2) { return Refs{in2[1], collatz(l, in2[2])}; })};
      },
      [](GraphBuild& b, Refs in) { return Refs{b.op("Neg", {in[0]})}; });
  c.outputs({y});
  const auto model = c.instance();
  CHECK(model->shown({floats({2}, {4, 8})}) == "float32[2] 20.5 38.5");  // 13 25, 6.5 12.5, 20.5 38.5
  CHECK(model->shown({floats({2}, {-4, 2})}) == "float32[2] 4 -2");
  CHECK(model->segments() == 1);
  CHECK(model->instantiations() == 1);
}

TEST_CASE("scan outputs that cannot fit are refused", "[executor][CR-10]") {
  for (const int64_t n : {int64_t{1} << 40, INT64_MAX}) {
    ModelCase c;
    const OutputRef x = c.input("x", {2});
    const OutputRef y = c.loop(trips(c, n), none, {x}, {}, [](GraphBuild& b, Refs in) { return Refs{in[1], b.op("Neg", {in[2]}), in[2]}; });
    c.outputs({y, c.second(y)});
    ModelParam param;
    param.max_memory_bytes = int64_t{1} << 30;
    const auto model = c.instance(param);
    CHECK_THAT(model->refusal({floats({2}, {1, 2})}), Contains("Loop"));
    CHECK(model->code == ErrorCode::out_of_memory);
  }
}
