// One instance, many sizes: each is instantiated once, and only the most recent stay.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

/// y = x + x over float32[N]
std::unique_ptr<Instance> doubling(ModelParam param = {}) {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"});
  c.outputs({c.op("Add", {x, x})});
  return c.instance(param);
}

Tensor counting(int64_t n) {
  std::vector<float> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(static_cast<float>(i));
  return floats({n}, values);
}
std::string doubled(int64_t n) {
  std::vector<float> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(static_cast<float>(2 * i));
  return show(floats({n}, values));
}

}  // namespace

TEST_CASE("sizes that were seen before are not instantiated again", "[executor][SX-17][CR-2]") {
  const auto model = doubling();
  for (int64_t n : {3, 1, 5}) CHECK(model->shown({counting(n)}) == doubled(n));
  CHECK(model->instantiations() == 3);
  for (int64_t n : {5, 3, 1, 3}) CHECK(model->shown({counting(n)}) == doubled(n));
  CHECK(model->instantiations() == 3);
  const auto cache = model->model.statistics().cache;
  CHECK(cache.hits == 4);
  CHECK(cache.misses == 3);
  CHECK(cache.sizes == 3);
  CHECK(model->model.statistics().runs == 7);
}

TEST_CASE("the same addresses again rewrite no argument slots", "[executor][SX-6]") {
  const auto model = doubling();
  const Tensor x = counting(4);
  std::vector<float> y(4);
  std::vector<OutputTensor> out(1);
  out[0].data = y.data(), out[0].capacity_bytes = 16;
  const std::vector<InputTensor> in{given(x)};
  model->model.NnExecute(in, out);
  CHECK(model->model.statistics().slots_rewritten == 3);  // x twice, y
  model->model.NnExecute(in, out);
  CHECK(model->model.statistics().slots_rewritten == 0);

  std::vector<float> elsewhere(4);
  out[0].data = elsewhere.data();
  model->model.NnExecute(in, out);
  CHECK(model->model.statistics().slots_rewritten == 1);
  CHECK(elsewhere == std::vector<float>{0, 2, 4, 6});
  const Tensor other = floats({4}, {1, 1, 1, 1});
  model->model.NnExecute(std::vector<InputTensor>{given(other)}, out);
  CHECK(model->model.statistics().slots_rewritten == 2);
  CHECK(elsewhere == std::vector<float>{2, 2, 2, 2});
}

TEST_CASE("the least recently used sizes go first", "[executor][SX-17]") {
  ModelParam param;
  param.max_cached_sizes = 2;
  const auto model = doubling(param);
  for (int round = 0; round < 3; ++round)
    for (int64_t n : {1, 2, 3}) CHECK(model->shown({counting(n)}) == doubled(n));
  auto cache = model->model.statistics().cache;
  CHECK(cache.sizes == 2);
  CHECK(cache.misses == 9);  // a cycle of three through two places always misses
  CHECK(cache.evictions == 7);

  model->shown({counting(2)});  // 2 and 3 are there: now 3 is the older one
  model->shown({counting(7)});
  CHECK(model->instantiations() == 10);
  model->shown({counting(2)});
  CHECK(model->instantiations() == 10);
  CHECK(model->shown({counting(3)}) == doubled(3));
  CHECK(model->instantiations() == 11);
}

TEST_CASE("a cache with no room still runs", "[executor][SX-17]") {
  ModelParam param;
  param.max_cached_sizes = 0;
  param.max_cached_segments = 0;
  const auto model = doubling(param);
  for (int64_t n : {2, 3, 2}) CHECK(model->shown({counting(n)}) == doubled(n));
}

TEST_CASE("inputs that share a symbol must agree", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef a = c.input("a", {2, "N"}), b = c.input("b", {"N"});
  c.outputs({c.op("Add", {a, b})});
  const auto model = c.instance();
  CHECK(model->shown({floats({2, 2}, {1, 2, 3, 4}), floats({2}, {10, 20})}) == "float32[2, 2] 11 22 13 24");
  const std::string text = model->refusal({floats({2, 2}, {1, 2, 3, 4}), floats({3}, {1, 2, 3})});
  CHECK(model->code == ErrorCode::invalid_argument);
  CHECK_THAT(text, Contains("'b'") && Contains("[3]") && Contains("expected 2 on axis 0"));
  CHECK_THAT(model->refusal({floats({1, 2}, {1, 2}), floats({2}, {1, 2})}), Contains("'a'") && Contains("[1, 2]") && Contains("expected 2 on axis 0"));
  CHECK(model->shown({floats({2, 1}, {1, 2}), floats({1}, {10})}) == "float32[2, 1] 11 12");
}

