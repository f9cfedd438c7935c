#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <limits>
#include <numeric>

using namespace ge;
using namespace ge::testing;

namespace {

constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

std::vector<int> bytes_of(const Tensor& t) {
  std::vector<int> out;
  for (std::byte b : t.bytes()) out.push_back(std::to_integer<int>(b));
  return out;
}
Tensor bytes(DType dtype, std::vector<int64_t> dims, std::vector<uint8_t> values) { return tensor<uint8_t>(dtype, std::move(dims), std::move(values)); }

Tensor cast(const Tensor& x, DType to, Attributes attributes = {}) { return KernelRunner("Cast", std::move(attributes)).run({x}, {{to, x.dims()}})[0]; }
std::vector<float> to_floats(const Tensor& x) {
  const Tensor y = cast(x, DType::float32);
  std::vector<float> out;
  for (int64_t i = 0; i < y.count(); ++i) out.push_back(y.at<float>(i));
  return out;
}
Attributes with(std::initializer_list<std::pair<const char*, AttributeValue>> values) {
  Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  return attributes;
}

}  // namespace

TEST_CASE("casts to 4 and 2 bits cut off and wrap, two and four elements to a byte, the rest of the last byte 0", "[kernels][CR-9]") {
  const Tensor x = floats({7}, {0, 1.9f, -1.9f, 7, -8, 8, 17});
  CHECK(bytes_of(cast(x, DType::int4)) == std::vector<int>{0x10, 0x7f, 0x88, 0x01});
  CHECK(bytes_of(cast(x, DType::uint4)) == std::vector<int>{0x10, 0x7f, 0x88, 0x01});
  CHECK(bytes_of(cast(x, DType::int2)) == std::vector<int>{0b11'11'01'00, 0b00'01'00'00});
  CHECK(bytes_of(cast(tensor<int32_t>(DType::int32, {3}, {200, -56, 5}), DType::int4)) == std::vector<int>{0x88, 0x05});
  CHECK(bytes_of(cast(tensor<uint8_t>(DType::boolean, {5}, {1, 0, 1, 1, 1}), DType::uint2)) == std::vector<int>{0b01'01'00'01, 1});
}

TEST_CASE("every code of 4 and 2 bits reads as its number", "[kernels][CR-9]") {
  const std::vector<uint8_t> nibbles{0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe};
  CHECK(to_floats(bytes(DType::uint4, {16}, nibbles)) == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(to_floats(bytes(DType::int4, {16}, nibbles)) == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1});
  CHECK(to_floats(bytes(DType::float4e2m1, {15}, nibbles)) == std::vector<float>{0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.f, -0.5f, -1, -1.5f, -2, -3, -4});
  CHECK(to_floats(bytes(DType::uint2, {4}, {0b11'10'01'00})) == std::vector<float>{0, 1, 2, 3});
  CHECK(to_floats(bytes(DType::int2, {3}, {0b11'10'01'00})) == std::vector<float>{0, 1, -2});
  CHECK(cast(bytes(DType::int4, {3}, {0x98, 0x07}), DType::int8) == tensor<int8_t>(DType::int8, {3}, {-8, -7, 7}));
}

TEST_CASE("chunks of a large packed tensor do not touch each other's bytes", "[kernels][CR-9]") {
  constexpr int64_t n = 1'000'003;
  std::vector<int32_t> values(n);
  std::iota(values.begin(), values.end(), 0);
  for (DType packed : {DType::uint4, DType::uint2}) {
    const Tensor y = cast(tensor<int32_t>(DType::int32, {n}, values), packed);
    const Tensor back = cast(y, DType::int32);
    const int32_t mask = packed == DType::uint4 ? 15 : 3;
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; ++i) wrong += back.at<int32_t>(i) != (values[static_cast<size_t>(i)] & mask);
    CHECK(wrong == 0);
  }
}

TEST_CASE("float8 casts saturate, or do not", "[kernels][CR-9]") {
  const Tensor x = floats({6}, {1, 464, 465, inf, -1000, quiet_nan});
  CHECK(bytes_of(cast(x, DType::float8e4m3fn)) == std::vector<int>{0x38, 0x7e, 0x7e, 0x7e, 0xfe, 0x7f});
  CHECK(bytes_of(cast(x, DType::float8e4m3fn, with({{"saturate", int64_t{0}}}))) == std::vector<int>{0x38, 0x7e, 0x7f, 0x7f, 0xff, 0x7f});
  CHECK(bytes_of(cast(floats({3}, {inf, -0.f, -2}), DType::float8e5m2fnuz, with({{"saturate", int64_t{0}}}))) == std::vector<int>{0x80, 0, 0xc4});
  CHECK(bytes_of(KernelRunner("CastLike", with({{"saturate", int64_t{0}}})).run({floats({1}, {1e6f}), bytes(DType::float8e5m2, {1}, {0})}, {{DType::float8e5m2, {1}}})[0]) ==
        std::vector<int>{0x7c});
}

TEST_CASE("float8e8m0 is rounded as round_mode says", "[kernels][CR-9]") {
  const Tensor x = floats({5}, {1, 1.25f, 1.5f, 0, inf});
  const auto by = [&](const char* mode, int64_t saturate) {
    return bytes_of(cast(x, DType::float8e8m0, with({{"round_mode", std::string(mode)}, {"saturate", saturate}})));
  };
  CHECK(by("up", 1) == std::vector<int>{127, 128, 128, 0, 254});
  CHECK(by("down", 1) == std::vector<int>{127, 127, 127, 0, 254});
  CHECK(by("nearest", 0) == std::vector<int>{127, 127, 128, 255, 255});
  // One above 2^60 is nearer to 2^60 than any double, and still more than it.
  CHECK(bytes_of(cast(tensor<uint64_t>(DType::uint64, {1}, {(uint64_t{1} << 60) + 1}), DType::float8e8m0)) == std::vector<int>{188});
  CHECK(to_floats(bytes(DType::float8e8m0, {2}, {127, 130})) == std::vector<float>{1, 8});
}

TEST_CASE("small types become texts and texts small types", "[kernels][CR-9]") {
  KernelRunner runner("Cast");
  const Tensor text = runner.run({bytes(DType::float8e4m3fn, {4}, {0x01, 0x7f, 0xfe, 0x39})}, {{DType::string, {4}}})[0];
  const auto number = [&](int64_t i) { return std::stof(std::string(text.at<StringRef>(i).view())); };
  CHECK(std::fabs(number(0) - 0x1p-9f) < 0x1p-12f);
  CHECK(text.at<StringRef>(1).view() == "NaN");
  CHECK(number(2) > -464);
  CHECK(number(2) < -432);
  CHECK(std::fabs(number(3) - 1.125f) < 0.0625f);
  CHECK(runner.run({bytes(DType::int4, {3}, {0x8f, 0x07})}, {{DType::string, {3}}})[0] == Tensor::strings({3}, {"-1", "-8", "7"}));
  const Tensor texts = Tensor::strings({3}, {"-3", "7", "2.5"});
  CHECK(bytes_of(cast(texts, DType::int4)) == std::vector<int>{0x7d, 0x02});
  CHECK(bytes_of(cast(texts, DType::float4e2m1)) == std::vector<int>{0x7d, 0x04});
  CHECK(bytes_of(cast(Tensor::strings({2}, {"1", "1e9"}), DType::float8e5m2, with({{"saturate", int64_t{0}}}))) == std::vector<int>{0x3c, 0x7c});
}

TEST_CASE("floats of 6 bits are cast, quantised and read back", "[kernels][CR-9]") {
  const Tensor x = floats({5}, {1, -1.5f, 100, 0.07f, quiet_nan});
  CHECK(bytes_of(cast(x, DType::float6e2m3)) == std::vector<int>{0x08, 0x2c, 0x1f, 0x01, 0});
  CHECK(bytes_of(cast(x, DType::float6e3m2)) == std::vector<int>{0x0c, 0x2e, 0x1f, 0x01, 0});
  CHECK(to_floats(bytes(DType::float6e3m2, {3}, {0x0c, 0x2e, 0x1f})) == std::vector<float>{1, -1.5f, 28});
  CHECK(bytes_of(KernelRunner("QuantizeLinear").run({floats({2}, {2, 60}), floats({}, {2}), {}}, {{DType::float6e3m2, {2}}})[0]) == std::vector<int>{0x0c, 0x1f});
}

TEST_CASE("BitCast keeps the bits", "[kernels][CR-9]") {
  const auto bit_cast = [](const Tensor& x, DType to) { return KernelRunner("BitCast").run({x}, {{to, x.dims()}})[0]; };
  CHECK(bit_cast(floats({2}, {1, -0.f}), DType::int32) == tensor<int32_t>(DType::int32, {2}, {0x3f800000, INT32_MIN}));
  CHECK(bit_cast(bytes(DType::uint4, {3}, {0x9f, 0x07}), DType::int4) == bytes(DType::int4, {3}, {0x9f, 0x07}));
  CHECK_THROWS_AS(bit_cast(floats({2}, {1, 2}), DType::int16), Error);
}

TEST_CASE("packed elements are moved one by one", "[kernels][CR-9]") {
  // [[1, 2, 3], [4, 5, 6], [7, 8, 9]] as nibbles.
  const Tensor x = bytes(DType::uint4, {3, 3}, {0x21, 0x43, 0x65, 0x87, 0x09});
  CHECK(KernelRunner("Transpose").run({x}, {{DType::uint4, {3, 3}}})[0] == bytes(DType::uint4, {3, 3}, {0x41, 0x27, 0x85, 0x63, 0x09}));
  // An element of 15 before each row.
  const Tensor padded = KernelRunner("Pad").run({x, int64s({4}, {0, 1, 0, 0}), bytes(DType::uint4, {}, {0x0f})}, {{DType::uint4, {3, 4}}})[0];
  CHECK(padded == bytes(DType::uint4, {3, 4}, {0x1f, 0x32, 0x4f, 0x65, 0x7f, 0x98}));
  const Tensor two = bytes(DType::int2, {5}, {0b11'10'01'00, 0b01});
  CHECK(KernelRunner("Pad").run({two, int64s({2}, {-1, 1}), {}}, {{DType::int2, {5}}})[0] == bytes(DType::int2, {5}, {0b01'11'10'01, 0}));
  CHECK(KernelRunner("Transpose").run({bytes(DType::int2, {}, {3})}, {{DType::int2, {}}})[0] == bytes(DType::int2, {}, {3}));
}

TEST_CASE("ConstantOfShape fills packed types to the last element", "[kernels][CR-9]") {
  const auto filled = [](DType dtype, uint8_t code, int64_t n) {
    return bytes_of(KernelRunner("ConstantOfShape", with({{"value", bytes(dtype, {1}, {code})}})).run({int64s({1}, {n})}, {{dtype, {n}}})[0]);
  };
  CHECK(filled(DType::int4, 0x0d, 5) == std::vector<int>{0xdd, 0xdd, 0x0d});
  CHECK(filled(DType::uint4, 0x0d, 4) == std::vector<int>{0xdd, 0xdd});
  CHECK(filled(DType::uint2, 0x02, 7) == std::vector<int>{0xaa, 0x2a});
  CHECK(filled(DType::float8e5m2, 0x3c, 3) == std::vector<int>{0x3c, 0x3c, 0x3c});
}

TEST_CASE("tests and moves of the remaining types", "[kernels][CR-9]") {
  CHECK(bytes_of(KernelRunner("IsNaN").run({bytes(DType::float8e4m3fn, {4}, {0x7f, 0xff, 0x7e, 0})}, {{DType::boolean, {4}}})[0]) == std::vector<int>{1, 1, 0, 0});
  CHECK(bytes_of(KernelRunner("IsInf", with({{"detect_negative", int64_t{0}}, {"detect_positive", int64_t{1}}}))
                     .run({bytes(DType::float8e5m2, {4}, {0x7c, 0xfc, 0x7e, 0})}, {{DType::boolean, {4}}})[0]) == std::vector<int>{1, 0, 0, 0});
  const Attributes shrink = with({{"lambd", 1.5f}, {"bias", 0.5f}});
  CHECK(KernelRunner("Shrink", shrink).run({tensor<int32_t>(DType::int32, {5}, {-3, -1, 0, 1, 3})}, {{DType::int32, {5}}})[0] ==
        tensor<int32_t>(DType::int32, {5}, {-2, 0, 0, 0, 2}));
  const Attributes whole = with({{"lambd", 1.0f}, {"bias", 2.0f}});
  CHECK(KernelRunner("Shrink", whole).run({tensor<uint64_t>(DType::uint64, {3}, {UINT64_MAX, 1, 5})}, {{DType::uint64, {3}}})[0] ==
        tensor<uint64_t>(DType::uint64, {3}, {UINT64_MAX - 2, 0, 3}));
}
