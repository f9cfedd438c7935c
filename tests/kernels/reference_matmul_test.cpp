#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <limits>
#include <random>

using namespace ge;
using namespace ge::testing;

namespace {

Tensor random_floats(std::mt19937& random, std::vector<int64_t> dims) {
  std::vector<float> values(static_cast<size_t>(*element_count(dims)));
  std::normal_distribution<float> normal;
  for (float& v : values) v = normal(random);
  return floats(std::move(dims), std::move(values));
}

/// Element-wise within 1e-5 absolute + 1e-4 relative (CR-9).
void check_close(const Tensor& found, const std::vector<double>& expected, double absolute = 1e-5, double relative = 1e-4) {
  REQUIRE(found.count() == static_cast<int64_t>(expected.size()));
  const auto values = *found.to_doubles();
  for (size_t i = 0; i < values.size(); ++i) {
    INFO("element " << i);
    REQUIRE(std::fabs(values[i] - expected[i]) <= absolute + relative * std::fabs(expected[i]));
  }
}

std::vector<double> naive_product(const std::vector<double>& a, const std::vector<double>& b, int64_t m, int64_t k, int64_t n) {
  std::vector<double> y(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < k; ++l)
        y[static_cast<size_t>(i * n + j)] += a[static_cast<size_t>(i * k + l)] * b[static_cast<size_t>(l * n + j)];
  return y;
}

}  // namespace

TEST_CASE("MatMul multiplies matrices of random sizes", "[kernels][SX-18]") {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const int64_t limit = seed % 3 == 0 ? 8 : seed % 3 == 1 ? 70 : 140;
    std::uniform_int_distribution<int64_t> size(0, limit);
    const int64_t m = size(random), k = size(random), n = seed % 7 == 0 ? 1 : size(random);
    CAPTURE(seed, m, k, n);
    const Tensor a = random_floats(random, {m, k}), b = random_floats(random, {k, n});
    const Tensor y = KernelRunner("MatMul").run({a, b}, {{DType::float32, {m, n}}})[0];
    check_close(y, naive_product(*a.to_doubles(), *b.to_doubles(), m, k, n));
  }
}

