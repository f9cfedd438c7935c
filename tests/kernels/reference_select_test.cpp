#include "kernels/kernel_values.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

// ReverseSequence, Compress, Unique.
using namespace ge;
using namespace ge::testing;

namespace {

Tensor reverse(const Tensor& x, Ints lengths, int64_t time) {
  const auto count = static_cast<int64_t>(lengths.size());
  return KernelRunner("ReverseSequence", attributes({{"time_axis", time}, {"batch_axis", 1 - time}})).run({x, int64s({count}, std::move(lengths))}, {{x.dtype(), x.dims()}})[0];
}
Tensor compress(const Tensor& x, std::vector<uint8_t> condition, std::vector<std::pair<std::string, AttributeValue>> axis = {}) {
  const auto count = static_cast<int64_t>(condition.size());
  return KernelRunner("Compress", attributes(std::move(axis))).run({x, tensor<uint8_t>(DType::boolean, {count}, std::move(condition))}, {{x.dtype(), {}}})[0];
}

struct Uniques {
  Tensor y;
  Ints indices, inverse, counts;
};
Uniques unique(const Tensor& x, std::vector<std::pair<std::string, AttributeValue>> items = {}) {
  const auto out = KernelRunner("Unique", attributes(std::move(items))).run({x}, {{x.dtype(), {}}, {DType::int64, {}}, {DType::int64, {}}, {DType::int64, {}}});
  return {out[0], values_of<int64_t>(out[1]), values_of<int64_t>(out[2]), values_of<int64_t>(out[3])};
}
const std::pair<std::string, AttributeValue> unsorted = {"sorted", int64_t{0}};

}  // namespace

TEST_CASE("ReverseSequence reverses the first elements of each sequence", "[kernels][CR-9]") {
  const Tensor x = int64s({3, 2}, {0, 1, 2, 3, 4, 5});
  CHECK(reverse(x, {3, 2}, 0) == int64s({3, 2}, {4, 3, 2, 1, 0, 5}));
  CHECK(reverse(x, {0, 1}, 0) == x);
  CHECK(reverse(x, {1, 2, 0}, 1) == int64s({3, 2}, {0, 1, 3, 2, 4, 5}));
  CHECK(reverse(int64s({2, 1, 2}, {0, 1, 2, 3}), {2}, 0) == int64s({2, 1, 2}, {2, 3, 0, 1}));
  CHECK(reverse(Tensor::strings({1, 3}, {"a", "b", "c"}), {3}, 1) == Tensor::strings({1, 3}, {"c", "b", "a"}));
  CHECK(reverse(tensor<uint8_t>(DType::boolean, {1, 2}, {1, 0}), {2}, 1).at<uint8_t>(1) == 1);
  CHECK(reverse(int64s({0, 2}, {}), {0, 0}, 0).count() == 0);
  for (const int64_t bad : {int64_t{4}, int64_t{-1}, INT64_MAX, INT64_MIN}) CHECK(failure([&] { reverse(x, {1, bad}, 0); }) == out_of_range);
}

