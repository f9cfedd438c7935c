#include "ge/kernels/reference/window.hpp"
#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <random>

using namespace ge;
using namespace ge::testing;
using Ints = std::vector<int64_t>;

namespace {

Tensor random_floats(std::mt19937& random, Ints dims) {
  std::vector<float> values(static_cast<size_t>(*element_count(dims)));
  std::normal_distribution<float> normal;
  for (float& v : values) v = normal(random);
  return floats(std::move(dims), std::move(values));
}

void check_close(const Tensor& found, const std::vector<double>& expected, double absolute = 1e-5, double relative = 1e-4) {
  REQUIRE(found.count() == static_cast<int64_t>(expected.size()));
  const auto values = *found.to_doubles();
  for (size_t i = 0; i < values.size(); ++i) {
    INFO("element " << i << ": " << values[i] << ", expected " << expected[i]);
    REQUIRE(std::fabs(values[i] - expected[i]) <= absolute + relative * std::fabs(expected[i]));
  }
}

/// Random geometry of a convolution over `rank` spatial axes; all begin pads come first.
struct Geometry {
  int64_t batch, groups, channels, maps;  // channels and maps per group
  Ints input, kernel, stride, dilation, pads, output, extra;
  size_t rank() const { return input.size(); }
};

int64_t pick(std::mt19937& random, int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); }

Geometry random_geometry(std::mt19937& random, size_t rank, bool large) {
  Geometry g;
  g.batch = pick(random, 0, 9) == 0 ? 0 : pick(random, 1, 2);
  g.groups = pick(random, 1, 3);
  g.channels = pick(random, 1, large ? 20 : 4);
  g.maps = pick(random, 1, large ? 40 : 5);
  g.pads.assign(2 * rank, 0);
  for (size_t i = 0; i < rank; ++i) {
    g.input.push_back(pick(random, 1, rank == 3 ? 6 : large ? 15 : 11));
    g.kernel.push_back(pick(random, 1, 4));
    g.stride.push_back(pick(random, 1, 3));
    g.dilation.push_back(pick(random, 1, 3));
    g.pads[i] = pick(random, 0, 3), g.pads[rank + i] = pick(random, 0, 3);
    g.extra.push_back(pick(random, 0, std::max(g.stride.back(), g.dilation.back()) - 1));
  }
  return g;
}

/// Calls `visit` with each index of a box.
template <class Visit>
void for_each_index(const Ints& box, Visit visit) {
  const int64_t count = *element_count(box);
  Ints at(box.size());
  for (int64_t n = 0; n < count; ++n) {
    int64_t rest = n;
    for (size_t i = box.size(); i-- > 0; rest /= box[i]) at[i] = rest % box[i];
    visit(at);
  }
}

int64_t offset(const Ints& box, const Ints& at) {
  int64_t o = 0;
  for (size_t i = 0; i < box.size(); ++i) o = o * box[i] + at[i];
  return o;
}

Ints join(Ints a, const Ints& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<double> naive_conv(const Geometry& g, const Tensor& x, const Tensor& w, const Tensor& bias) {
  const auto vx = *x.to_doubles(), vw = *w.to_doubles(), vb = bias ? *bias.to_doubles() : std::vector<double>(static_cast<size_t>(g.groups * g.maps));
  std::vector<double> y;
  for (int64_t n = 0; n < g.batch; ++n)
    for (int64_t m = 0; m < g.groups * g.maps; ++m)
      for_each_index(g.output, [&](const Ints& o) {
        double sum = vb[static_cast<size_t>(m)];
        for (int64_t c = 0; c < g.channels; ++c)
          for_each_index(g.kernel, [&](const Ints& k) {
            Ints i(g.rank());
            for (size_t a = 0; a < g.rank(); ++a) {
              i[a] = o[a] * g.stride[a] + k[a] * g.dilation[a] - g.pads[a];
              if (i[a] < 0 || i[a] >= g.input[a]) return;
            }
            const int64_t channel = m / g.maps * g.channels + c;
            sum += vx[static_cast<size_t>((n * g.groups * g.channels + channel) * *element_count(g.input) + offset(g.input, i))] *
                   vw[static_cast<size_t>((m * g.channels + c) * *element_count(g.kernel) + offset(g.kernel, k))];
          });
        y.push_back(sum);
      });
  return y;
}

std::vector<double> naive_transpose(const Geometry& g, const Tensor& x, const Tensor& w, const Tensor& bias) {
  const auto vx = *x.to_doubles(), vw = *w.to_doubles();
  const int64_t out = *element_count(g.output), in = *element_count(g.input), taps = *element_count(g.kernel);
  std::vector<double> y(static_cast<size_t>(g.batch * g.groups * g.maps * out));
  for (int64_t n = 0; n < g.batch; ++n)
    for (int64_t c = 0; c < g.groups * g.channels; ++c)
      for (int64_t m = 0; m < g.maps; ++m)
        for_each_index(g.input, [&](const Ints& i) {
          for_each_index(g.kernel, [&](const Ints& k) {
            Ints o(g.rank());
            for (size_t a = 0; a < g.rank(); ++a) {
              o[a] = i[a] * g.stride[a] + k[a] * g.dilation[a] - g.pads[a];
              if (o[a] < 0 || o[a] >= g.output[a]) return;
            }
            const int64_t map = c / g.channels * g.maps + m;
            y[static_cast<size_t>((n * g.groups * g.maps + map) * out + offset(g.output, o))] +=
                vx[static_cast<size_t>((n * g.groups * g.channels + c) * in + offset(g.input, i))] *
                vw[static_cast<size_t>((c * g.maps + m) * taps + offset(g.kernel, k))];
          });
        });
  if (bias)
    for (size_t i = 0; i < y.size(); ++i) y[i] += static_cast<double>(bias.at<float>(static_cast<int64_t>(i) / out % (g.groups * g.maps)));
  return y;
}

Attributes attributes_of(const Geometry& g, bool with_pads) {
  Attributes a;
  a.set("group", g.groups);
  a.set("strides", g.stride);
  a.set("dilations", g.dilation);
  if (with_pads) a.set("pads", g.pads);
  return a;
}

}  // namespace