TEST_CASE("MatMul stretches batch axes to each other", "[kernels][SX-18]") {
  struct Case {
    std::vector<int64_t> a, b, y;
  };
  const auto [da, db, dy] = GENERATE(Case{{2, 3, 4, 5}, {2, 3, 5, 6}, {2, 3, 4, 6}}, Case{{2, 1, 4, 5}, {3, 5, 6}, {2, 3, 4, 6}},
                                     Case{{4, 5}, {2, 3, 5, 6}, {2, 3, 4, 6}}, Case{{2, 3, 4, 5}, {5, 6}, {2, 3, 4, 6}},
                                     Case{{2, 3, 4, 5}, {1, 3, 5, 6}, {2, 3, 4, 6}}, Case{{3, 1, 5}, {1, 5, 1}, {3, 1, 1}},
                                     Case{{0, 4, 5}, {5, 6}, {0, 4, 6}}, Case{{2, 40, 33}, {2, 33, 1}, {2, 40, 1}});
  CAPTURE(da, db);
  std::mt19937 random(5);
  const Tensor a = random_floats(random, da), b = random_floats(random, db);
  const Tensor y = KernelRunner("MatMul").run({a, b}, {{DType::float32, dy}})[0];

  const size_t r = dy.size();
  const int64_t m = dy[r - 2], n = dy[r - 1], k = da.back();
  const auto va = *a.to_doubles(), vb = *b.to_doubles();
  const auto batch_of = [&](int64_t batch, const std::vector<int64_t>& dims) {
    int64_t index = 0, step = 1;  // from the last batch axis to the first
    for (size_t i = 0; i + 2 < r; ++i) {
      const int64_t full = dy[r - 3 - i], at = batch % full;
      batch /= full;
      const int64_t own = i + 2 < dims.size() ? dims[dims.size() - 3 - i] : 1;
      if (own != 1) index += at * step;
      step *= own;
    }
    return index;
  };
  std::vector<double> expected;
  for (int64_t batch = 0; batch * m * n < y.count(); ++batch) {
    const auto* pa = va.data() + batch_of(batch, da) * m * k;
    const auto* pb = vb.data() + batch_of(batch, db) * k * n;
    const auto part = naive_product({pa, pa + m * k}, {pb, pb + k * n}, m, k, n);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  check_close(y, expected);
}

TEST_CASE("MatMul takes one-dimensional operands as a row and a column", "[kernels][SX-18]") {
  const Tensor v = floats({3}, {1, 2, 3}), m = floats({3, 2}, {1, 2, 3, 4, 5, 6}), t = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(KernelRunner("MatMul").run({v, v}, {{DType::float32, {}}})[0] == floats({}, {14}));
  CHECK(KernelRunner("MatMul").run({v, m}, {{DType::float32, {2}}})[0] == floats({2}, {22, 28}));
  CHECK(KernelRunner("MatMul").run({t, v}, {{DType::float32, {2}}})[0] == floats({2}, {14, 32}));
  const Tensor batched = floats({2, 3, 1}, {1, 2, 3, 4, 5, 6});
  CHECK(KernelRunner("MatMul").run({v, batched}, {{DType::float32, {2, 1}}})[0] == floats({2, 1}, {14, 32}));
  CHECK(KernelRunner("MatMul").run({floats({2, 1, 3}, {1, 2, 3, 4, 5, 6}), v}, {{DType::float32, {2, 1}}})[0] == floats({2, 1}, {14, 32}));
}

TEST_CASE("A product over no elements is zero", "[kernels][SX-18]") {
  const Tensor y = KernelRunner("MatMul").run({floats({2, 0}, {}), floats({0, 2}, {})}, {{DType::float32, {2, 2}}})[0];
  CHECK(y == floats({2, 2}, {0, 0, 0, 0}));
}

TEST_CASE("Integer products wrap", "[kernels][SX-18]") {
  const auto big = std::numeric_limits<int32_t>::max();
  const Tensor a = tensor<int32_t>(DType::int32, {1, 2}, {big, 3}), b = tensor<int32_t>(DType::int32, {2, 1}, {2, -1});
  CHECK(KernelRunner("MatMul").run({a, b}, {{DType::int32, {1, 1}}})[0] == tensor<int32_t>(DType::int32, {1, 1}, {-5}));
  const auto huge = std::numeric_limits<uint64_t>::max();
  const Tensor c = tensor<uint64_t>(DType::uint64, {1, 2}, {huge, 5}), d = tensor<uint64_t>(DType::uint64, {2, 1}, {2, 1});
  CHECK(KernelRunner("MatMul").run({c, d}, {{DType::uint64, {1, 1}}})[0] == tensor<uint64_t>(DType::uint64, {1, 1}, {3}));
  const Tensor e = int64s({2, 2}, {(int64_t{1} << 53) + 1, 1, -7, 9}), f = int64s({2, 1}, {1, 1});
  CHECK(KernelRunner("MatMul").run({e, f}, {{DType::int64, {2, 1}}})[0] == int64s({2, 1}, {(int64_t{1} << 53) + 2, 2}));
}

TEST_CASE("Long float sums of 20000 terms keep the numeric contract in float32 and float16", "[kernels][SX-18]") {
  std::mt19937 random(11);
  const int64_t k = 20000;
  const Tensor a = random_floats(random, {3, k}), b = random_floats(random, {k, 5});
  const auto expected = naive_product(*a.to_doubles(), *b.to_doubles(), 3, k, 5);
  check_close(KernelRunner("MatMul").run({a, b}, {{DType::float32, {3, 5}}})[0], expected);
  // 2048 ones in half: a sum kept in half would stop at 2048.
  const std::vector<uint16_t> ones(4096, float_to_half(1));
  const Tensor h = tensor<uint16_t>(DType::float16, {1, 4096}, ones), g = tensor<uint16_t>(DType::float16, {4096, 1}, ones);
  CHECK(half_to_float(KernelRunner("MatMul").run({h, g}, {{DType::float16, {1, 1}}})[0].at<uint16_t>(0)) == 4096.f);
}

TEST_CASE("An element of a product does not depend on its position", "[kernels][SX-18]") {
  std::mt19937 random(3);
  const int64_t m = 37, k = 150, n = 45;
  const Tensor row = random_floats(random, {1, k}), column = random_floats(random, {k, 1});
  std::vector<float> a, b;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l) a.push_back(row.at<float>(l));
  for (int64_t l = 0; l < k; ++l)
    for (int64_t j = 0; j < n; ++j) b.push_back(column.at<float>(l));
  const Tensor y = KernelRunner("MatMul").run({floats({m, k}, a), floats({k, n}, b)}, {{DType::float32, {m, n}}})[0];
  for (int64_t i = 1; i < m * n; ++i) REQUIRE(y.at<float>(i) == y.at<float>(0));
}