TEST_CASE("Compress keeps slices whose condition holds", "[kernels][CR-9]") {
  const Tensor x = int64s({3, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(compress(x, {0, 1, 1}, {{"axis", int64_t{0}}}) == int64s({2, 2}, {3, 4, 5, 6}));
  CHECK(compress(x, {0, 1}, {{"axis", int64_t{1}}}) == int64s({3, 1}, {2, 4, 6}));
  CHECK(compress(x, {0, 1}, {{"axis", int64_t{-1}}}) == int64s({3, 1}, {2, 4, 6}));
  CHECK(compress(x, {0, 1, 0, 0, 1}) == int64s({2}, {2, 5}));
  CHECK(compress(x, {}, {{"axis", int64_t{0}}}) == int64s({0, 2}, {}));
  CHECK(compress(Tensor::strings({2}, {"a", "b"}), {0, 1}) == Tensor::strings({1}, {"b"}));
  CHECK(compress(int64s({3, 0}, {}), {1, 0, 1}, {{"axis", int64_t{0}}}).dims() == Ints{2, 0});
  CHECK(compress(x, {0, 1, 0, 0}, {{"axis", int64_t{0}}}) == int64s({1, 2}, {3, 4}));  // beyond the axis, but not chosen
  CHECK(failure([&] { compress(x, {0, 1, 0, 1}, {{"axis", int64_t{0}}}); }) == out_of_range);
  CHECK(failure([&] { compress(int64s({0}, {}), {1}); }) == out_of_range);
}

TEST_CASE("Unique: the examples of its documentation", "[kernels][CR-9]") {
  const auto first = unique(floats({6}, {2, 1, 1, 3, 4, 3}), {unsorted});
  CHECK(values_of<float>(first.y) == Floats{2, 1, 3, 4});
  CHECK(first.indices == Ints{0, 1, 3, 4});
  CHECK(first.inverse == Ints{0, 1, 1, 2, 3, 2});
  CHECK(first.counts == Ints{1, 2, 2, 1});
  const auto second = unique(floats({2, 2}, {1, 3, 2, 3}));
  CHECK(values_of<float>(second.y) == Floats{1, 2, 3});
  CHECK(second.indices == Ints{0, 2, 1});
  CHECK(second.inverse == Ints{0, 2, 1, 2});
  CHECK(second.counts == Ints{1, 1, 2});
  const auto rows = unique(floats({3, 3}, {1, 0, 0, 1, 0, 0, 2, 3, 4}), {{"axis", int64_t{0}}});
  CHECK(rows.y == floats({2, 3}, {1, 0, 0, 2, 3, 4}));
  CHECK(rows.indices == Ints{0, 2});
  CHECK(rows.inverse == Ints{0, 0, 1});
  CHECK(rows.counts == Ints{2, 1});
  const auto middle = unique(floats({2, 4, 2}, {1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1}), {{"axis", int64_t{-2}}});
  CHECK(middle.y == floats({2, 3, 2}, {0, 1, 1, 1, 2, 1, 0, 1, 1, 1, 2, 1}));
  CHECK(middle.indices == Ints{1, 0, 2});
  CHECK(middle.inverse == Ints{1, 0, 2, 0});
  CHECK(middle.counts == Ints{2, 1, 1});
}

TEST_CASE("Unique: every dtype by its own order", "[kernels][CR-9]") {
  CHECK(unique(Tensor::strings({5}, {"b", "", "é", "b", "B"})).y == Tensor::strings({4}, {"", "B", "b", "é"}));
  CHECK(unique(Tensor::strings({3}, {"b", "a", "b"}), {unsorted}).y == Tensor::strings({2}, {"b", "a"}));
  // Integers that double cannot tell apart.
  CHECK(unique(int64s({3}, {INT64_MAX, INT64_MAX - 1, INT64_MIN})).y == int64s({3}, {INT64_MIN, INT64_MAX - 1, INT64_MAX}));
  CHECK(values_of<uint64_t>(unique(tensor<uint64_t>(DType::uint64, {3}, {UINT64_MAX, 1, UINT64_MAX - 1})).y) == std::vector<uint64_t>{1, UINT64_MAX - 1, UINT64_MAX});
  CHECK(values_of<int8_t>(unique(tensor<int8_t>(DType::int8, {3}, {5, -128, 5})).y) == std::vector<int8_t>{-128, 5});
  CHECK(values_of<uint8_t>(unique(tensor<uint8_t>(DType::boolean, {3}, {1, 0, 1})).y) == std::vector<uint8_t>{0, 1});
  CHECK(values_of<uint16_t>(unique(tensor<uint16_t>(DType::float16, {3}, {0x3C00, 0xC000, 0x3C00})).y) == std::vector<uint16_t>{0xC000, 0x3C00});  // 1, -2
  // Complex numbers: by real, then imaginary part.
  CHECK(unique(tensor<float>(DType::complex64, {3}, {1, 2, 1, -2, 0, 9})).y == tensor<float>(DType::complex64, {3}, {0, 9, 1, -2, 1, 2}));
}

TEST_CASE("Unique: NaN is one value and the last, 0 and -0 are one", "[kernels][CR-9]") {
  const auto found = unique(floats({5}, {nan_value, -0.0f, infinity, nan_value, 0}));
  REQUIRE(found.y.count() == 3);
  CHECK((std::signbit(found.y.at<float>(0)) && found.y.at<float>(1) == infinity && std::isnan(found.y.at<float>(2))));
  CHECK(found.indices == Ints{1, 2, 0});
  CHECK(found.inverse == Ints{2, 0, 1, 2, 0});
  CHECK(found.counts == Ints{2, 1, 2});
}

TEST_CASE("Unique: scalars, no elements, outputs left out", "[kernels][CR-9]") {
  const auto scalar = unique(floats({}, {3}));
  CHECK((scalar.y == floats({1}, {3}) && scalar.inverse == Ints{0} && scalar.counts == Ints{1}));
  CHECK(unique(floats({0}, {})).y.dims() == Ints{0});
  const auto empty_slices = unique(floats({3, 0}, {}), {{"axis", int64_t{0}}});
  CHECK((empty_slices.y.dims() == Ints{1, 0} && empty_slices.inverse == Ints{0, 0, 0} && empty_slices.counts == Ints{3}));
  CHECK(unique(floats({3, 0}, {}), {{"axis", int64_t{1}}}).y.dims() == Ints{3, 0});
  const auto out = KernelRunner("Unique").run({int64s({3}, {4, 4, 1})}, {{DType::int64, {}}, {DType::undefined, {}}, {DType::undefined, {}}, {DType::int64, {}}});
  CHECK((out[0] == int64s({2}, {1, 4}) && !out[1] && !out[2] && out[3] == int64s({2}, {1, 2})));
}
