#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <limits>
#include <random>

using namespace ge;
using namespace ge::testing;
using Ints = std::vector<int64_t>;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

void check_close(const Tensor& found, const std::vector<double>& expected) {
  REQUIRE(found.count() == static_cast<int64_t>(expected.size()));
  const auto values = *found.to_doubles();
  for (size_t i = 0; i < values.size(); ++i) {
    INFO("element " << i << ": " << values[i] << ", expected " << expected[i]);
    REQUIRE(std::fabs(values[i] - expected[i]) <= 1e-5 + 1e-4 * std::fabs(expected[i]));
  }
}

Attributes window(Ints kernel, Ints stride = {}, Ints pads = {}) {
  Attributes a;
  a.set("kernel_shape", std::move(kernel));
  if (!stride.empty()) a.set("strides", std::move(stride));
  if (!pads.empty()) a.set("pads", std::move(pads));
  return a;
}

/// Three axes always; fewer are one long.
struct Geometry {
  int64_t input[3], kernel[3], stride[3], dilation[3], begin[3], end[3], output[3];
};

struct Element {
  double value;
  int64_t z, y, x;
};

/// The elements of one window, and how many positions of it are in the image or its padding.
std::vector<Element> elements(const Geometry& g, const double* plane, int64_t oz, int64_t oy, int64_t ox, int64_t& padded) {
  std::vector<Element> found;
  padded = 0;
  for (int64_t kz = 0; kz < g.kernel[0]; ++kz)
    for (int64_t ky = 0; ky < g.kernel[1]; ++ky)
      for (int64_t kx = 0; kx < g.kernel[2]; ++kx) {
        const int64_t at[3] = {oz * g.stride[0] + kz * g.dilation[0] - g.begin[0], oy * g.stride[1] + ky * g.dilation[1] - g.begin[1],
                               ox * g.stride[2] + kx * g.dilation[2] - g.begin[2]};
        bool inside = true, in_padding = true;
        for (int a = 0; a < 3; ++a) {
          inside = inside && at[a] >= 0 && at[a] < g.input[a];
          in_padding = in_padding && at[a] >= -g.begin[a] && at[a] < g.input[a] + g.end[a];
        }
        if (inside) found.push_back({plane[(at[0] * g.input[1] + at[1]) * g.input[2] + at[2]], at[0], at[1], at[2]});
        padded += in_padding;
      }
  return found;
}

}  // namespace

