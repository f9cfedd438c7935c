#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <random>

// DepthToSpace, SpaceToDepth, InstanceNormalization, LRN.
using namespace ge;
using namespace ge::testing;

namespace {

using Ints = std::vector<int64_t>;

std::vector<float> floats_of(const Tensor& t) {
  std::vector<float> out;
  for (int64_t i = 0; i < t.count(); ++i) out.push_back(t.at<float>(i));
  return out;
}
Attributes blocks(int64_t size, const char* mode) {
  Attributes attributes;
  attributes.set("blocksize", size);
  attributes.set("mode", std::string(mode));
  return attributes;
}
Tensor random_floats(const Ints& dims, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<size_t>(*element_count(dims)));
  for (float& value : values) value = static_cast<float>(random() % 1000) / 100 - 5;
  return floats(dims, std::move(values));
}

}  // namespace

TEST_CASE("DepthToSpace puts channels where the mode says", "[kernels][SX-18]") {
  for (const char* mode : {"DCR", "CRD"}) {
    CAPTURE(mode);
    const int64_t n = 2, c = 3, b = 2, h = 2, w = 3;
    Ints numbers(static_cast<size_t>(n * c * b * b * h * w));
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int64_t>(i);
    const Tensor deep = int64s({n, c * b * b, h, w}, numbers);
    const Tensor wide = KernelRunner("DepthToSpace", blocks(b, mode)).run({deep}, {{DType::int64, {n, c, h * b, w * b}}})[0];
    for (int64_t at = 0; at < wide.count(); ++at) {
      const int64_t x = at % (w * b), y = at / (w * b) % (h * b), channel = at / (w * b * h * b) % c, image = at / (w * b * h * b * c);
      const int64_t place = y % b * b + x % b;
      const int64_t from = std::string(mode) == "DCR" ? place * c + channel : channel * b * b + place;
      REQUIRE(wide.at<int64_t>(at) == ((image * c * b * b + from) * h + y / b) * w + x / b);
    }
    CHECK(KernelRunner("SpaceToDepth", blocks(b, mode)).run({wide}, {{DType::int64, deep.dims()}})[0] == deep);
  }
  CHECK(KernelRunner("DepthToSpace", blocks(2, "DCR")).run({int64s({0, 4, 1, 1}, {})}, {{DType::int64, {0, 1, 2, 2}}})[0].count() == 0);
}

TEST_CASE("InstanceNormalization uses each image's own statistics", "[kernels][SX-18]") {
  Attributes attributes;
  attributes.set("epsilon", 0.0f);
  const auto y = KernelRunner("InstanceNormalization", attributes)
                     .run({floats({2, 2, 2}, {1, 3, 0, 4, 10, 12, 5, -5}), floats({2}, {1, 2}), floats({2}, {0, 1})}, {{DType::float32, {2, 2, 2}}})[0];
  CHECK(floats_of(y) == std::vector<float>{-1, 1, -1, 3, -1, 1, 3, -1});
  // Without spatial axes every element is its own mean.
  CHECK(floats_of(KernelRunner("InstanceNormalization").run({floats({1, 2}, {7, 9}), floats({2}, {3, 3}), floats({2}, {1, 2})}, {{DType::float32, {1, 2}}})[0]) ==
        std::vector<float>{1, 2});
}

TEST_CASE("InstanceNormalization of long rows has mean 0 and variance 1", "[kernels][SX-18]") {
  const Ints dims{3, 2, 40, 41};
  const Tensor x = random_floats(dims, 1);
  const auto y = KernelRunner("InstanceNormalization").run({x, floats({2}, {1, 1}), floats({2}, {0, 0})}, {{DType::float32, dims}})[0];
  for (int64_t image = 0; image < 6; ++image) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < 1640; ++i) {
      const auto value = static_cast<double>(y.at<float>(image * 1640 + i));
      sum += value;
      squares += value * value;
    }
    CHECK(std::abs(sum / 1640) < 1e-6);
    CHECK(std::abs(squares / 1640 - 1) < 1e-4);
  }
}

TEST_CASE("LRN sums squares of the neighbouring channels", "[kernels][SX-18]") {
  const int64_t n = 2, c = 5, inner = 700;
  const Tensor x = random_floats({n, c, inner}, 2);
  for (const int64_t size : {1, 2, 3, 4, 100}) {
    CAPTURE(size);
    Attributes attributes;
    attributes.set("size", size);
    attributes.set("alpha", 0.5f);
    attributes.set("bias", 2.0f);
    const auto y = KernelRunner("LRN", attributes).run({x}, {{DType::float32, {n, c, inner}}})[0];
    for (int64_t at = 0; at < x.count(); ++at) {
      const int64_t channel = at / inner % c, image = at / (inner * c);
      double sum = 0;
      for (int64_t k = channel - (size - 1) / 2; k <= channel + size / 2; ++k)
        if (k >= 0 && k < c) sum += std::pow(static_cast<double>(x.at<float>((image * c + k) * inner + at % inner)), 2);
      const double expected = static_cast<double>(x.at<float>(at)) / std::pow(2 + 0.5 / static_cast<double>(size) * sum, 0.75);
      REQUIRE(std::abs(static_cast<double>(y.at<float>(at)) - expected) < 1e-6);
    }
  }
  Attributes none;
  none.set("size", int64_t{0});
  CHECK_THROWS_WITH(KernelRunner("LRN", none).run({x}, {{DType::float32, {n, c, inner}}}), Catch::Matchers::Contains("'size' is 0"));
}
