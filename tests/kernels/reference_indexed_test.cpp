#include "kernels/kernel_values.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

// GatherND, ScatterND, ScatterElements, TopK, Hardmax.
using namespace ge;
using namespace ge::testing;

namespace {

Ints run(const char* op, const std::vector<Tensor>& inputs, Ints out, Attributes attributes = {}) {
  return values_of<int64_t>(KernelRunner(op, std::move(attributes)).run(inputs, {{DType::int64, std::move(out)}})[0]);
}

}  // namespace

TEST_CASE("GatherND picks elements, slices and slices of each batch", "[kernels][SX-18]") {
  const Tensor x = counting({2, 2, 2});
  CHECK(run("GatherND", {counting({2, 2}), int64s({2, 2}, {0, 0, 1, 1})}, {2}) == Ints{0, 3});
  CHECK(run("GatherND", {counting({2, 2}), int64s({2, 1}, {1, -2})}, {2, 2}) == Ints{2, 3, 0, 1});
  CHECK(run("GatherND", {x, int64s({2, 1, 2}, {0, 1, 1, 0})}, {2, 1, 2}) == Ints{2, 3, 4, 5});
  CHECK(run("GatherND", {x, int64s({2, 1}, {1, 0})}, {2, 2}, with("batch_dims", int64_t{1})) == Ints{2, 3, 4, 5});
  CHECK(run("GatherND", {x, int64s({2, 2, 1}, {1, 0, -1, 1})}, {2, 2, 2}, with("batch_dims", int64_t{1})) == Ints{2, 3, 0, 1, 6, 7, 6, 7});
  CHECK(run("GatherND", {x, int64s({0, 1}, {})}, {0, 2, 2}).empty());
  const Tensor letters = Tensor::strings({2}, {"a", "b"});  // owns the characters
  const auto s = KernelRunner("GatherND").run({letters, int64s({3, 1}, {1, 0, 1})}, {{DType::string, {3}}})[0];
  CHECK(s == Tensor::strings({3}, {"b", "a", "b"}));
  for (const int64_t bad : {int64_t{2}, int64_t{-3}, INT64_MAX, INT64_MIN})
    CHECK(failure([&] { run("GatherND", {x, int64s({1, 2}, {0, bad})}, {1, 2}); }) == "an index is out of range");
}

TEST_CASE("ScatterND replaces slices and combines them in order", "[kernels][SX-18]") {
  const Tensor x = counting({8});
  CHECK(run("ScatterND", {x, int64s({4, 1}, {4, 3, 1, -1}), int64s({4}, {9, 10, 11, 12})}, {8}) == Ints{0, 11, 2, 10, 9, 5, 6, 12});
  CHECK(run("ScatterND", {counting({2, 2}), int64s({1, 1}, {1}), int64s({1, 2}, {7, 8})}, {2, 2}) == Ints{0, 1, 7, 8});
  CHECK(run("ScatterND", {counting({2, 2}), int64s({2}, {1, 0}), int64s({}, {7})}, {2, 2}) == Ints{0, 1, 7, 3});
  CHECK(run("ScatterND", {x, int64s({0, 1}, {}), int64s({0}, {})}, {8}) == values_of<int64_t>(x));
  const auto reduce = [](const char* reduction) {
    return run("ScatterND", {int64s({2}, {5, 5}), int64s({3, 1}, {0, 0, 1}), int64s({3}, {3, 4, 6})}, {2}, with("reduction", std::string(reduction)));
  };
  CHECK(reduce("none") == Ints{4, 6});
  CHECK(reduce("add") == Ints{12, 11});
  CHECK(reduce("mul") == Ints{60, 30});
  CHECK(reduce("max") == Ints{5, 6});
  CHECK(reduce("min") == Ints{3, 5});
  CHECK(failure([&] { run("ScatterND", {x, int64s({1, 1}, {8}), int64s({1}, {0})}, {8}); }) == "an index is out of range");
}