TEST_CASE("Conv agrees with the direct formula on random geometries", "[kernels][SX-18]") {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    Geometry g = random_geometry(random, 1 + seed % 3, seed % 4 == 0);
    if (seed % 10 == 1) g.channels = g.maps = 1;  // depthwise
    const std::string auto_pad = std::vector<std::string>{"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}[seed / 3 % 4];
    bool fits = true;
    for (size_t i = 0; i < g.rank(); ++i) {
      const int64_t extent = (g.kernel[i] - 1) * g.dilation[i] + 1;
      int64_t& begin = g.pads[i];
      int64_t& end = g.pads[g.rank() + i];
      if (auto_pad == "VALID") begin = end = 0;
      if (auto_pad.starts_with("SAME")) {
        g.output.push_back((g.input[i] + g.stride[i] - 1) / g.stride[i]);
        const int64_t total = std::max<int64_t>(0, (g.output[i] - 1) * g.stride[i] + extent - g.input[i]);
        begin = auto_pad == "SAME_UPPER" ? total / 2 : (total + 1) / 2;
      } else {
        const int64_t room = g.input[i] + begin + end - extent;
        fits = fits && room >= 0;
        g.output.push_back(room / g.stride[i] + 1);
      }
    }
    if (!fits) continue;
    CAPTURE(seed, g.batch, g.groups, g.channels, g.maps, g.input, g.kernel, g.stride, g.dilation, g.pads, auto_pad);
    const Tensor x = random_floats(random, join({g.batch, g.groups * g.channels}, g.input));
    const Tensor w = random_floats(random, join({g.groups * g.maps, g.channels}, g.kernel));
    const Tensor bias = seed % 2 ? random_floats(random, {g.groups * g.maps}) : Tensor();
    Attributes attributes = attributes_of(g, auto_pad == "NOTSET");
    attributes.set("auto_pad", auto_pad);
    if (seed % 2) attributes.set("kernel_shape", g.kernel);
    const Tensor y = KernelRunner("Conv", attributes).run({x, w, bias}, {{DType::float32, join({g.batch, g.groups * g.maps}, g.output)}})[0];
    check_close(y, naive_conv(g, x, w, bias));
  }
}

TEST_CASE("ConvTranspose agrees with the direct formula on random geometries", "[kernels][SX-18]") {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed + 1000);
    Geometry g = random_geometry(random, 1 + seed % 3, seed % 4 == 0);
    // 0: pads; 1: output_shape; 2: output_shape with SAME_UPPER; 3: SAME_UPPER; 4: SAME_LOWER
    const uint32_t form = seed / 3 % 5;
    Attributes attributes = attributes_of(g, form == 0);
    bool fits = true;
    for (size_t i = 0; i < g.rank(); ++i) {
      const int64_t full = g.stride[i] * (g.input[i] - 1) + g.extra[i] + (g.kernel[i] - 1) * g.dilation[i] + 1;
      int64_t& begin = g.pads[i];
      if (form == 0) {
        g.output.push_back(full - begin - g.pads[g.rank() + i]);
      } else {
        g.output.push_back(form >= 3 ? g.input[i] * g.stride[i] : std::max<int64_t>(1, full - pick(random, 0, 4)));
        const int64_t total = std::max<int64_t>(0, full - g.output[i]);
        begin = form == 2 || form == 3 ? total / 2 : total - total / 2;
      }
      fits = fits && g.output[i] > 0;
    }
    if (!fits) continue;
    if (form == 1 || form == 2) attributes.set("output_shape", g.output);
    if (form >= 2) attributes.set("auto_pad", form == 4 ? "SAME_LOWER" : "SAME_UPPER");
    attributes.set("output_padding", g.extra);
    CAPTURE(seed, form, g.batch, g.groups, g.channels, g.maps, g.input, g.kernel, g.stride, g.dilation, g.pads, g.extra, g.output);
    const Tensor x = random_floats(random, join({g.batch, g.groups * g.channels}, g.input));
    const Tensor w = random_floats(random, join({g.groups * g.channels, g.maps}, g.kernel));
    const Tensor bias = seed % 2 ? random_floats(random, {g.groups * g.maps}) : Tensor();
    const Tensor y = KernelRunner("ConvTranspose", attributes).run({x, w, bias}, {{DType::float32, join({g.batch, g.groups * g.maps}, g.output)}})[0];
    check_close(y, naive_transpose(g, x, w, bias));
  }
}

