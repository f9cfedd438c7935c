// DFT, STFT, MelWeightMatrix.
#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

using namespace ge;
using namespace ge::testing;

namespace {

using Complexes = std::vector<std::complex<double>>;

Tensor doubles(std::vector<int64_t> dims, std::vector<double> values) { return tensor<double>(DType::float64, std::move(dims), std::move(values)); }
/// [n, 2]
Tensor signal(const Complexes& z) {
  std::vector<double> parts;
  for (const auto& value : z) parts.push_back(value.real()), parts.push_back(value.imag());
  return doubles({static_cast<int64_t>(z.size()), 2}, parts);
}
Complexes complexes(const Tensor& t) {
  Complexes z;
  for (int64_t i = 0; i < t.count() / 2; ++i) z.emplace_back(t.at<double>(2 * i), t.at<double>(2 * i + 1));
  return z;
}
Attributes flags(int64_t inverse, int64_t onesided) {
  Attributes attributes;
  attributes.set("inverse", inverse);
  attributes.set("onesided", onesided);
  return attributes;
}
/// The definition: X[k] = sum of x[j] exp(-2 pi i j k / n).
Complexes definition(const Complexes& x, double sign) {
  const size_t n = x.size();
  Complexes out(n);
  for (size_t k = 0; k < n; ++k)
    for (size_t j = 0; j < n; ++j) out[k] += x[j] * std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
  return out;
}
void check_near(const Complexes& found, const Complexes& expected) {
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) REQUIRE(std::abs(found[i] - expected[i]) < 1e-10);
}
void check_near(const Tensor& found, const std::vector<double>& expected, double margin = 1e-12) {
  REQUIRE(found.count() == static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) CHECK(found.at<double>(static_cast<int64_t>(i)) == Approx(expected[i]).margin(margin));
}
Tensor dft(const Tensor& x, std::vector<int64_t> dims, Tensor length = {}, Tensor axis = {}, Attributes attributes = {}) {
  return KernelRunner("DFT", std::move(attributes)).run({x, std::move(length), std::move(axis)}, {{x.dtype(), std::move(dims)}})[0];
}

}  // namespace

TEST_CASE("DFT of 1, 2, 3, 4", "[kernels][CR-9]") {
  const Tensor x = doubles({4, 1}, {1, 2, 3, 4});
  check_near(dft(x, {4, 2}), {10, 0, -2, 2, -2, 0, -2, -2});
  check_near(dft(x, {3, 2}, {}, {}, flags(0, 1)), {10, 0, -2, 2, -2, 0});
  check_near(dft(x, {4, 2}, {}, {}, flags(1, 0)), {2.5, 0, -0.5, -0.5, -0.5, 0, -0.5, 0.5});
  check_near(dft(x, {2, 2}, Tensor::scalar(2)), {3, 0, -1, 0});  // 1, 2
  Complexes five = definition({1, 2, 3, 4, 0}, 1);
  for (auto& value : five) value /= 5;
  check_near(complexes(dft(x, {5, 2}, Tensor::scalar(5), {}, flags(1, 0))), five);
  const Tensor half = dft(tensor<uint16_t>(DType::float16, {2, 1}, {0x3C00, 0x4000}), {2, 2});  // 1, 2
  CHECK(half.to_doubles() == std::vector<double>{3, 0, -1, 0});
}

TEST_CASE("DFT of any length agrees with its definition, and its inverse undoes it", "[kernels][CR-9]") {
  const unsigned seed = 20;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<size_t> lengths;
  for (size_t n = 1; n <= 50; ++n) lengths.push_back(n);
  for (size_t n : {97u, 128u, 210u, 243u, 1009u}) lengths.push_back(n);
  for (size_t n : lengths) {
    INFO("length " << n);
    Complexes x(n);
    for (auto& value : x) value = {normal(random), normal(random)};
    const auto dims = std::vector<int64_t>{static_cast<int64_t>(n), 2};
    const Tensor spectrum = dft(signal(x), dims);
    check_near(complexes(spectrum), definition(x, -1));
    check_near(complexes(dft(spectrum, dims, {}, {}, flags(1, 0))), x);
  }
}

TEST_CASE("half a spectrum gives the real signal back", "[kernels][CR-9]") {
  // 1, 2, 3, 4 has 10, -2 + 2i, -2, whose first and last imaginary parts do not count.
  const Tensor half = doubles({3, 2}, {10, 5, -2, 2, -2, 7});
  check_near(dft(half, {4, 1}, {}, {}, flags(1, 1)), {1, 2, 3, 4});
  // Five samples need three bins too: X[k] and X[5 - k] are conjugates, so x[t] = (X0 + 2 Re(X1 w^t) + 2 Re(X2 w^2t)) / 5.
  std::vector<double> five;
  for (int t = 0; t < 5; ++t) {
    const auto turn = [&](int k) { return std::polar(1.0, 2 * std::numbers::pi * k * t / 5.0); };
    five.push_back((10 + 2 * (std::complex(-2.0, 2.0) * turn(1)).real() + 2 * (std::complex(-2.0, 7.0) * turn(2)).real()) / 5);
  }
  check_near(dft(half, {5, 1}, Tensor::scalar(5), {}, flags(1, 1)), five);
  check_near(dft(half, {2, 1}, Tensor::scalar(2), {}, flags(1, 1)), {4, 6});     // 10 and -2: (10 - 2) / 2, (10 + 2) / 2
  check_near(dft(doubles({1, 2}, {3, 0}), {4, 1}, Tensor::scalar(4), {}, flags(1, 1)), {0.75, 0.75, 0.75, 0.75});  // missing bins are 0
  check_near(dft(doubles({1, 2}, {3, 0}), {1, 1}, Tensor::scalar(1), {}, flags(1, 1)), {3});
}

