#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <limits>

using namespace ge;
using namespace ge::testing;

namespace {

constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

Attributes with(std::initializer_list<std::pair<const char*, AttributeValue>> values) {
  Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  return attributes;
}
Tensor bytes(DType dtype, std::vector<int64_t> dims, std::vector<uint8_t> values) { return tensor<uint8_t>(dtype, std::move(dims), std::move(values)); }
Tensor scalar(float value) { return floats({}, {value}); }
Tensor quantize(const std::vector<Tensor>& inputs, DType to, Attributes attributes = {}) {
  return KernelRunner("QuantizeLinear", std::move(attributes)).run(inputs, {{to, inputs[0].dims()}})[0];
}
Tensor dequantize(const std::vector<Tensor>& inputs, DType to = DType::float32, Attributes attributes = {}) {
  return KernelRunner("DequantizeLinear", std::move(attributes)).run(inputs, {{to, inputs[0].dims()}})[0];
}

}  // namespace

TEST_CASE("QuantizeLinear rounds ties to even before it adds the zero point, and saturates", "[kernels][CR-9]") {
  const Tensor x = floats({10}, {0, 1, 3, 5, -1, -3, 1000, -1000, inf, quiet_nan});
  // By 2: 0, 0.5, 1.5, 2.5, -0.5, -1.5, 500, -500; rounded 0, 0, 2, 2, -0, -2.
  CHECK(quantize({x, scalar(2), bytes(DType::uint8, {}, {129})}, DType::uint8) == bytes(DType::uint8, {10}, {129, 129, 131, 131, 129, 127, 255, 0, 255, 0}));
  CHECK(quantize({x, scalar(2), {}}, DType::int8) == tensor<int8_t>(DType::int8, {10}, {0, 0, 2, 2, 0, -2, 127, -128, 127, -128}));
  CHECK(quantize({x, scalar(0.01f), tensor<int16_t>(DType::int16, {}, {-5})}, DType::int16) ==
        tensor<int16_t>(DType::int16, {10}, {-5, 95, 295, 495, -105, -305, 32767, -32768, 32767, -32768}));
  CHECK(quantize({x, scalar(0.01f), {}}, DType::uint16) == tensor<uint16_t>(DType::uint16, {10}, {0, 100, 300, 500, 0, 0, 65535, 0, 65535, 0}));
}

