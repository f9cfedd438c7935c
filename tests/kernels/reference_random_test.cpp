// RandomNormal, RandomUniform, RandomNormalLike, RandomUniformLike, Bernoulli, Multinomial, Dropout. The seeds are fixed,
// so the statistical tests give the same figures each time; their bounds are passed by chance in 999 of 1000 seeds.
#include "ge/kernels/reference/philox.hpp"
#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <algorithm>
#include <cmath>

using namespace ge;
using namespace ge::testing;

namespace {

Attributes seeded(float seed = 7) {
  Attributes attributes;
  attributes.set("seed", seed);
  return attributes;
}
std::vector<double> drawn(const std::string& op, int64_t count, Attributes attributes, DType dtype = DType::float64, std::vector<Tensor> inputs = {}) {
  return *KernelRunner(op, std::move(attributes)).run(inputs, {{dtype, {count}}})[0].to_doubles();
}
/// The largest distance of the samples' distribution from `distribution`, times sqrt(n) (Kolmogorov and Smirnov). Above
/// 1.95 by chance once in a thousand times.
template <class Distribution>
double distance(std::vector<double> samples, Distribution distribution) {
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  double most = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    const double p = distribution(samples[i]);
    most = std::max({most, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  return most * std::sqrt(n);
}
double normal_below(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double mean_of(const std::vector<double>& x, double (*f)(double)) {
  double sum = 0;
  for (double v : x) sum += f(v);
  return sum / static_cast<double>(x.size());
}

}  // namespace

TEST_CASE("Philox gives the published numbers", "[kernels][CR-9]") {
  // The known answers of Random123, the authors' library, for philox4x32 with 10 rounds.
  using Words = std::array<uint32_t, 4>;
  CHECK(reference::philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(reference::philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(reference::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) == Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("uniform numbers are uniform", "[kernels][CR-9]") {
  Attributes range = seeded();
  range.set("low", -3.0f);
  range.set("high", 5.0f);
  const auto x = drawn("RandomUniform", 100'000, range);
  CHECK(distance(x, [](double v) { return (v + 3) / 8; }) < 1.95);
  CHECK(*std::min_element(x.begin(), x.end()) >= -3);
  CHECK(*std::max_element(x.begin(), x.end()) < 5);
  CHECK(distance(drawn("RandomUniform", 100'000, seeded(8), DType::float32), [](double v) { return v; }) < 1.95);
  // Neighbours are independent: their sum has a triangle's distribution.
  std::vector<double> sums;
  for (size_t i = 0; i + 1 < x.size(); i += 2) sums.push_back((x[i] + x[i + 1] + 6) / 8);
  CHECK(distance(sums, [](double v) { return v < 1 ? v * v / 2 : 1 - (2 - v) * (2 - v) / 2; }) < 1.95);
}

TEST_CASE("normal numbers are normal", "[kernels][CR-9]") {
  Attributes wide = seeded();
  wide.set("mean", 10.0f);
  wide.set("scale", 0.5f);
  auto x = drawn("RandomNormal", 100'000, wide);
  for (double& v : x) v = (v - 10) / 0.5;
  CHECK(distance(x, normal_below) < 1.95);
  // Moments 0, 1, 0, 3 within 3.3 of their deviations: sqrt(1, 2, 15, 96 / n).
  const double unit = 3.3 / std::sqrt(100'000);
  CHECK(std::fabs(mean_of(x, [](double v) { return v; })) < unit);
  CHECK(std::fabs(mean_of(x, [](double v) { return v * v; }) - 1) < unit * std::sqrt(2));
  CHECK(std::fabs(mean_of(x, [](double v) { return v * v * v; })) < unit * std::sqrt(15));
  CHECK(std::fabs(mean_of(x, [](double v) { return v * v * v * v; }) - 3) < unit * std::sqrt(96));
  CHECK(distance(drawn("RandomNormalLike", 100'000, seeded(9), DType::float32, {Tensor::strings({1}, {"any dtype"})}), normal_below) < 1.95);
  Attributes fixed = seeded();
  fixed.set("mean", 2.0f);
  fixed.set("scale", 0.0f);
  CHECK(drawn("RandomNormal", 3, fixed) == std::vector<double>{2, 2, 2});
}

TEST_CASE("a seed gives the same numbers in any number of chunks, none gives others", "[kernels][CR-9]") {
  const auto few = drawn("RandomUniform", 1000, seeded()), many = drawn("RandomUniform", 300'000, seeded());
  CHECK(std::equal(few.begin(), few.end(), many.begin()));
  // In parentheses: a failure would print all numbers otherwise.
  CHECK((drawn("RandomNormal", 100'000, seeded()) == drawn("RandomNormal", 100'000, seeded())));
  CHECK((drawn("RandomUniform", 1000, seeded(8)) != few));
  CHECK((drawn("RandomUniform", 1000, seeded(0)) == drawn("RandomUniform", 1000, seeded(-0.0f))));
  CHECK((drawn("RandomUniform", 1000, {}) != drawn("RandomUniform", 1000, {})));
  auto unseeded = drawn("RandomUniform", 300'000, {});
  CHECK(distance(unseeded, [](double v) { return v; }) < 2.5);  // 1.95, but other numbers each time
  std::sort(unseeded.begin(), unseeded.end());
  CHECK(std::adjacent_find(unseeded.begin(), unseeded.end()) == unseeded.end());  // no chunk repeats another
}

TEST_CASE("no rounding leads out of the range", "[kernels][CR-9]") {
  for (DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64})
    for (const auto& [low, high] : std::vector<std::pair<float, float>>{{0, 1}, {0.1f, 0.2f}, {-1, 0}, {-0.3f, -0.1f}, {1000, 1001}, {0, 1e-7f}, {-1e-7f, 1e-7f}}) {
      Attributes range = seeded();
      range.set("low", low);
      range.set("high", high);
      const auto x = drawn("RandomUniform", 20'000, range, dtype);
      INFO(to_string(dtype) << " " << low << " " << high);
      CHECK(*std::min_element(x.begin(), x.end()) >= static_cast<double>(low));
      CHECK(*std::max_element(x.begin(), x.end()) < static_cast<double>(high));
    }
  Attributes one = seeded();
  one.set("low", 2.0f);
  one.set("high", 2.0f);
  CHECK(drawn("RandomUniform", 3, one) == std::vector<double>{2, 2, 2});
  one.set("high", 1e9f);
  CHECK_THROWS_WITH(drawn("RandomUniform", 3, one, DType::float16), Catch::Matchers::Contains("do not fit in float16"));
}

TEST_CASE("Bernoulli gives ones with the probability asked for", "[kernels][CR-9]") {
  std::vector<double> p;
  for (int i = 0; i < 100'000; ++i) p.push_back(i % 2 == 0 ? 0.25 : 0.9);
  const Tensor x = tensor<double>(DType::float64, {100'000}, p);
  const auto y = drawn("Bernoulli", 100'000, seeded(), DType::int32, {x});
  double even = 0, odd = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    REQUIRE((y[i] == 0 || y[i] == 1));
    (i % 2 == 0 ? even : odd) += y[i];
  }
  CHECK(std::fabs(even / 50'000 - 0.25) < 3.3 * std::sqrt(0.25 * 0.75 / 50'000));
  CHECK(std::fabs(odd / 50'000 - 0.9) < 3.3 * std::sqrt(0.9 * 0.1 / 50'000));
  const Tensor edges = floats({5}, {0, 1, -1, 2, std::nanf("")});
  CHECK(drawn("Bernoulli", 5, seeded(), DType::boolean, {edges}) == std::vector<double>{0, 1, 0, 1, 0});
}

TEST_CASE("Multinomial draws classes by their weights", "[kernels][CR-9]") {
  const float never = -INFINITY;
  // Of weights 1, 2, 0, 5, and of 0, 1, 0, 3, times factors that their exponentials would not survive.
  const Tensor x = floats({2, 4}, {-1000 + std::log(1.0f), -1000 + std::log(2.0f), never, -1000 + std::log(5.0f), never, 1000, never, 1000 + std::log(3.0f)});
  const Tensor y = KernelRunner("Multinomial", seeded()).run({x}, {{DType::int32, {2, 40'000}}})[0];
  std::vector<double> found(4);
  for (int64_t i = 0; i < 40'000; ++i) ++found.at(static_cast<size_t>(y.at<int32_t>(i)));
  double chi = 0;
  for (size_t k : {0u, 1u, 3u}) {
    const double expected = 40'000 * (k == 0 ? 1 : k == 1 ? 2 : 5) / 8.0;
    chi += (found[k] - expected) * (found[k] - expected) / expected;
  }
  CHECK(chi < 13.8);  // two degrees of freedom: above once in a thousand times
  CHECK(found[2] == 0);
  int64_t first = 0;
  for (int64_t i = 40'000; i < 80'000; ++i) {
    REQUIRE((y.at<int32_t>(i) == 1 || y.at<int32_t>(i) == 3));
    first += y.at<int32_t>(i) == 1;
  }
  CHECK(std::fabs(static_cast<double>(first) / 40'000 - 0.25) < 3.3 * std::sqrt(0.25 * 0.75 / 40'000));
  const auto refused = [](std::vector<float> row) {
    const auto n = static_cast<int64_t>(row.size());
    CHECK_THROWS_WITH(KernelRunner("Multinomial", seeded()).run({floats({1, n}, std::move(row))}, {{DType::int64, {1, 1}}}), "a value is not allowed here");
  };
  refused({never, never});
  refused({0, std::nanf("")});
  refused({0, INFINITY});
  refused({});
}

TEST_CASE("Dropout keeps, drops and scales", "[kernels][CR-9]") {
  const int64_t n = 100'000;
  const Tensor x = floats({n}, std::vector<float>(static_cast<size_t>(n), 3)), yes = tensor<uint8_t>(DType::boolean, {}, {1}), no = tensor<uint8_t>(DType::boolean, {}, {0});
  Attributes seed;
  seed.set("seed", int64_t{5});
  const auto dropout = [&](Tensor ratio, Tensor training) {
    return KernelRunner("Dropout", seed).run({x, std::move(ratio), std::move(training)}, {{DType::float32, {n}}, {DType::boolean, {n}}});
  };
  const auto y = dropout(floats({}, {0.75f}), yes);
  int64_t kept = 0;
  for (int64_t i = 0; i < n; ++i) {
    kept += y[1].at<uint8_t>(i);
    REQUIRE(y[0].at<float>(i) == (y[1].at<uint8_t>(i) ? 12.0f : 0.0f));  // 3 / (1 - 0.75)
  }
  CHECK(std::fabs(static_cast<double>(kept) / n - 0.25) < 3.3 * std::sqrt(0.25 * 0.75 / n));
  CHECK(dropout(floats({}, {0.75f}), yes)[1] == y[1]);
  const auto half = dropout({}, yes);  // ratio 0.5 by default
  CHECK(half[0].at<float>(0) == (half[1].at<uint8_t>(0) ? 6.0f : 0.0f));
  for (const auto& same : {dropout(floats({}, {0}), yes), dropout(floats({}, {0.75f}), no), dropout(floats({}, {0.75f}), {})})
    for (int64_t i = 0; i < n; ++i) REQUIRE((same[0].at<float>(i) == 3.0f && same[1].at<uint8_t>(i) == 1));
  for (float bad : {1.0f, -0.5f, 2.0f, std::nanf("")}) CHECK_THROWS_WITH(dropout(floats({}, {bad}), yes), "a value is not allowed here");
}