TEST_CASE("NaN and infinity go through a product", "[kernels][SX-18]") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const Tensor y = KernelRunner("MatMul").run({floats({2, 2}, {nan, 1, 0, 1}), floats({2, 2}, {0, 1, inf, 1})}, {{DType::float32, {2, 2}}})[0];
  CHECK(std::isnan(y.at<float>(0)));
  CHECK(std::isnan(y.at<float>(1)));
  CHECK(y.at<float>(2) == inf);
  CHECK(y.at<float>(3) == 1.f);
}

TEST_CASE("Gemm transposes, scales and adds a stretched C", "[kernels][SX-18]") {
  for (uint32_t seed = 0; seed < 48; ++seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int64_t> size(0, 70);
    const int64_t m = size(random), k = size(random), n = seed % 5 == 0 ? 1 : size(random);
    const bool ta = seed & 1, tb = seed & 2;
    const int c_form = static_cast<int>(seed / 4 % 6);
    const std::vector<std::vector<int64_t>> c_dims = {{}, {m, n}, {n}, {m, 1}, {1, n}, {1}};
    CAPTURE(seed, m, k, n, ta, tb, c_form);
    const Tensor a = random_floats(random, ta ? std::vector{k, m} : std::vector{m, k}), b = random_floats(random, tb ? std::vector{n, k} : std::vector{k, n});
    const Tensor c = c_form == 0 ? Tensor() : random_floats(random, c_dims[static_cast<size_t>(c_form)]);
    Attributes attributes;
    attributes.set("transA", int64_t{ta});
    attributes.set("transB", int64_t{tb});
    attributes.set("alpha", 0.5f);
    attributes.set("beta", -1.25f);
    const Tensor y = KernelRunner("Gemm", attributes).run({a, b, c}, {{DType::float32, {m, n}}})[0];
    std::vector<double> expected;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += static_cast<double>(a.at<float>(ta ? l * m + i : i * k + l)) * static_cast<double>(b.at<float>(tb ? j * k + l : l * n + j));
        const int64_t at = c_form == 1 ? i * n + j : c_form == 2 || c_form == 4 ? j : c_form == 3 ? i : 0;
        expected.push_back(0.5 * sum - (c_form == 0 ? 0 : 1.25 * static_cast<double>(c.at<float>(at))));
      }
    check_close(y, expected);
  }
}

TEST_CASE("Gemm works on integers and ignores C where beta is 0", "[kernels][SX-18]") {
  Attributes attributes;
  attributes.set("alpha", 2.f);
  const Tensor a = tensor<int32_t>(DType::int32, {1, 2}, {3, -4}), b = tensor<int32_t>(DType::int32, {2, 2}, {1, 2, 3, 4});
  const Tensor c = tensor<int32_t>(DType::int32, {2}, {100, -100});
  CHECK(KernelRunner("Gemm", attributes).run({a, b, c}, {{DType::int32, {1, 2}}})[0] == tensor<int32_t>(DType::int32, {1, 2}, {82, -120}));
  attributes.set("alpha", 0.5f);
  CHECK(KernelRunner("Gemm", attributes).run({a, b}, {{DType::int32, {1, 2}}})[0] == tensor<int32_t>(DType::int32, {1, 2}, {-4, -5}));
  attributes.set("beta", 0.f);
  const Tensor nan = floats({1}, {std::numeric_limits<float>::quiet_NaN()});
  CHECK(KernelRunner("Gemm", attributes).run({floats({1, 1}, {6}), floats({1, 1}, {1}), nan}, {{DType::float32, {1, 1}}})[0] == floats({1, 1}, {3}));
}
