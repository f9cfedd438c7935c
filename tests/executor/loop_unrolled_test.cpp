// Loop in its unrolled form: where sizes change from one iteration to the next, or only a run can tell how it goes on.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

namespace {

OutputRef trips(GraphBuild& b, int64_t n) { return b.constant(Tensor::scalar(n)); }
OutputRef sum_of(GraphBuild& b, OutputRef x) { return b.op("ReduceSum", {x}, attributes({{"keepdims", int64_t{0}}})); }
OutputRef concat(GraphBuild& b, OutputRef x, OutputRef y) { return b.op("Concat", {x, y}, attributes({{"axis", int64_t{0}}})); }
constexpr OutputRef none{};

}  // namespace

TEST_CASE("a carried value that grows unrolls its loop", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef n = c.input("n", {}, DType::int64), x = c.input("x", {1});
  const OutputRef y = c.loop(n, none, {x}, {x}, [](GraphBuild& b, Refs in) { return Refs{in[1], concat(b, in[2], b.op("Neg", {in[3]})), sum_of(b, in[2])}; });
  c.outputs({y, c.second(y), c.op("Shape", {y})});
  const auto model = c.instance();
  CHECK(model->shown({int64s({}, {3}), floats({1}, {5})}) == "float32[4] 5 -5 -5 -5; float32[3] 5 0 -5; int64[1] 4");
  CHECK(model->segments() == 1);
  CHECK(model->shown({int64s({}, {0}), floats({1}, {5})}) == "float32[1] 5; float32[0]; int64[1] 1");
  CHECK(model->shown({int64s({}, {1}), floats({1}, {2})}) == "float32[2] 2 -2; float32[1] 2; int64[1] 2");
}

TEST_CASE("a carried value whose rank grows", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef y = c.loop(trips(c, 3), none, {x}, {}, [](GraphBuild& b, Refs in) { return Refs{in[1], b.op("Unsqueeze", {b.op("Add", {in[2], b.scalar(1)}), b.ints({0})})}; });
  c.outputs({y, c.op("Neg", {y})});
  CHECK(c.instance()->shown({floats({2}, {1, 2})}) == "float32[1, 1, 1, 2] 4 5; float32[1, 1, 1, 2] -4 -5");
}

TEST_CASE("scan outputs with a condition that only the run knows", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef y = c.loop(trips(c, INT64_MAX), none, {x}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef next = b.op("Add", {in[2], in[2]});
    return Refs{b.op("Less", {sum_of(b, next), b.scalar(20)}), next, in[2], in[0]};
  });
  c.outputs({y, c.second(y, 1), c.second(y, 2)});
  const auto model = c.instance();
  CHECK(model->shown({floats({2}, {1, 2})}) == "float32[2] 8 16; float32[3, 2] 1 2 2 4 4 8; int64[3] 0 1 2");
  CHECK(model->shown({floats({2}, {30, 0})}) == "float32[2] 60 0; float32[1, 2] 30 0; int64[1] 0");
  CHECK(model->shown({floats({2}, {4, 5})}) == "float32[2] 16 20; float32[2, 2] 4 5 8 10; int64[2] 0 1");
  const uint64_t made = model->instantiations();
  CHECK(model->shown({floats({2}, {2, 1})}) == "float32[2] 16 8; float32[3, 2] 2 1 4 2 8 4; int64[3] 0 1 2");
  CHECK(model->instantiations() == made);
}

TEST_CASE("the iteration number decides sizes", "[executor][SX-17][CR-2]") {
  ModelCase c;
  const OutputRef zero = trips(c, 0), one = trips(c, 1);
  // y = concat of range(0, i) for i = 0..3
  const OutputRef y = c.loop(trips(c, 4), none, {c.ints({9})}, {zero, one}, [](GraphBuild& b, Refs in) {
    return Refs{in[1], concat(b, in[2], b.op("Range", {in[3], in[0], in[4]}))};
  });
  c.outputs({y});
  const auto model = c.instance();
  CHECK(model->shown({}) == "int64[7] 9 0 0 1 0 1 2");
  CHECK(model->segments() == 1);
}