TEST_CASE("QuantizeLinear to 4 and 2 bits packs odd counts", "[kernels][CR-9]") {
  const Tensor x = floats({5}, {0, 3, -3, 100, -100});
  CHECK(quantize({x, scalar(1), bytes(DType::int4, {}, {0x0f})}, DType::int4) == bytes(DType::int4, {5}, {0x2f, 0x7c, 0x08}));  // zero point -1
  CHECK(quantize({x, scalar(1), bytes(DType::uint4, {}, {0x01})}, DType::uint4) == bytes(DType::uint4, {5}, {0x41, 0xf0, 0x00}));
  CHECK(quantize({x, scalar(1), {}}, DType::int2) == bytes(DType::int2, {5}, {0b01'10'01'00, 0b10}));
  CHECK(quantize({x, scalar(2), {}}, DType::float4e2m1) == bytes(DType::float4e2m1, {5}, {0x30, 0x7b, 0x0f}));
}

TEST_CASE("each place of an axis may have its own scale and zero point", "[kernels][CR-9]") {
  const Tensor x = floats({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const Tensor scale = floats({3}, {1, 2, 4}), zero_point = bytes(DType::uint8, {3}, {10, 20, 30});
  // 3/2 = 1.5 and 5/2 rounds to even; 5/4, 6/4 = 1.5, 11/4, 12/4.
  CHECK(quantize({x, scale, zero_point}, DType::uint8) == bytes(DType::uint8, {2, 3, 2}, {11, 12, 22, 22, 31, 32, 17, 18, 24, 25, 33, 33}));
  CHECK(quantize({x, floats({2}, {1, 2}), {}}, DType::uint8, with({{"axis", int64_t{-1}}})) ==
        bytes(DType::uint8, {2, 3, 2}, {1, 1, 3, 2, 5, 3, 7, 4, 9, 5, 11, 6}));
  CHECK(dequantize({bytes(DType::uint8, {2, 3}, {11, 12, 13, 21, 22, 23}), floats({2}, {2, 3}), bytes(DType::uint8, {2}, {10, 20})}, DType::float32,
                   with({{"axis", int64_t{0}}})) == floats({2, 3}, {2, 4, 6, 3, 6, 9}));
}

TEST_CASE("blocks of an axis have a scale each, the last one may be short", "[kernels][CR-9]") {
  const Attributes blocks = with({{"axis", int64_t{0}}, {"block_size", int64_t{2}}});
  const Tensor x = floats({3, 2}, {2, 9, 4, 12, 5, 20});
  const Tensor scale = floats({2, 2}, {2, 3, 5, 10});
  CHECK(quantize({x, scale, bytes(DType::uint8, {2, 2}, {0, 1, 2, 3})}, DType::uint8, blocks) == bytes(DType::uint8, {3, 2}, {1, 4, 2, 5, 3, 5}));
  CHECK(dequantize({bytes(DType::int4, {3, 2}, {0x21, 0x43, 0x65}), scale, {}}, DType::float32, blocks) == floats({3, 2}, {2, 6, 6, 12, 25, 60}));
  const Attributes last = with({{"axis", int64_t{1}}, {"block_size", int64_t{3}}});
  CHECK(quantize({floats({1, 4}, {2, 4, 6, 8}), floats({1, 2}, {2, 4}), {}}, DType::uint8, last) == bytes(DType::uint8, {1, 4}, {1, 2, 3, 2}));
  CHECK_THROWS_AS(quantize({x, floats({2, 2}, {1, 1, 1, 1}), {}}, DType::uint8, with({{"axis", int64_t{0}}, {"block_size", int64_t{1}}})), Error);
  CHECK_THROWS_AS(quantize({x, floats({2, 2}, {1, 1, 1, 1}), {}}, DType::uint8), Error);
}

TEST_CASE("many elements in blocks are split into chunks that agree with one scale each", "[kernels][CR-9]") {
  constexpr int64_t rows = 997, columns = 301, block = 64, per_row = 5;
  std::vector<float> x, scale;
  for (int64_t i = 0; i < rows * columns; ++i) x.push_back(static_cast<float>(i % 7));
  for (int64_t i = 0; i < rows * per_row; ++i) scale.push_back(static_cast<float>(1 << (i % 3)));
  const Tensor y = quantize({floats({rows, columns}, x), floats({rows, per_row}, scale), {}}, DType::uint4, with({{"axis", int64_t{1}}, {"block_size", block}}));
  int64_t wrong = 0;
  for (int64_t i = 0; i < rows * columns; ++i) {
    const double quotient = x[static_cast<size_t>(i)] / scale[static_cast<size_t>(i / columns * per_row + i % columns / block)];
    const int code = (std::to_integer<int>(y.bytes()[static_cast<size_t>(i / 2)]) >> (i % 2 * 4)) & 15;
    wrong += code != static_cast<int>(std::nearbyint(quotient));
  }
  CHECK(wrong == 0);
}

TEST_CASE("the division has the precision of the scale, or the one asked for", "[kernels][CR-9]") {
  // 2049 is no float16: it becomes 2048 before it is divided.
  const Tensor x = floats({1}, {2049});
  CHECK(quantize({x, scalar(1), {}}, DType::int16) == tensor<int16_t>(DType::int16, {1}, {2049}));
  CHECK(quantize({x, tensor<uint16_t>(DType::float16, {}, {0x3c00}), {}}, DType::int16) == tensor<int16_t>(DType::int16, {1}, {2048}));
  CHECK(quantize({x, scalar(1), {}}, DType::int16, with({{"precision", static_cast<int64_t>(DType::float16)}})) == tensor<int16_t>(DType::int16, {1}, {2048}));
  CHECK(quantize({tensor<int32_t>(DType::int32, {2}, {100, -7}), scalar(3), {}}, DType::int8) == tensor<int8_t>(DType::int8, {2}, {33, -2}));
  CHECK(quantize({floats({2}, {8, 3}), bytes(DType::float8e8m0, {}, {128}), {}}, DType::int8) == tensor<int8_t>(DType::int8, {2}, {4, 2}));
}

TEST_CASE("QuantizeLinear to float8 saturates or not", "[kernels][CR-9]") {
  const Tensor x = floats({4}, {2, 2000, -inf, quiet_nan}), zero = bytes(DType::float8e4m3fn, {}, {0});
  CHECK(quantize({x, scalar(2), zero}, DType::float8e4m3fn) == bytes(DType::float8e4m3fn, {4}, {0x38, 0x7e, 0xfe, 0x7f}));
  CHECK(quantize({x, scalar(2), zero}, DType::float8e4m3fn, with({{"saturate", int64_t{0}}})) == bytes(DType::float8e4m3fn, {4}, {0x38, 0x7f, 0xff, 0x7f}));
}

TEST_CASE("DequantizeLinear of every kind of type", "[kernels][CR-9]") {
  CHECK(dequantize({bytes(DType::uint8, {3}, {0, 128, 255}), scalar(2), bytes(DType::uint8, {}, {128})}) == floats({3}, {-256, 0, 254}));
  CHECK(dequantize({tensor<int32_t>(DType::int32, {2}, {INT32_MIN, 3}), scalar(0.5f), {}}) == floats({2}, {-0x1p30f, 1.5f}));
  CHECK(dequantize({tensor<uint16_t>(DType::uint16, {2}, {65535, 0}), scalar(1), tensor<uint16_t>(DType::uint16, {}, {32767})}) == floats({2}, {32768, -32767}));
  CHECK(dequantize({bytes(DType::int4, {3}, {0x78, 0x0f}), scalar(2), bytes(DType::int4, {}, {0x01})}) == floats({3}, {-18, 12, -4}));
  CHECK(dequantize({bytes(DType::int2, {3}, {0b11'10'01}), scalar(3), {}}) == floats({3}, {3, -6, -3}));
  CHECK(dequantize({bytes(DType::float4e2m1, {3}, {0x7f, 0x01}), scalar(2), {}}) == floats({3}, {-12, 12, 1}));
  CHECK(dequantize({bytes(DType::float8e5m2, {2}, {0x3c, 0x7c}), scalar(3), {}}) == floats({2}, {3, inf}));
  CHECK(dequantize({bytes(DType::uint8, {2}, {1, 3}), bytes(DType::float8e8m0, {}, {130}), {}}, DType::bfloat16) ==
        tensor<uint16_t>(DType::bfloat16, {2}, {float_to_bfloat16(8), float_to_bfloat16(24)}));
  CHECK(dequantize({bytes(DType::uint8, {1}, {3}), tensor<uint16_t>(DType::float16, {}, {0x3c00}), {}}, DType::float16) == tensor<uint16_t>(DType::float16, {1}, {float_to_half(3)}));
}

TEST_CASE("DynamicQuantizeLinear takes 0 into the range", "[kernels][CR-9]") {
  const auto run = [](const Tensor& x) { return KernelRunner("DynamicQuantizeLinear").run({x}, {{DType::uint8, x.dims()}, {DType::float32, {}}, {DType::uint8, {}}}); };
  // Range -1 to 4: scale 5 / 255, zero point 51; 4 / scale + 51 = 255.
  auto y = run(floats({4}, {-1, 0, 4, 1}));
  CHECK(y[0] == bytes(DType::uint8, {4}, {0, 51, 255, 102}));
  CHECK(y[1] == scalar(5.0f / 255));
  CHECK(y[2] == bytes(DType::uint8, {}, {51}));
  y = run(floats({2}, {255, 51}));
  CHECK(y[0] == bytes(DType::uint8, {2}, {255, 51}));
  CHECK(y[2] == bytes(DType::uint8, {}, {0}));
  y = run(floats({2}, {-255, -1}));
  CHECK(y[0] == bytes(DType::uint8, {2}, {0, 254}));
  CHECK(y[2] == bytes(DType::uint8, {}, {255}));
  y = run(floats({2}, {0, 0}));
  CHECK(y[0] == bytes(DType::uint8, {2}, {0, 0}));
  y = run(floats({3}, {quiet_nan, 1, 0}));
  CHECK(y[0] == bytes(DType::uint8, {3}, {0, 255, 0}));
}