TEST_CASE("Conv of a 3 by 3 box of ones sums neighbours", "[kernels][SX-18]") {
  // 1 2 3 / 4 5 6 / 7 8 9 padded by one: corner 1+2+4+5, centre 45.
  Attributes attributes;
  attributes.set("pads", Ints{1, 1, 1, 1});
  const Tensor x = floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), w = floats({1, 1, 3, 3}, std::vector<float>(9, 1.f));
  const Tensor y = KernelRunner("Conv", attributes).run({x, w}, {{DType::float32, {1, 1, 3, 3}}})[0];
  CHECK(y == floats({1, 1, 3, 3}, {12, 21, 16, 27, 45, 33, 24, 39, 28}));
}

TEST_CASE("ConvTranspose of stride 2 lays kernels side by side", "[kernels][SX-18]") {
  Attributes attributes;
  attributes.set("strides", Ints{2});
  const Tensor x = floats({1, 1, 2}, {10, 100}), w = floats({1, 1, 3}, {1, 2, 3}), bias = floats({1}, {0.5f});
  // 10 20 30 . .  +  . . 100 200 300
  const Tensor y = KernelRunner("ConvTranspose", attributes).run({x, w, bias}, {{DType::float32, {1, 1, 5}}})[0];
  CHECK(y == floats({1, 1, 5}, {10.5f, 20.5f, 130.5f, 200.5f, 300.5f}));
}

TEST_CASE("Conv accumulates long sums and small dtypes exactly enough", "[kernels][SX-18]") {
  std::mt19937 random(2);
  Geometry g{1, 1, 2000, 2, {4, 4}, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, {4, 4}, {}};
  const Tensor x = random_floats(random, {1, 2000, 4, 4}), w = random_floats(random, {2, 2000, 3, 3});
  Attributes attributes = attributes_of(g, true);
  check_close(KernelRunner("Conv", attributes).run({x, w}, {{DType::float32, {1, 2, 4, 4}}})[0], naive_conv(g, x, w, {}));

  const std::vector<uint16_t> ones(4096, float_to_half(1)), wide(4096, float_to_bfloat16(1));
  const auto run = [](DType dtype, const std::vector<uint16_t>& values) {
    return KernelRunner("Conv").run({tensor<uint16_t>(dtype, {1, 4096, 1}, values), tensor<uint16_t>(dtype, {1, 4096, 1}, values)}, {{dtype, {1, 1, 1}}})[0];
  };
  CHECK(half_to_float(run(DType::float16, ones).at<uint16_t>(0)) == 4096.f);
  CHECK(bfloat16_to_float(run(DType::bfloat16, wide).at<uint16_t>(0)) == 4096.f);
  const Tensor d = tensor<double>(DType::float64, {1, 1, 2}, {1e-9, 1}), u = tensor<double>(DType::float64, {1, 1, 2}, {1, 1});
  CHECK(KernelRunner("Conv").run({d, u}, {{DType::float64, {1, 1, 1}}})[0].at<double>(0) == 1 + 1e-9);
}

TEST_CASE("Conv refuses channels that do not fit the groups", "[kernels][SX-18]") {
  Attributes attributes;
  attributes.set("group", int64_t{2});
  CHECK_THROWS_AS(KernelRunner("Conv", attributes).run({floats({1, 3, 1}, {1, 2, 3}), floats({2, 1, 1}, {1, 1})}, {{DType::float32, {1, 2, 1}}}), Error);
}

TEST_CASE("A window's outputs follow the shape rules of Conv and the pools", "[kernels][SX-18]") {
  using namespace ge::reference;
  const auto outputs = [](int64_t input, int64_t kernel, int64_t stride, int64_t pads, bool ceil_mode) {
    return window_outputs({input, 0, kernel, stride, 1, pads, pads}, AutoPad::notset, ceil_mode);
  };
  CHECK(outputs(5, 3, 2, 0, false) == 2);
  CHECK(outputs(6, 3, 2, 0, true) == 3);
  CHECK(outputs(9, 7, 3, 3, true) == 4);
  CHECK(outputs(2, 1, 2, 1, true) == 2);  // the third window would start at 4, in the end padding
  CHECK(outputs(2, 5, 1, 0, false) == 0);
  CHECK(window_outputs({7, 0, 3, 2, 1, 0, 0}, AutoPad::same_upper, false) == 4);
}