TEST_CASE("a body that cuts goes on within its iteration", "[executor][SX-17][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {4});
  const OutputRef scale = c.op("Add", {c.op("ReduceMax", {x}), c.scalar(1)});
  // Each iteration takes 1 from what is not 0 yet, and counts that.
  const OutputRef y = c.loop(trips(c, 3), none, {x, c.ints({})}, {scale}, [](GraphBuild& b, Refs in) {
    const OutputRef at = b.op("NonZero", {in[2]});
    const OutputRef count = b.op("Slice", {b.op("Shape", {at}), b.ints({1}), b.ints({2})});
    const OutputRef next = b.op("Relu", {b.op("Sub", {in[2], b.scalar(1)})});
    return Refs{in[1], next, concat(b, in[3], count), b.op("Mul", {in[2], in[4]})};
  });
  c.outputs({y, c.second(y, 1), c.second(y, 2)});
  const auto model = c.instance();
  CHECK(model->shown({floats({4}, {1, 0, 3, 2})}) == "float32[4] 0 0 0 0; int64[3] 3 2 1; float32[3, 4] 4 0 12 8 0 0 8 4 0 0 4 0");
  CHECK(model->segments() == 4);
  CHECK(model->shown({floats({4}, {5, 5, 5, 5})}) == "float32[4] 2 2 2 2; int64[3] 4 4 4; float32[3, 4] 30 30 30 30 24 24 24 24 18 18 18 18");
  const uint64_t made = model->instantiations();
  CHECK(model->shown({floats({4}, {0, 1, 2, 3})}) == "float32[4] 0 0 0 0; int64[3] 3 2 1; float32[3, 4] 0 4 8 12 0 0 4 8 0 0 0 4");
  CHECK(model->instantiations() == made);
}

TEST_CASE("loops nest where both unroll", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {1});
  // Outer i: append i + 1 times 10 * x; the inner loop's count is the outer iteration.
  const OutputRef y = c.loop(trips(c, 3), none, {x}, {x, trips(c, 1)}, [](GraphBuild& b, Refs in) {
    const OutputRef more = b.op("Mul", {in[3], b.scalar(10)});
    const OutputRef inner = b.loop(b.op("Add", {in[0], in[4]}), none, {in[2]}, {more}, [](GraphBuild& i, Refs in2) { return Refs{in2[1], concat(i, in2[2], in2[3])}; });
    return Refs{in[1], inner, sum_of(b, inner)};
  });
  c.outputs({y, c.second(y)});
  const auto model = c.instance();
  CHECK(model->shown({floats({1}, {1})}) == "float32[7] 1 10 10 10 10 10 10; float32[3] 11 31 61");
  CHECK(model->segments() == 1);
  CHECK(model->shown({floats({1}, {-1})}) == "float32[7] -1 -10 -10 -10 -10 -10 -10; float32[3] -11 -31 -61");
}

TEST_CASE("a static loop inside an unrolled one, and a branch that cuts inside both", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef y = c.loop(trips(c, 2), none, {x}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef doubled = b.loop(trips(b, 2), none, {in[2]}, {}, [](GraphBuild& i, Refs in2) { return Refs{in2[1], i.op("Add", {in2[2], in2[2]})}; });
    const OutputRef grown = b.branch(
        b.op("Greater", {sum_of(b, doubled), b.scalar(10)}), {doubled}, [](GraphBuild& t, Refs in2) { return Refs{concat(t, in2[0], t.filled({1}, 7))}; },
        [](GraphBuild&, Refs in2) { return Refs{in2[0]}; });
    return Refs{in[1], grown};
  });
  c.outputs({y});
  const auto model = c.instance();
  CHECK(model->shown({floats({2}, {1, 2})}) == "float32[4] 16 32 28 7");      // 4 8 7, then 16 32 28 7
  CHECK(model->shown({floats({2}, {1, 0})}) == "float32[3] 16 0 7");          // 4 0, then 16 0 7
  CHECK(model->shown({floats({2}, {-1, -2})}) == "float32[2] -16 -32");
  CHECK(model->shown({floats({2}, {1, 2})}) == "float32[4] 16 32 28 7");
}

TEST_CASE("a body that contradicts the sizes matters only when it runs", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef n = c.input("n", {}, DType::int64), x = c.input("x", {"N"}), z = c.input("z", {"M"});
  c.outputs({c.loop(n, none, {x}, {z}, [](GraphBuild& b, Refs in) { return Refs{in[1], b.op("Add", {in[2], in[3]})}; })});
  const auto model = c.instance();
  CHECK(model->shown({int64s({}, {2}), floats({2}, {1, 2}), floats({2}, {10, 20})}) == "float32[2] 21 42");
  CHECK(model->shown({int64s({}, {0}), floats({2}, {1, 2}), floats({3}, {1, 2, 3})}) == "float32[2] 1 2");
  CHECK_THAT(model->refusal({int64s({}, {1}), floats({2}, {1, 2}), floats({3}, {1, 2, 3})}), Contains("Add"));
}

