#include "kernels/kernel_values.hpp"
#include "support/catch.hpp"

// MaxUnpool, Col2Im.
using namespace ge;
using namespace ge::testing;

namespace {

const Attributes halves = attributes({{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});

template <class T>
std::vector<T> col2im(DType dtype, Ints dims, std::vector<T> x, Ints image, Ints block, Attributes attributes = {}) {
  Ints out = {dims[0], dims[1]};
  for (const int64_t size : block) out[1] /= size;
  out.insert(out.end(), image.begin(), image.end());
  const auto rank = static_cast<int64_t>(image.size());
  const Tensor y = KernelRunner("Col2Im", std::move(attributes)).run({tensor<T>(dtype, std::move(dims), std::move(x)), int64s({rank}, std::move(image)), int64s({rank}, std::move(block))}, {{dtype, out}})[0];
  std::vector<T> values(y.bytes().size() / sizeof(T));
  std::memcpy(values.data(), y.bytes().data(), y.bytes().size());
  return values;
}

}  // namespace

TEST_CASE("MaxUnpool puts elements back where the pool found them", "[kernels][CR-9]") {
  const Tensor x = floats({1, 1, 2, 2}, {1, 2, 3, 4}), at = int64s({1, 1, 2, 2}, {5, 7, 13, 15});
  CHECK(run_floats("MaxUnpool", {x, at}, {1, 1, 4, 4}, halves) == Floats{0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4});
  // Indices count in the 4 x 4 image that the pool had; output_shape adds a row and a column behind it.
  const Floats larger = run_floats("MaxUnpool", {x, at, int64s({4}, {1, 1, 5, 5})}, {1, 1, 5, 5}, halves);
  Floats expected(25, 0);
  expected[6] = 1, expected[8] = 2, expected[16] = 3, expected[18] = 4;
  CHECK(larger == expected);
  CHECK(run_floats("MaxUnpool", {x, int64s({1, 1, 2, 2}, {0, 3, 0, 3})}, {1, 1, 4, 4}, halves) == Floats{3, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  // Indices run through images and channels.
  CHECK(run_floats("MaxUnpool", {floats({2, 1, 1}, {1, 2}), int64s({2, 1, 1}, {3, 0})}, {2, 1, 2}, attributes({{"kernel_shape", Ints{2}}})) == Floats{2, 0, 0, 1});
  CHECK(run_floats("MaxUnpool", {floats({1, 1, 0}, {}), int64s({1, 1, 0}, {})}, {1, 1, 1}, attributes({{"kernel_shape", Ints{2}}})) == Floats{0});
  for (const int64_t bad : {int64_t{16}, int64_t{-1}, INT64_MAX, INT64_MIN})
    CHECK(failure([&] { run_floats("MaxUnpool", {x, int64s({1, 1, 2, 2}, {0, 1, 2, bad})}, {1, 1, 4, 4}, halves); }) == out_of_range);
  CHECK(failure([&] { run_floats("MaxUnpool", {x, at, int64s({4}, {1, 1, 3, 5})}, {1, 1, 3, 5}, halves); }).find("expected at least 4") != std::string::npos);
}

TEST_CASE("MaxUnpool undoes MaxPool on four axes", "[kernels][CR-9]") {
  const Attributes window = attributes({{"kernel_shape", Ints{2, 1, 2, 1}}, {"strides", Ints{2, 1, 2, 1}}});
  const auto pooled = KernelRunner("MaxPool", window).run({counting_floats({1, 1, 2, 2, 2, 2})}, {{DType::float32, {1, 1, 1, 2, 1, 2}}, {DType::int64, {1, 1, 1, 2, 1, 2}}});
  CHECK(values_of<float>(pooled[0]) == Floats{10, 11, 14, 15});
  Floats expected(16, 0);
  for (const size_t i : {10, 11, 14, 15}) expected[i] = static_cast<float>(i);
  CHECK(run_floats("MaxUnpool", pooled, {1, 1, 2, 2, 2, 2}, window) == expected);
}

TEST_CASE("Col2Im adds up overlapping blocks", "[kernels][CR-9]") {
  const Floats x = {1, 2, 3, 10, 20, 30};
  CHECK(col2im<float>(DType::float32, {1, 2, 3}, x, {1, 4}, {1, 2}) == Floats{1, 12, 23, 30});
  CHECK(col2im<float>(DType::float32, {1, 2, 3}, x, {4}, {2}) == Floats{1, 12, 23, 30});
  CHECK(col2im<float>(DType::float32, {1, 2, 3}, x, {4, 1, 1, 1}, {2, 1, 1, 1}) == Floats{1, 12, 23, 30});
  CHECK(col2im<float>(DType::float32, {1, 2, 3}, x, {2}, {2}, attributes({{"pads", Ints{1, 1}}})) == Floats{12, 23});
  CHECK(col2im<float>(DType::float32, {1, 2, 3}, x, {5}, {2}, attributes({{"dilations", Ints{2}}})) == Floats{1, 2, 13, 20, 30});
  CHECK(col2im<float>(DType::float32, {1, 2, 3}, x, {7}, {2}, attributes({{"strides", Ints{2}}})) == Floats{1, 10, 2, 20, 3, 30, 0});
  CHECK(col2im<float>(DType::float32, {2, 1, 1}, {1, 2}, {1, 1}, {1, 1}) == Floats{1, 2});
  CHECK(failure([&] { col2im<float>(DType::float32, {1, 2, 3}, x, {5}, {2}); }).find("expected [1, 2, 4]") != std::string::npos);
}

TEST_CASE("Col2Im: integers wrap, flags join, complex numbers add by part", "[kernels][CR-9]") {
  CHECK(col2im<int8_t>(DType::int8, {1, 2, 2}, {1, 100, 100, 2}, {3}, {2}) == std::vector<int8_t>{1, -56, 2});
  CHECK(col2im<uint64_t>(DType::uint64, {1, 2, 2}, {1, UINT64_MAX - 1, 1, 2}, {3}, {2}) == std::vector<uint64_t>{1, UINT64_MAX, 2});
  CHECK(col2im<uint8_t>(DType::boolean, {1, 2, 3}, {1, 1, 0, 1, 0, 0}, {4}, {2}) == std::vector<uint8_t>{1, 1, 0, 0});
  CHECK(col2im<float>(DType::complex64, {1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, {3}, {2}) == Floats{1, 2, 8, 10, 7, 8});
}
