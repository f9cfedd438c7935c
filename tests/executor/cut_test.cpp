// Where only a run can tell a size, the run goes on in segments.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

constexpr int64_t to_int64 = 7, to_float = 1;
OutputRef cast(GraphBuild& b, OutputRef x, int64_t to) { return b.op("Cast", {x}, attributes({{"to", to}})); }

}  // namespace

TEST_CASE("a shape computed by float ops is waited for", "[executor][SX-17][CR-2]") {
  ModelCase c;
  const OutputRef x = c.input("x", {6}), s = c.input("s", {2});
  const OutputRef early = c.op("Neg", {x});  // needed behind the cut
  const OutputRef shape = cast(c, c.op("Add", {s, c.scalar(1)}), to_int64);
  const OutputRef y = c.op("Reshape", {early, shape});
  c.outputs({c.op("Mul", {y, c.scalar(2)}), c.op("Shape", {y}), early, shape});
  const auto model = c.instance();
  const Tensor data = floats({6}, {1, 2, 3, 4, 5, 6});
  CHECK(model->shown({data, floats({2}, {1, 2})}) == "float32[2, 3] -2 -4 -6 -8 -10 -12; int64[2] 2 3; float32[6] -1 -2 -3 -4 -5 -6; int64[2] 2 3");
  CHECK(model->segments() == 2);
  CHECK(model->instantiations() == 2);
  CHECK(model->shown({floats({6}, {6, 5, 4, 3, 2, 1}), floats({2}, {1, 2})}) == "float32[2, 3] -12 -10 -8 -6 -4 -2; int64[2] 2 3; float32[6] -6 -5 -4 -3 -2 -1; int64[2] 2 3");
  CHECK(model->instantiations() == 2);
  CHECK(model->shown({data, floats({2}, {2, 1})}) == "float32[3, 2] -2 -4 -6 -8 -10 -12; int64[2] 3 2; float32[6] -1 -2 -3 -4 -5 -6; int64[2] 3 2");
  CHECK(model->instantiations() == 3);
  CHECK_THAT(model->refusal({data, floats({2}, {2, 3})}), Contains("Reshape"));
  CHECK(model->shown({data, floats({2}, {0, 5})}) == "float32[1, 6] -2 -4 -6 -8 -10 -12; int64[2] 1 6; float32[6] -1 -2 -3 -4 -5 -6; int64[2] 1 6");
}

TEST_CASE("what follows a cut uses buffers of several segments", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {4});
  OutputRef y = x;
  std::vector<OutputRef> all;
  for (int round = 0; round < 4; ++round) {
    const OutputRef shape = cast(c, c.op("Add", {c.op("Slice", {x, c.ints({round % 2}), c.ints({round % 2 + 1})}), c.scalar(0)}), to_int64);
    y = c.op("Add", {c.op("Reshape", {y, c.op("Concat", {shape, c.ints({-1})}, attributes({{"axis", int64_t{0}}}))}), c.scalar(1)});
    all.push_back(y);
  }
  OutputRef sum = c.op("Reshape", {all[0], c.ints({-1})});
  for (size_t i = 1; i < all.size(); ++i) sum = c.op("Add", {sum, c.op("Reshape", {all[i], c.ints({-1})})});
  c.outputs({sum, all[1], all[3]});
  const auto model = c.instance();
  // Round i gives x + i + 1; the sum is 4x + 10. Rounds 0 and 2 reshape to [x0, -1], rounds 1 and 3 to [x1, -1].
  CHECK(model->shown({floats({4}, {2, 4, 5, 6})}) == "float32[4] 18 26 30 34; float32[4, 1] 4 6 7 8; float32[4, 1] 6 8 9 10");
  CHECK(model->shown({floats({4}, {4, 2, 5, 6})}) == "float32[4] 26 18 30 34; float32[2, 2] 6 4 7 8; float32[2, 2] 8 6 9 10");
  const uint64_t made = model->instantiations();
  CHECK(model->shown({floats({4}, {2, 4, 5, 7})}) == "float32[4] 18 26 30 38; float32[4, 1] 4 6 7 9; float32[4, 1] 6 8 9 11");
  CHECK(model->instantiations() == made);
}

TEST_CASE("segments that follow stay within the bound", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef n = c.input("n", {1});
  c.outputs({c.op("Expand", {c.scalar(3), cast(c, c.op("Add", {n, c.scalar(1)}), to_int64)})});
  ModelParam param;
  param.max_cached_segments = 4;
  const auto model = c.instance(param);
  for (int round = 0; round < 3; ++round)
    for (int64_t n_value = 0; n_value < 10; ++n_value) {
      CHECK(model->shown({floats({1}, {static_cast<float>(n_value)})}) == show(floats({n_value + 1}, std::vector<float>(static_cast<size_t>(n_value + 1), 3))));
      CHECK(model->model.statistics().cache.segments <= 5);
    }
  CHECK(model->model.statistics().cache.evictions > 0);
}

