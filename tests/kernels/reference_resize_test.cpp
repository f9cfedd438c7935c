#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <functional>
#include <random>

using namespace ge;
using namespace ge::testing;
using Ints = std::vector<int64_t>;

namespace {

void check_close(const Tensor& found, const std::vector<double>& expected) {
  REQUIRE(found.count() == static_cast<int64_t>(expected.size()));
  const auto values = *found.to_doubles();
  for (size_t i = 0; i < values.size(); ++i) {
    INFO("element " << i << ": " << values[i] << ", expected " << expected[i]);
    REQUIRE(std::fabs(values[i] - expected[i]) <= 1e-5 + 1e-4 * std::fabs(expected[i]));
  }
}

Attributes attributes(std::string mode, std::string coordinates, std::string nearest = "") {
  Attributes a;
  a.set("mode", std::move(mode));
  a.set("coordinate_transformation_mode", std::move(coordinates));
  if (!nearest.empty()) a.set("nearest_mode", std::move(nearest));
  return a;
}

Tensor by_sizes(const Attributes& a, const Tensor& x, Ints out, DType dtype = DType::float32) {
  const Tensor sizes = Tensor::ints(out);
  return KernelRunner("Resize", a).run({x, {}, {}, sizes}, {{dtype, out}})[0];
}

Tensor by_scales(const Attributes& a, const Tensor& x, std::vector<float> scales, Ints out) {
  const auto n = static_cast<int64_t>(scales.size());
  return KernelRunner("Resize", a).run({x, {}, floats({n}, scales)}, {{x.dtype(), out}})[0];
}

Tensor ramp(Ints dims) {
  std::vector<float> values(static_cast<size_t>(*element_count(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  return floats(std::move(dims), values);
}

/// The direct formula: the value at a point, one axis after the other.
struct Naive {
  std::string mode, coordinates;
  double a = -0.75;
  bool exclude_outside = false;
  Ints in, out;
  std::vector<double> scale, data;

  double weight(double d) const {
    d = std::fabs(d);
    if (mode == "linear") return d < 1 ? 1 - d : 0;
    if (d <= 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
    return d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a : 0;
  }
  double coordinate(size_t axis, int64_t at) const {
    const auto x = static_cast<double>(at), n = static_cast<double>(in[axis]), m = static_cast<double>(out[axis]), s = scale[axis];
    if (coordinates == "half_pixel") return (x + 0.5) / s - 0.5;
    if (coordinates == "half_pixel_symmetric") return n / 2 * (1 - m / (s * n)) + (x + 0.5) / s - 0.5;
    if (coordinates == "pytorch_half_pixel") return m > 1 ? (x + 0.5) / s - 0.5 : 0;
    if (coordinates == "align_corners") return m > 1 ? x * (n - 1) / (m - 1) : 0;
    return x / s;
  }
  /// `at`: the output index from axis in.size() - at.size() on.
  double value(std::span<const int64_t> at, int64_t offset) const {
    if (at.empty()) return data[static_cast<size_t>(offset)];
    const size_t axis = in.size() - at.size();
    const double x = coordinate(axis, at[0]);
    double sum = 0, total = 0;
    for (int64_t k = static_cast<int64_t>(std::floor(x)) - 3; k <= static_cast<int64_t>(std::floor(x)) + 4; ++k) {
      const int64_t inside = std::min(std::max<int64_t>(k, 0), in[axis] - 1);
      const double w = exclude_outside && inside != k ? 0 : weight(static_cast<double>(k) - x);
      if (w != 0) sum += w * value(at.subspan(1), offset * in[axis] + inside);
      total += w;
    }
    return sum / total;
  }
};

}  // namespace

TEST_CASE("Resize interpolates like the direct formula on random geometries", "[kernels][SX-18]") {
  const std::vector<std::string> coordinates = {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric"};
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
    const size_t rank = 1 + seed % 4;
    Naive naive;
    naive.mode = seed % 3 == 0 ? "cubic" : "linear";
    naive.coordinates = coordinates[static_cast<size_t>(pick(0, 4))];
    naive.exclude_outside = naive.mode == "cubic" && pick(0, 1);
    naive.a = pick(0, 1) ? -0.5 : -0.75;
    for (size_t i = 0; i < rank; ++i) {
      naive.in.push_back(pick(1, 5));
      naive.out.push_back(pick(0, 2) == 0 ? naive.in[i] : pick(1, 8));
      naive.scale.push_back(static_cast<double>(naive.out[i]) / static_cast<double>(naive.in[i]));
    }
    std::vector<float> values(static_cast<size_t>(*element_count(naive.in)));
    for (float& v : values) naive.data.push_back(static_cast<double>(v = static_cast<float>(pick(-100, 100)) / 8));
    CAPTURE(seed, naive.mode, naive.coordinates, naive.exclude_outside, naive.a, naive.in, naive.out);
    Attributes a = attributes(naive.mode, naive.coordinates);
    a.set("exclude_outside", int64_t{naive.exclude_outside});
    a.set("cubic_coeff_a", static_cast<float>(naive.a));
    std::vector<double> expected;
    for (int64_t n = 0; n < *element_count(naive.out); ++n) {
      Ints at(rank);
      int64_t rest = n;
      for (size_t i = rank; i-- > 0; rest /= naive.out[i]) at[i] = rest % naive.out[i];
      expected.push_back(naive.value(at, 0));
    }
    check_close(by_sizes(a, floats(naive.in, values), naive.out), expected);
  }
}

TEST_CASE("Resize nearest follows its rounding rules", "[kernels][SX-18]") {
  const Tensor x = ramp({1, 1, 4});
  // 4 -> 8, half_pixel: coordinates -.25 .25 .75 1.25 1.75 2.25 2.75 3.25
  CHECK(by_sizes(attributes("nearest", "half_pixel"), x, {1, 1, 8}) == floats({1, 1, 8}, {1, 1, 2, 2, 3, 3, 4, 4}));
  CHECK(by_sizes(attributes("nearest", "half_pixel", "floor"), x, {1, 1, 8}) == floats({1, 1, 8}, {1, 1, 1, 2, 2, 3, 3, 4}));
  CHECK(by_sizes(attributes("nearest", "half_pixel", "ceil"), x, {1, 1, 8}) == floats({1, 1, 8}, {1, 2, 2, 3, 3, 4, 4, 4}));
  // asymmetric: 0 .5 1 1.5 2 2.5 3 3.5, halves decide
  CHECK(by_sizes(attributes("nearest", "asymmetric", "round_prefer_floor"), x, {1, 1, 8}) == floats({1, 1, 8}, {1, 1, 2, 2, 3, 3, 4, 4}));
  CHECK(by_sizes(attributes("nearest", "asymmetric", "round_prefer_ceil"), x, {1, 1, 8}) == floats({1, 1, 8}, {1, 2, 2, 3, 3, 4, 4, 4}));
}

TEST_CASE("Resize nearest with a float32 third reads every third element", "[kernels][SX-18]") {
  // 1 / float32(1/3) is a little less than 3: the meant coordinates are 0 3 6.
  CHECK(by_scales(attributes("nearest", "asymmetric", "floor"), ramp({9}), {1.0f / 3}, {3}) == floats({3}, {1, 4, 7}));
  CHECK(by_scales(attributes("nearest", "asymmetric", "floor"), ramp({3}), {3.0f}, {9}) == floats({9}, {1, 1, 1, 2, 2, 2, 3, 3, 3}));
}

TEST_CASE("Resize tf_half_pixel_for_nn leaves axes of scale 1 alone", "[kernels][SX-18]") {
  // Last axis 4 -> 2: (x + 0.5) / 0.5 = 1, 3. With scale 1 the rule would give 0.5, 1.5, which rounds to 1, 1 in the batch axis.
  const Tensor x = ramp({2, 1, 1, 4});
  for (const char* rule : {"floor", "round_prefer_ceil", "round_prefer_floor", "ceil"})
    CHECK(by_sizes(attributes("nearest", "tf_half_pixel_for_nn", rule), x, {2, 1, 1, 2}) == floats({2, 1, 1, 2}, {2, 4, 6, 8}));
}

TEST_CASE("Resize align_corners maps corners to corners", "[kernels][SX-18]") {
  const Tensor x = ramp({1, 1, 5, 2});  // rows 1 2, 3 4, 5 6, 7 8, 9 10
  // Rows at 0 2 4, columns at 0 .5 1.
  CHECK(by_sizes(attributes("linear", "align_corners"), x, {1, 1, 3, 3}) == floats({1, 1, 3, 3}, {1, 1.5f, 2, 5, 5.5f, 6, 9, 9.5f, 10}));
  // Rows at 0 4/3 8/3 4: each step is 2 * 4/3.
  check_close(by_sizes(attributes("linear", "align_corners"), x, {1, 1, 4, 2}), {1, 2, 1 + 8.0 / 3, 2 + 8.0 / 3, 1 + 16.0 / 3, 2 + 16.0 / 3, 9, 10});
  // A single row comes from the first.
  CHECK(by_sizes(attributes("linear", "align_corners"), x, {1, 1, 1, 2}) == floats({1, 1, 1, 2}, {1, 2}));
}

TEST_CASE("Resize cubic shrinks four by four to one", "[kernels][SX-18]") {
  // x[r][c] = r^2 * c at (1.5, 1.5): weights -.09375 .59375 .59375 -.09375; sum w r^2 = 2.125, sum w c = 1.5.
  std::vector<float> values;
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) values.push_back(static_cast<float>(r * r * c));
  check_close(by_sizes(attributes("cubic", "half_pixel"), floats({1, 1, 4, 4}, values), {1, 1, 1, 1}), {3.1875});
  check_close(by_scales(attributes("cubic", "half_pixel"), floats({1, 1, 4, 4}, values), {1, 1, 0.25f, 0.25f}, {1, 1, 1, 1}), {3.1875});
}

TEST_CASE("Resize with scales uses the given scale, not the rounded one", "[kernels][SX-18]") {
  // 4 -> 2 by 0.6: half_pixel coordinates 1/3 and 2.
  check_close(by_scales(attributes("linear", "half_pixel"), ramp({4}), {0.6f}, {2}), {4.0 / 3, 3});
  // half_pixel_symmetric: the output would be 2.4 long; offset 2 * (1 - 2 / 2.4) = 1/3.
  check_close(by_scales(attributes("linear", "half_pixel_symmetric"), ramp({4}), {0.6f}, {2}), {5.0 / 3, 10.0 / 3});
}

TEST_CASE("Resize tf_crop_and_resize reads its roi and extrapolates outside", "[kernels][SX-18]") {
  Attributes a = attributes("linear", "tf_crop_and_resize");
  a.set("extrapolation_value", -7.f);
  const auto run = [&](std::vector<float> roi, const std::string& mode) {
    a.set("mode", mode);
    return KernelRunner("Resize", a).run({ramp({1, 5}), floats({4}, std::move(roi)), {}, int64s({2}, {1, 3})}, {{DType::float32, {1, 3}}})[0];
  };
  CHECK(run({0, 0.25f, 1, 0.75f}, "linear") == floats({1, 3}, {2, 3, 4}));   // coordinates 1 2 3
  CHECK(run({0, 0.5f, 1, 1.5f}, "linear") == floats({1, 3}, {3, 5, -7}));    // 2 4 6
  CHECK(run({0, 0.5f, 1, 1.5f}, "nearest") == floats({1, 3}, {3, 5, -7}));
  CHECK(run({0, 1, 1, 0}, "cubic") == floats({1, 3}, {5, 3, 1}));            // a flip
  CHECK(run({2, 0, 2, 1}, "linear") == floats({1, 3}, {1, 3, 5}));           // an axis of one position: 0 whatever its roi
}

TEST_CASE("Resize with antialias stretches its filter when shrinking", "[kernels][SX-18]") {
  Attributes a = attributes("linear", "half_pixel");
  a.set("antialias", int64_t{1});
  // 4 -> 2: coordinate 0.5, triangle of reach 2: weights at -1 0 1 2 are .25 .75 .75 .25 over 2; -1 repeats the edge.
  check_close(by_sizes(a, floats({4}, {8, 16, 24, 80}), {2}), {(0.25 * 8 + 0.75 * 8 + 0.75 * 16 + 0.25 * 24) / 2, (0.25 * 16 + 0.75 * 24 + 0.75 * 80 + 0.25 * 80) / 2});
  a.set("exclude_outside", int64_t{1});
  check_close(by_sizes(a, floats({4}, {8, 16, 24, 80}), {2}), {(0.75 * 8 + 0.75 * 16 + 0.25 * 24) / 1.75, (0.25 * 16 + 0.75 * 24 + 0.75 * 80) / 1.75});
  // Enlarging is as without.
  check_close(by_sizes(a, floats({2}, {0, 4}), {4}), {0, 1, 3, 4});
}

TEST_CASE("half_pixel_symmetric centres on the width that the common scale gives", "[kernels][SX-18]") {
  // Resize-19: not_larger asks for 2/3 of 3 x 5, so 2 x 3.33, of which 2 x 3 are made: rows read 0.25 and 1.75, columns
  // 0.5, 2 and 3.5 (the 3 columns lie in the middle of 3.33).
  Attributes a = attributes("linear", "half_pixel_symmetric");
  a.set("keep_aspect_ratio_policy", "not_larger");
  const Tensor sizes = int64s({2}, {2, 5});
  const Tensor y = KernelRunner("Resize", a).run({ramp({3, 5}), {}, {}, sizes}, {{DType::float32, {2, 3}}})[0];
  check_close(y, {2.75, 4.25, 5.75, 10.25, 11.75, 13.25});
}

TEST_CASE("Resize takes a subset of axes and keeps aspect ratios", "[kernels][SX-18]") {
  Attributes a = attributes("nearest", "asymmetric", "floor");
  a.set("axes", Ints{-1});
  const Tensor x = ramp({2, 2});
  CHECK(KernelRunner("Resize", a).run({x, {}, {}, int64s({1}, {4})}, {{DType::float32, {2, 4}}})[0] == floats({2, 4}, {1, 1, 2, 2, 3, 3, 4, 4}));
  // sizes 7 x 8 of 2 x 2, not_larger: scale 3.5 for both axes, so 7 x 7.
  Attributes b = attributes("nearest", "asymmetric", "floor");
  b.set("keep_aspect_ratio_policy", "not_larger");
  const Tensor y = KernelRunner("Resize", b).run({x, {}, {}, int64s({2}, {7, 8})}, {{DType::float32, {7, 7}}})[0];
  for (int64_t r = 0; r < 7; ++r)
    for (int64_t c = 0; c < 7; ++c) REQUIRE(y.at<float>(r * 7 + c) == static_cast<float>(1 + 2 * (r >= 4) + (c >= 4)));
}

TEST_CASE("Resize works on integers, halves, strings and empty tensors", "[kernels][SX-18]") {
  const Attributes linear = attributes("linear", "align_corners"), nearest = attributes("nearest", "asymmetric", "floor");
  // 0 .. 9 in thirds: exactly 3 and 6, 2.999… is no 2.
  CHECK(by_sizes(linear, tensor<uint8_t>(DType::uint8, {2}, {0, 9}), {4}, DType::uint8) == tensor<uint8_t>(DType::uint8, {4}, {0, 3, 6, 9}));
  CHECK(by_sizes(linear, tensor<int32_t>(DType::int32, {2}, {0, -5}), {3}, DType::int32) == tensor<int32_t>(DType::int32, {3}, {0, -2, -5}));
  // Cubic overshoots; bytes stay in their range.
  const Tensor steep = tensor<uint8_t>(DType::uint8, {4}, {0, 0, 255, 255});
  const Tensor y = by_sizes(attributes("cubic", "half_pixel"), steep, {16}, DType::uint8);
  for (int64_t i = 0; i < 8; ++i) REQUIRE(y.at<uint8_t>(i) <= y.at<uint8_t>(15 - i));
  CHECK(y.at<uint8_t>(5) == 0);
  CHECK(y.at<uint8_t>(10) == 255);
  const Tensor half = tensor<uint16_t>(DType::float16, {2}, {float_to_half(1), float_to_half(2)});
  CHECK(half_to_float(by_sizes(linear, half, {3}, DType::float16).at<uint16_t>(1)) == 1.5f);
  CHECK(by_sizes(nearest, int64s({1}, {(int64_t{1} << 62) + 1}), {2}, DType::int64) == int64s({2}, {(int64_t{1} << 62) + 1, (int64_t{1} << 62) + 1}));
  CHECK(by_sizes(nearest, Tensor::strings({2}, {"a", "b"}), {4}, DType::string) == Tensor::strings({4}, {"a", "a", "b", "b"}));
  CHECK(by_sizes(linear, floats({0, 2}, {}), {0, 3}).count() == 0);
}

TEST_CASE("Resize keeps long last axes that are not resized", "[kernels][SX-18]") {
  std::vector<float> values(2 * 1200), expected;
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1200) + (i < 1200 ? 0.f : 10.f);
  for (const float step : {0.f, 5.f, 10.f})
    for (int i = 0; i < 1200; ++i) expected.push_back(static_cast<float>(i) + step);
  CHECK(by_sizes(attributes("linear", "align_corners"), floats({2, 1200}, values), {3, 1200}) == floats({3, 1200}, expected));
}

TEST_CASE("Resize: the two parts of complex numbers are interpolated alike", "[kernels][CR-9]") {
  const Tensor x = tensor<float>(DType::complex64, {1, 2}, {0, 10, 4, -30});
  // Positions -0.25 (the edge), 0.25, 0.75, 1.25 (the edge).
  CHECK(by_sizes(attributes("linear", "half_pixel"), x, {1, 4}, DType::complex64) == tensor<float>(DType::complex64, {1, 4}, {0, 10, 1, 0, 3, -20, 4, -30}));
  CHECK(by_sizes(attributes("linear", "half_pixel"), x, {2, 2}, DType::complex64) == tensor<float>(DType::complex64, {2, 2}, {0, 10, 4, -30, 0, 10, 4, -30}));
}