TEST_CASE("DFT along any axis", "[kernels][CR-9]") {
  // x[2, 3]: columns (1, 4), (2, 5), (3, 6) have sums and differences.
  const Tensor x = doubles({2, 3, 1}, {1, 2, 3, 4, 5, 6});
  const std::vector<double> columns{5, 0, 7, 0, 9, 0, -3, 0, -3, 0, -3, 0};
  check_near(dft(x, {2, 3, 2}, {}, Tensor::scalar(0)), columns);
  check_near(dft(x, {2, 3, 2}, {}, Tensor::scalar(-3)), columns);
  const double s = std::sqrt(3) / 2;
  const std::vector<double> rows{6, 0, -1.5, s, -1.5, -s, 15, 0, -1.5, s, -1.5, -s};
  check_near(dft(x, {2, 3, 2}, {}, Tensor::scalar(1)), rows);
  check_near(dft(x, {2, 3, 2}), rows);
  check_near(dft(doubles({0, 1}, {}), {1, 2}, {}, {}, flags(0, 1)), {0, 0});  // one bin of nothing
}

TEST_CASE("STFT transforms frames", "[kernels][CR-9]") {
  const auto stft = [](const Tensor& x, int64_t step, Tensor window, Tensor length, int64_t onesided, std::vector<int64_t> dims) {
    Attributes attributes;
    attributes.set("onesided", onesided);
    return KernelRunner("STFT", attributes).run({x, Tensor::scalar(step), std::move(window), std::move(length)}, {{DType::float64, std::move(dims)}})[0];
  };
  const Tensor x = doubles({1, 5, 1}, {1, 2, 3, 4, 5});
  // Frames (1, 2), (3, 4): sums and differences. The fifth sample is left over.
  check_near(stft(x, 2, {}, Tensor::scalar(2), 1, {1, 2, 2, 2}), {3, 0, -1, 0, 7, 0, -1, 0});
  // Windowed by (1, 10): (1, 20), (2, 30), (3, 40), (4, 50).
  check_near(stft(x, 1, doubles({2}, {1, 10}), {}, 0, {1, 4, 2, 2}), {21, 0, -19, 0, 32, 0, -28, 0, 43, 0, -37, 0, 54, 0, -46, 0});
  check_near(stft(x, 1, {}, {}, 1, {1, 1, 3, 2}), [] {
    const Complexes all = definition({1, 2, 3, 4, 5}, -1);
    return std::vector<double>{15, 0, all[1].real(), all[1].imag(), all[2].real(), all[2].imag()};
  }());
  // Complex samples, two batches: i and 1 + 2i.
  check_near(stft(doubles({2, 1, 2}, {0, 1, 1, 2}), 7, {}, Tensor::scalar(1), 0, {2, 1, 1, 2}), {0, 1, 1, 2});
}

TEST_CASE("MelWeightMatrix has ONNX's triangles", "[kernels][CR-9]") {
  const auto mel = [](int64_t bands, int64_t length, int64_t rate, double low, double high) {
    return KernelRunner("MelWeightMatrix").run({Tensor::scalar(bands), Tensor::scalar(length), Tensor::scalar(rate), doubles({}, {low}), doubles({}, {high})},
                                               {{DType::float64, {length / 2 + 1, bands}}})[0];
  };
  // Up to 700 Hz mel(f) = 2595 log10(1 + f / 700) goes to 781.17. One band: corners at thirds of it, 0 Hz,
  // 700 (2^(1/3) - 1) = 181.9 Hz and 700 (2^(2/3) - 1) = 411.2 Hz, which are bins 17 f / 1600 = 0, 1.93 and 4.37.
  check_near(mel(1, 16, 1600, 0, 700), {0, 1, 2.0 / 3, 1.0 / 3, 0, 0, 0, 0, 0});
  // A band that begins and peaks in one bin is 1 there.
  check_near(mel(1, 16, 16000, 0, 700), {1, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK_THROWS_WITH(mel(1, 16, 100, 0, 700), "a value is not allowed here");    // beyond the spectrum
  CHECK_THROWS_WITH(mel(1, 16, 1600, -900, 700), "a value is not allowed here");  // no logarithm
  CHECK_THROWS_WITH(mel(1, 16, 1600, -100, 700), "a value is not allowed here");
  CHECK_THROWS_WITH(mel(1, 16, 0, 0, 700), Catch::Matchers::Contains("zero"));
}