TEST_CASE("symbols that once had the same value stay two symbols", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef a = c.input("a", {"A", 1}), b = c.input("b", {1, "B"});
  c.outputs({c.op("Add", {a, b}), c.op("Concat", {c.op("Reshape", {a, c.ints({-1})}), c.op("Reshape", {b, c.ints({-1})})}, attributes({{"axis", int64_t{0}}}))});
  const auto model = c.instance();
  CHECK(model->shown({floats({2, 1}, {1, 2}), floats({1, 2}, {10, 20})}) == "float32[2, 2] 11 21 12 22; float32[4] 1 2 10 20");
  CHECK(model->shown({floats({2, 1}, {1, 2}), floats({1, 3}, {10, 20, 30})}) == "float32[2, 3] 11 21 31 12 22 32; float32[5] 1 2 10 20 30");
  CHECK(model->shown({floats({1, 1}, {1}), floats({1, 2}, {10, 20})}) == "float32[1, 2] 11 21; float32[3] 1 10 20");
}

TEST_CASE("an op that needs equal symbols says so when they differ", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef a = c.input("a", {"A", 2}), b = c.input("b", {"B", 2});
  c.outputs({c.op("Add", {a, b})});
  const auto model = c.instance();
  CHECK(model->shown({floats({1, 2}, {1, 2}), floats({1, 2}, {3, 4})}) == "float32[1, 2] 4 6");
  CHECK(model->shown({floats({2, 2}, {1, 2, 3, 4}), floats({1, 2}, {10, 20})}) == "float32[2, 2] 11 22 13 24");
  CHECK_THAT(model->refusal({floats({2, 2}, {1, 2, 3, 4}), floats({3, 2}, {1, 2, 3, 4, 5, 6})}), Contains("Add") && Contains("[2, 2]") && Contains("[3, 2]"));
  CHECK(model->shown({floats({1, 2}, {1, 2}), floats({2, 2}, {3, 4, 5, 6})}) == "float32[2, 2] 4 6 6 8");
}

TEST_CASE("a dim of 0 runs", "[executor][SX-17]") {
  ModelCase c;
  c.may_be_zero("N");
  const OutputRef x = c.input("x", {"N", 2});
  const OutputRef y = c.op("Relu", {c.op("Neg", {x})});
  c.outputs({y, c.op("ReduceSum", {y, c.ints({0})}, attributes({{"keepdims", int64_t{0}}})), c.op("Shape", {y})});
  const auto model = c.instance();
  CHECK(model->shown({floats({0, 2}, {})}) == "float32[0, 2]; float32[2] 0 0; int64[2] 0 2");
  CHECK(model->shown({floats({1, 2}, {-1, 2})}) == "float32[1, 2] 1 0; float32[2] 1 0; int64[2] 1 2");
}

TEST_CASE("a size outside what inference took for granted is refused", "[executor][CR-2]") {
  const auto model = doubling();
  CHECK_THAT(model->refusal({floats({0}, {})}), Contains("'x'") && Contains("[0]") && Contains("axis 0"));
  CHECK(model->shown({counting(1)}) == doubled(1));
}

TEST_CASE("an input of unknown rank takes any rank", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef x = c.input_of_unknown_rank("x");
  c.outputs({c.op("Neg", {x}), c.op("Shape", {x})});
  const auto model = c.instance();
  CHECK(model->shown({floats({}, {1})}) == "float32[] -1; int64[0]");
  CHECK(model->shown({floats({2}, {1, 2})}) == "float32[2] -1 -2; int64[1] 2");
  CHECK(model->shown({floats({1, 1, 2}, {3, 4})}) == "float32[1, 1, 2] -3 -4; int64[3] 1 1 2");
  CHECK_FALSE(model->model.inputs()[0].rank_known);
  CHECK(model->model.inputs()[0].text == "float32[?]");
}