TEST_CASE("Scatter reductions work in the tensor's dtype", "[kernels][SX-18]") {
  const auto add = with("reduction", std::string("add")), largest = with("reduction", std::string("max"));
  const auto one = [](const Attributes& reduction, const Tensor& data, const Tensor& update) {
    return KernelRunner("ScatterND", reduction).run({data, int64s({1, 1}, {0}), update}, {{data.dtype(), {1}}})[0];
  };
  CHECK(one(add, tensor<uint8_t>(DType::uint8, {1}, {250}), tensor<uint8_t>(DType::uint8, {1}, {10})).at<uint8_t>(0) == 4);
  CHECK(one(largest, tensor<uint64_t>(DType::uint64, {1}, {1}), tensor<uint64_t>(DType::uint64, {1}, {UINT64_MAX})).at<uint64_t>(0) == UINT64_MAX);
  CHECK(std::isnan(one(largest, floats({1}, {nan_value}), floats({1}, {1})).at<float>(0)));
  CHECK(std::isnan(one(largest, floats({1}, {1}), floats({1}, {nan_value})).at<float>(0)));
  const Tensor a = Tensor::strings({2}, {"a", "b"}), c = Tensor::strings({1}, {"c"});  // own the characters
  CHECK(KernelRunner("ScatterND").run({a, int64s({1, 1}, {1}), c}, {{DType::string, {2}}})[0] == Tensor::strings({2}, {"a", "c"}));
  CHECK_THROWS_WITH(KernelRunner("ScatterND", add).run({a, int64s({1, 1}, {1}), c}, {{DType::string, {2}}}), Catch::Matchers::Contains("no kernel"));
}

TEST_CASE("ScatterElements follows the axis", "[kernels][SX-18]") {
  const Tensor zeros = int64s({3, 3}, Ints(9, 0)), index = int64s({2, 3}, {1, 0, 2, 0, 2, 1}), updates = int64s({2, 3}, {10, 11, 12, 20, 21, 22});
  CHECK(run("ScatterElements", {zeros, index, updates}, {3, 3}) == Ints{20, 11, 0, 10, 0, 22, 0, 21, 12});
  CHECK(run("ScatterElements", {counting({1, 5}), int64s({1, 2}, {1, -2}), int64s({1, 2}, {11, 21})}, {1, 5}, with("axis", int64_t{1})) == Ints{0, 11, 2, 21, 4});
  const Tensor narrow = tensor<int32_t>(DType::int32, {1, 2}, {1, -1});
  CHECK(run("ScatterElements", {counting({1, 5}), narrow, int64s({1, 2}, {11, 21})}, {1, 5}, with("axis", int64_t{-1})) == Ints{0, 11, 2, 3, 21});
  Attributes add = with("axis", int64_t{1});
  add.set("reduction", std::string("add"));
  CHECK(run("ScatterElements", {counting({1, 5}), int64s({1, 2}, {1, 1}), int64s({1, 2}, {11, 21})}, {1, 5}, add) == Ints{0, 33, 2, 3, 4});
  CHECK(run("ScatterElements", {zeros, int64s({0, 3}, {}), int64s({0, 3}, {})}, {3, 3}) == Ints(9, 0));
  CHECK(failure([&] { run("ScatterElements", {zeros, int64s({1, 1}, {3}), int64s({1, 1}, {1})}, {3, 3}); }) == "an index is out of range");
  const Tensor wide = int64s({1, 4}, {0, 0, 0, 0});
  CHECK(failure([&] { run("ScatterElements", {zeros, wide, wide}, {3, 3}); }).find("at most 3 on axis 1") != std::string::npos);
}