TEST_CASE("scan outputs must keep their shape", "[executor][SX-17][CR-10]") {
  ModelCase c;
  const OutputRef x = c.input("x", {1});
  const OutputRef y = c.loop(trips(c, 2), none, {x}, {}, [](GraphBuild& b, Refs in) { return Refs{in[1], concat(b, in[2], in[2]), in[2]}; });
  c.outputs({y, c.second(y)});
  CHECK_THAT(c.instance()->refusal({floats({1}, {1})}), Contains("scan output") && Contains("[1]") && Contains("[2]") && Contains("(Loop)"));
}

TEST_CASE("an unrolled loop that grows without end is refused", "[executor][CR-10]") {
  ModelCase c;
  const OutputRef x = c.input("x", {1000});
  c.outputs({c.loop(trips(c, INT64_MAX), none, {x}, {}, [](GraphBuild& b, Refs in) { return Refs{in[1], concat(b, in[2], in[2])}; })});
  ModelParam param;
  param.max_memory_bytes = 1 << 20;
  const auto model = c.instance(param);
  CHECK_THAT(model->refusal({Tensor::zeros(DType::float32, {1000})}), Contains("limit is 1048576"));
  CHECK(model->code == ErrorCode::out_of_memory);
}

TEST_CASE("an unrolled loop that runs nothing is refused when it goes on for too long", "[executor][CR-10]") {
  ModelCase c;
  const OutputRef one = trips(c, 1);
  // range(i, i + 1) wants to know i; its sum is known before the run, so no iteration has a task
  c.outputs({c.loop(trips(c, INT64_MAX), none, {one}, {one}, [](GraphBuild& b, Refs in) {
    return Refs{in[1], b.op("ReduceSum", {b.op("Range", {in[0], b.op("Add", {in[0], in[3]}), in[3]})}, attributes({{"keepdims", int64_t{0}}}))};
  })});
  InstantiateOptions options;
  options.max_tasks = 1000;
  const auto program = c.program();
  CHECK_THROWS_WITH(instantiate(*program, Target{}, {}, options), Contains("trip count") && Contains("1000"));
}

TEST_CASE("scan outputs of an unrolled loop without iterations have the dims of a first one", "[executor][SX-17][CR-2]") {
  ModelCase c;
  const OutputRef n = c.input("n", {}, DType::int64), x = c.input("x", {"N"});
  const OutputRef y = c.loop(n, none, {x}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef grown = concat(b, in[2], in[2]);
    return Refs{in[1], grown, b.op("Slice", {grown, b.ints({0}), b.ints({3})})};  // min(3, 2N) elements
  });
  c.outputs({y, c.second(y)});
  const auto model = c.instance();
  CHECK(model->shown({int64s({}, {0}), floats({2}, {1, 2})}) == "float32[2] 1 2; float32[0, 3]");
  CHECK(model->shown({int64s({}, {2}), floats({2}, {1, 2})}) == "float32[8] 1 2 1 2 1 2 1 2; float32[2, 3] 1 2 1 1 2 1");
  CHECK(model->shown({int64s({}, {0}), floats({1}, {1})}) == "float32[1] 1; float32[0, 2]");
}

TEST_CASE("shape arithmetic behind an unrolled loop needs no run", "[executor][SX-17][CR-2]") {
  ModelCase c;
  const OutputRef n = c.input("n", {}, DType::int64), x = c.input("x", {"N"});
  const OutputRef y = c.loop(n, none, {x}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef grown = concat(b, in[2], in[2]);
    return Refs{in[1], grown, b.op("Slice", {grown, b.ints({0}), b.ints({3})})};
  });
  c.outputs({c.op("Expand", {c.scalar(1), c.op("Add", {c.op("Shape", {c.second(y)}), c.ints({1, 0})})}), c.op("Size", {y})});
  const auto model = c.instance();
  for (int64_t count : {0, 1}) {
    CHECK(model->shown({int64s({}, {count}), floats({1}, {1})}) == show(floats({count + 1, 2}, std::vector<float>(static_cast<size_t>(2 * count + 2), 1))) + "; int64[] " + std::to_string(1 << count));
    CHECK(model->segments() == 1);
  }
}