TEST_CASE("outputs whose sizes a kernel reports", "[executor][SX-18]") {
  ModelCase c;
  c.may_be_zero("N");
  const OutputRef x = c.input("x", {"N"});
  const OutputRef where = c.op("NonZero", {x});
  const OutputRef row = c.op("Reshape", {where, c.ints({-1})});
  c.outputs({where, c.op("Gather", {x, row}), c.op("Shape", {where}), c.op("Mul", {row, row})});
  const auto model = c.instance();
  CHECK(model->shown({floats({5}, {0, 7, 0, 8, 9})}) == "int64[1, 3] 1 3 4; float32[3] 7 8 9; int64[2] 1 3; int64[3] 1 9 16");
  CHECK(model->segments() == 2);
  const uint64_t made = model->instantiations();
  CHECK(model->shown({floats({5}, {1, 0, 2, 3, 0})}) == "int64[1, 3] 0 2 3; float32[3] 1 2 3; int64[2] 1 3; int64[3] 0 4 9");
  CHECK(model->instantiations() == made);
  CHECK(model->shown({floats({5}, {0, 0, 0, 0, 0})}) == "int64[1, 0]; float32[0]; int64[2] 1 0; int64[0]");
  CHECK(model->shown({floats({0}, {})}) == "int64[1, 0]; float32[0]; int64[2] 1 0; int64[0]");
  CHECK(model->shown({floats({2}, {5, 6})}) == "int64[1, 2] 0 1; float32[2] 5 6; int64[2] 1 2; int64[2] 0 1");
  CHECK(model->shown({floats({5}, {0, 7, 0, 8, 9})}) == "int64[1, 3] 1 3 4; float32[3] 7 8 9; int64[2] 1 3; int64[3] 1 9 16");
}

TEST_CASE("several dynamic outputs, used late and together", "[executor][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {4}), y = c.input("y", {2, 2});
  const OutputRef a = c.op("NonZero", {x}), b = c.op("NonZero", {y}), again = c.op("NonZero", {c.op("Neg", {x})});
  c.outputs({c.op("Concat", {c.op("Reshape", {a, c.ints({-1})}), c.op("Reshape", {b, c.ints({-1})})}, attributes({{"axis", int64_t{0}}})),
             c.op("Add", {a, again}), c.op("ReduceSum", {b}, attributes({{"keepdims", int64_t{0}}}))});
  const auto model = c.instance();
  CHECK(model->shown({floats({4}, {1, 0, 0, 1}), floats({2, 2}, {0, 1, 1, 0})}) == "int64[6] 0 3 0 1 1 0; int64[1, 2] 0 6; int64[] 2");
  CHECK(model->segments() == 4);
  CHECK(model->shown({floats({4}, {1, 1, 1, 1}), floats({2, 2}, {0, 0, 0, 0})}) == "int64[4] 0 1 2 3; int64[1, 4] 0 2 4 6; int64[] 0");
  CHECK(model->shown({floats({4}, {1, 0, 0, 1}), floats({2, 2}, {0, 1, 1, 0})}) == "int64[6] 0 3 0 1 1 0; int64[1, 2] 0 6; int64[] 2");
}

TEST_CASE("sizes found by a run that do not fit an op end it there", "[executor][SX-18][CR-10]") {
  ModelCase c;
  const OutputRef x = c.input("x", {4});
  const OutputRef row = c.op("Reshape", {c.op("NonZero", {x}), c.ints({-1})});
  c.outputs({c.op("Add", {row, c.ints({10, 20})})});
  const auto model = c.instance();
  CHECK(model->shown({floats({4}, {1, 0, 0, 1})}) == "int64[2] 10 23");
  CHECK(model->shown({floats({4}, {0, 0, 1, 0})}) == "int64[2] 12 22");  // one element broadcasts
  CHECK_THAT(model->refusal({floats({4}, {1, 1, 1, 0})}), Contains("Add") && Contains("[3]") && Contains("[2]"));
  CHECK(model->shown({floats({4}, {1, 0, 0, 1})}) == "int64[2] 10 23");
}

TEST_CASE("a limit on memory holds for sizes that a run finds", "[executor][CR-10]") {
  ModelCase c;
  const OutputRef x = c.input("x", {64}, DType::boolean);
  c.outputs({c.op("NonZero", {c.op("Not", {x})})});
  ModelParam param;
  param.max_memory_bytes = 256;
  const auto model = c.instance(param);
  CHECK(model->shown({bools({64}, std::vector<uint8_t>(64, 1))}) == "int64[1, 0]");
  CHECK(model->refusal({bools({64}, std::vector<uint8_t>(64, 0))}) != "");
  CHECK(model->shown({bools({64}, std::vector<uint8_t>(64, 1))}) == "int64[1, 0]");
}