TEST_CASE("TopK gives the extremes in order, equal ones by place", "[kernels][SX-18]") {
  const auto top = [](const Tensor& x, Ints out, Attributes attributes = {}) {
    return KernelRunner("TopK", std::move(attributes)).run({x, int64s({1}, {3})}, {{x.dtype(), out}, {DType::int64, out}});
  };
  const auto plain = top(int64s({2, 5}, {1, 5, 5, 2, 5, -1, -2, -1, -3, -1}), {2, 3});
  CHECK(values_of<int64_t>(plain[0]) == Ints{5, 5, 5, -1, -1, -1});
  CHECK(values_of<int64_t>(plain[1]) == Ints{1, 2, 4, 0, 2, 4});
  const auto smallest = top(int64s({5}, {3, 1, 2, 1, 9}), {3}, with("largest", int64_t{0}));
  CHECK(values_of<int64_t>(smallest[0]) == Ints{1, 1, 2});
  CHECK(values_of<int64_t>(smallest[1]) == Ints{1, 3, 2});
  const auto by_column = top(int64s({3, 2}, {1, 6, 2, 5, 3, 4}), {3, 2}, with("axis", int64_t{0}));
  CHECK(values_of<int64_t>(by_column[0]) == Ints{3, 6, 2, 5, 1, 4});
  CHECK(values_of<int64_t>(by_column[1]) == Ints{2, 0, 1, 1, 0, 2});
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(values_of<int64_t>(top(floats({4}, {1, nan_value, infinity, 2}), {3})[1]) == Ints{1, 2, 3});
  CHECK(values_of<int64_t>(top(floats({4}, {1, nan_value, infinity, 2}), {3}, with("largest", int64_t{0}))[1]) == Ints{0, 3, 2});
  CHECK(top(tensor<uint64_t>(DType::uint64, {3}, {1, UINT64_MAX, 2}), {3})[1] == int64s({3}, {1, 2, 0}));
  CHECK(failure([&] { top(floats({2}, {1, 2}), {3}); }).find("K is 3, expected at most the 2") != std::string::npos);
  CHECK(KernelRunner("TopK").run({floats({2}, {1, 2}), int64s({1}, {0})}, {{DType::float32, {0}}, {DType::int64, {0}}})[0].count() == 0);
}

TEST_CASE("TopK agrees with sorting on random rows", "[kernels][SX-18]") {
  const unsigned seed = 5;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 50; ++round) {
    const auto outer = static_cast<int64_t>(1 + random() % 40), n = static_cast<int64_t>(1 + random() % 50);
    const auto k = static_cast<int64_t>(1 + random() % static_cast<unsigned>(n));
    Ints x(static_cast<size_t>(outer * n));
    for (int64_t& value : x) value = static_cast<int64_t>(random() % 20) - 10;
    const auto y = KernelRunner("TopK").run({int64s({outer, n}, x), int64s({1}, {k})}, {{DType::int64, {outer, k}}, {DType::int64, {outer, k}}});
    for (int64_t row = 0; row < outer; ++row) {
      Ints order(static_cast<size_t>(n));
      for (int64_t i = 0; i < n; ++i) order[static_cast<size_t>(i)] = i;
      const auto at = [&](int64_t i) { return x[static_cast<size_t>(row * n + i)]; };
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return at(a) > at(b); });
      for (int64_t i = 0; i < k; ++i) {
        REQUIRE(y[1].at<int64_t>(row * k + i) == order[static_cast<size_t>(i)]);
        REQUIRE(y[0].at<int64_t>(row * k + i) == at(order[static_cast<size_t>(i)]));
      }
    }
  }
}

TEST_CASE("Hardmax marks the first largest element of each row", "[kernels][SX-18]") {
  const auto hardmax = [](const Tensor& x, Attributes attributes = {}) {
    return values_of<float>(KernelRunner("Hardmax", std::move(attributes)).run({x}, {{DType::float32, x.dims()}})[0]);
  };
  using Floats = std::vector<float>;
  CHECK(hardmax(floats({2, 3}, {3, 0, 3, -2, -1, -1})) == Floats{1, 0, 0, 0, 1, 0});
  CHECK(hardmax(floats({2, 3}, {3, 0, 3, -2, 1, 3}), with("axis", int64_t{0})) == Floats{1, 0, 1, 0, 1, 0});
  CHECK(hardmax(floats({3}, {1, nan_value, nan_value})) == Floats{0, 1, 0});
  CHECK(hardmax(floats({}, {-7})) == Floats{1});
  CHECK(hardmax(floats({2, 0}, {})).empty());
  std::vector<float> row(1300, 0);
  row[1200] = 1;
  CHECK(hardmax(floats({1300}, row)) == row);
}