TEST_CASE("The pools agree with the direct formulas on random geometries", "[kernels][SX-18]") {
  for (uint32_t seed = 0; seed < 240; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
    const size_t rank = 1 + seed % 3;
    const bool ceil_mode = pick(0, 1), column_major = pick(0, 1), count_include_pad = pick(0, 1);
    const std::string auto_pad = std::vector<std::string>{"NOTSET", "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}[static_cast<size_t>(pick(0, 4))];
    const int64_t batch = pick(0, 9) == 0 ? 0 : pick(1, 2), channels = pick(1, 3), p = pick(1, 3);
    Geometry g{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
    Ints kernel, stride, dilation, pads(2 * rank), in = {batch, channels}, out = in;
    bool fits = true;
    for (size_t i = 0; i < rank; ++i) {
      const size_t a = 3 - rank + i;
      g.input[a] = pick(1, rank == 3 ? 7 : 14), g.kernel[a] = pick(1, 4), g.stride[a] = pick(1, 4), g.dilation[a] = pick(1, 2);
      const int64_t extent = (g.kernel[a] - 1) * g.dilation[a] + 1;
      if (auto_pad == "NOTSET") g.begin[a] = pick(0, g.kernel[a] - 1), g.end[a] = pick(0, g.kernel[a] - 1);
      if (auto_pad.starts_with("SAME")) {
        g.output[a] = (g.input[a] + g.stride[a] - 1) / g.stride[a];
        const int64_t total = std::max<int64_t>(0, (g.output[a] - 1) * g.stride[a] + extent - g.input[a]);
        g.begin[a] = auto_pad == "SAME_UPPER" ? total / 2 : (total + 1) / 2;
        g.end[a] = total - g.begin[a];
      } else {
        const int64_t room = g.input[a] + g.begin[a] + g.end[a] - extent;
        fits = fits && room >= 0;
        g.output[a] = room / g.stride[a] + 1;
        if (ceil_mode && room % g.stride[a] != 0 && g.output[a] * g.stride[a] < g.input[a] + g.begin[a]) ++g.output[a];
      }
      pads[i] = g.begin[a], pads[rank + i] = g.end[a];
      kernel.push_back(g.kernel[a]), stride.push_back(g.stride[a]), dilation.push_back(g.dilation[a]);
      in.push_back(g.input[a]), out.push_back(g.output[a]);
    }
    if (!fits) continue;
    CAPTURE(seed, in, out, kernel, stride, dilation, pads, auto_pad, ceil_mode, count_include_pad, column_major, p);
    std::vector<float> values(static_cast<size_t>(*element_count(in)));
    for (float& v : values) v = static_cast<float>(pick(-20, 20));  // with ties
    const Tensor x = floats(in, values);
    Attributes attributes = window(kernel, stride);
    if (auto_pad == "NOTSET") attributes.set("pads", pads);
    attributes.set("auto_pad", auto_pad);
    attributes.set("dilations", dilation);
    attributes.set("ceil_mode", int64_t{ceil_mode});

    std::vector<double> maxima, averages, norms, indices;
    const auto data = *x.to_doubles();
    const int64_t plane_size = g.input[0] * g.input[1] * g.input[2];
    for (int64_t plane = 0; plane < batch * channels; ++plane)
      for (int64_t oz = 0; oz < g.output[0]; ++oz)
        for (int64_t oy = 0; oy < g.output[1]; ++oy)
          for (int64_t ox = 0; ox < g.output[2]; ++ox) {
            int64_t padded;
            const auto found = elements(g, data.data() + plane * plane_size, oz, oy, ox, padded);
            double best = -HUGE_VAL, sum = 0, norm = 0, index = static_cast<double>(plane * plane_size);
            for (const Element& e : found) {
              sum += e.value;
              norm += std::pow(std::fabs(e.value), p);
              if (e.value <= best) continue;
              best = e.value;
              index = static_cast<double>(plane * plane_size + (column_major ? (e.x * g.input[1] + e.y) * g.input[0] + e.z : (e.z * g.input[1] + e.y) * g.input[2] + e.x));
            }
            maxima.push_back(best);
            indices.push_back(index);
            averages.push_back(sum / static_cast<double>(std::max<int64_t>(1, count_include_pad ? padded : static_cast<int64_t>(found.size()))));
            norms.push_back(std::pow(norm, 1.0 / static_cast<double>(p)));
          }
    Attributes max_attributes = attributes, average_attributes = attributes, lp_attributes = attributes;
    max_attributes.set("storage_order", int64_t{column_major});
    average_attributes.set("count_include_pad", int64_t{count_include_pad});
    lp_attributes.set("p", p);
    const auto both = KernelRunner("MaxPool", max_attributes).run({x}, {{DType::float32, out}, {DType::int64, out}});
    const Tensor alone = KernelRunner("MaxPool", max_attributes).run({x}, {{DType::float32, out}})[0];
    REQUIRE(alone == both[0]);
    REQUIRE(*both[0].to_doubles() == maxima);
    REQUIRE(*both[1].to_doubles() == indices);
    check_close(KernelRunner("AveragePool", average_attributes).run({x}, {{DType::float32, out}})[0], averages);
    check_close(KernelRunner("LpPool", lp_attributes).run({x}, {{DType::float32, out}})[0], norms);
  }
}

TEST_CASE("AveragePool in ceil_mode divides the last window by its cells inside the padded image", "[kernels][SX-18]") {
  std::vector<float> values;
  for (int i = 1; i <= 9; ++i) values.push_back(static_cast<float>(i));
  for (int i = 1; i <= 9; ++i) values.push_back(static_cast<float>(-10 * i));
  Attributes attributes = window({7}, {3}, {3, 3});
  attributes.set("ceil_mode", int64_t{1});
  attributes.set("count_include_pad", int64_t{1});
  // Windows start at -3, 0, 3, 6; the last one has 7 8 9 and three cells of padding, its seventh cell is beyond.
  const Tensor y = KernelRunner("AveragePool", attributes).run({floats({1, 2, 9}, values)}, {{DType::float32, {1, 2, 4}}})[0];
  check_close(y, {10.0 / 7, 28.0 / 7, 39.0 / 7, 24.0 / 6, -100.0 / 7, -280.0 / 7, -390.0 / 7, -240.0 / 6});
}

TEST_CASE("Pools in ceil_mode have no window that starts in the end padding", "[kernels][SX-18]") {
  // 2 elements, kernel 1, stride 2, pads 1: windows at -1 (padding alone) and 1; one at 3 would be wholly in the end padding.
  Attributes attributes = window({1}, {2}, {1, 1});
  attributes.set("ceil_mode", int64_t{1});
  const Tensor x = floats({1, 1, 2}, {5, 7});
  CHECK(KernelRunner("MaxPool", attributes).run({x}, {{DType::float32, {1, 1, 2}}})[0] == floats({1, 1, 2}, {-infinity, 7}));
  CHECK(KernelRunner("AveragePool", attributes).run({x}, {{DType::float32, {1, 1, 2}}})[0] == floats({1, 1, 2}, {0, 7}));
  const Tensor bytes = tensor<int8_t>(DType::int8, {1, 1, 2}, {5, -7});
  CHECK(KernelRunner("MaxPool", attributes).run({bytes}, {{DType::int8, {1, 1, 2}}})[0] == tensor<int8_t>(DType::int8, {1, 1, 2}, {-128, -7}));
}

TEST_CASE("MaxPool lets NaN win and points at the first of equals", "[kernels][SX-18]") {
  const Tensor x = floats({1, 1, 6}, {1, not_a_number, 3, 3, not_a_number, not_a_number});
  const auto y = KernelRunner("MaxPool", window({2}, {2})).run({x}, {{DType::float32, {1, 1, 3}}, {DType::int64, {1, 1, 3}}});
  CHECK(std::isnan(y[0].at<float>(0)));
  CHECK(y[0].at<float>(1) == 3.f);
  CHECK(std::isnan(y[0].at<float>(2)));
  CHECK(y[1] == int64s({1, 1, 3}, {1, 2, 4}));
  CHECK(std::isnan(KernelRunner("MaxPool", window({2}, {2})).run({x}, {{DType::float32, {1, 1, 3}}})[0].at<float>(0)));
  const auto low = KernelRunner("MaxPool", window({2})).run({floats({1, 1, 2}, {-infinity, -infinity})}, {{DType::float32, {1, 1, 1}}, {DType::int64, {1, 1, 1}}});
  CHECK(low[0].at<float>(0) == -infinity);
  CHECK(low[1].at<int64_t>(0) == 0);
}

TEST_CASE("MaxPool takes bytes, and rows longer than a block", "[kernels][SX-18]") {
  const Tensor x = tensor<uint8_t>(DType::uint8, {1, 1, 2, 2}, {200, 3, 4, 255});
  CHECK(KernelRunner("MaxPool", window({2, 2})).run({x}, {{DType::uint8, {1, 1, 1, 1}}})[0] == tensor<uint8_t>(DType::uint8, {1, 1, 1, 1}, {255}));
  std::vector<float> row(1300), expected;
  for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(i * 7919 % 1301);
  for (size_t i = 0; i + 2 < row.size(); ++i) expected.push_back(std::max({row[i], row[i + 1], row[i + 2]}));
  CHECK(KernelRunner("MaxPool", window({3})).run({floats({1, 1, 1300}, row)}, {{DType::float32, {1, 1, 1298}}})[0] == floats({1, 1, 1298}, expected));
}

TEST_CASE("Global pools reduce each plane", "[kernels][SX-18]") {
  const Tensor x = floats({1, 2, 2, 2}, {1, 2, 3, 6, -3, 4, 0, 0});
  const std::vector<OutputSpec> out = {{DType::float32, {1, 2, 1, 1}}};
  CHECK(KernelRunner("GlobalAveragePool").run({x}, out)[0] == floats({1, 2, 1, 1}, {3, 0.25f}));
  CHECK(KernelRunner("GlobalMaxPool").run({x}, out)[0] == floats({1, 2, 1, 1}, {6, 4}));
  CHECK(KernelRunner("GlobalLpPool").run({x}, out)[0] == floats({1, 2, 1, 1}, {std::sqrt(50.f), 5}));
  Attributes one;
  one.set("p", int64_t{1});
  CHECK(KernelRunner("GlobalLpPool", one).run({x}, out)[0] == floats({1, 2, 1, 1}, {12, 7}));
  CHECK(std::isnan(KernelRunner("GlobalMaxPool").run({floats({1, 1, 3}, {1, not_a_number, 3})}, {{DType::float32, {1, 1, 1}}})[0].at<float>(0)));
  std::vector<float> values(5000);
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += static_cast<double>(values[i] = static_cast<float>(i % 97) / 3);
  check_close(KernelRunner("GlobalAveragePool").run({floats({1, 1, 5000}, values)}, {{DType::float32, {1, 1, 1}}})[0], {sum / 5000});
  CHECK(KernelRunner("GlobalAveragePool").run({floats({0, 2, 3}, {})}, {{DType::float32, {0, 2, 1}}})[0].count() == 0);
}

TEST_CASE("a window far larger than its image takes no longer than the image", "[kernels][CR-10]") {
  // A tap in the padding costs nothing, so 2^31 of them are no hang; with a stride of 2^30 most taps belong to no output.
  const Tensor x = tensor<float>(DType::float32, {1, 1, 3}, {1, 3, 2});
  const int64_t kernel = INT32_MAX, begin = kernel - 1;
  struct Case {
    const char* op;
    std::vector<double> dense, sparse;
  };
  for (const Case& c : {Case{"MaxPool", {1, 3, 3, 3}, {1, 3, 2}}, {"AveragePool", {1, 2, 2, 2}, {1, 2, 2}},
                        {"LpPool", {1, std::sqrt(10.0), std::sqrt(14.0), std::sqrt(14.0)}, {1, std::sqrt(14.0), 2}}}) {
    INFO(c.op);
    check_close(KernelRunner(c.op, window({kernel}, {1}, {begin, 1})).run({x}, {{DType::float32, {1, 1, 4}}})[0], c.dense);
    check_close(KernelRunner(c.op, window({kernel}, {1 << 30}, {begin, begin})).run({x}, {{DType::float32, {1, 1, 3}}})[0], c.sparse);
  }
}
