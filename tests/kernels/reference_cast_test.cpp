#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <limits>

using namespace ge;
using namespace ge::testing;

namespace {

template <class To, class From>
std::vector<To> cast(DType from, std::vector<From> values, DType to) {
  const auto n = static_cast<int64_t>(values.size());
  const Tensor y = KernelRunner("Cast").run({tensor<From>(from, {n}, std::move(values))}, {{to, {n}}})[0];
  std::vector<To> out;
  for (int64_t i = 0; i < n; ++i) out.push_back(y.at<To>(i));
  return out;
}
template <class From>
std::vector<std::string> to_text(DType from, std::vector<From> values) {
  std::vector<std::string> out;
  const auto n = static_cast<int64_t>(values.size());
  KernelRunner runner("Cast");  // owns the characters
  const Tensor y = runner.run({tensor<From>(from, {n}, std::move(values))}, {{DType::string, {n}}})[0];
  for (int64_t i = 0; i < n; ++i) out.emplace_back(y.at<StringRef>(i).view());
  return out;
}
template <class To>
std::vector<To> from_text(std::vector<std::string> texts, DType to) {
  const auto n = static_cast<int64_t>(texts.size());
  const Tensor y = KernelRunner("Cast").run({Tensor::strings({n}, std::move(texts))}, {{to, {n}}})[0];
  std::vector<To> out;
  for (int64_t i = 0; i < n; ++i) out.push_back(y.at<To>(i));
  return out;
}
constexpr float inf = std::numeric_limits<float>::infinity(), quiet_nan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("casts to integers truncate floats and wrap integers", "[kernels][SX-18][CR-9]") {
  CHECK(cast<int32_t, float>(DType::float32, {2.9f, -2.9f, -0.5f}, DType::int32) == std::vector<int32_t>{2, -2, 0});
  CHECK(cast<int8_t, int16_t>(DType::int16, {200, -129}, DType::int8) == std::vector<int8_t>{-56, 127});
  CHECK(cast<uint64_t, int8_t>(DType::int8, {-1}, DType::uint64) == std::vector<uint64_t>{UINT64_MAX});
  CHECK(cast<int64_t, uint64_t>(DType::uint64, {UINT64_MAX}, DType::int64) == std::vector<int64_t>{-1});
  CHECK(cast<int64_t, int64_t>(DType::int64, {INT64_MAX}, DType::int64) == std::vector<int64_t>{INT64_MAX});
  // Out of range the standard leaves the result open; ours is defined: 64 bits saturate, the rest wraps, NaN is 0.
  CHECK(cast<uint8_t, float>(DType::float32, {-1, 257}, DType::uint8) == std::vector<uint8_t>{255, 1});
  CHECK(cast<int64_t, float>(DType::float32, {inf, -inf, quiet_nan, 1e30f}, DType::int64) == std::vector<int64_t>{INT64_MAX, INT64_MIN, 0, INT64_MAX});
  CHECK(cast<uint64_t, double>(DType::float64, {0x1p63, 1e30, -1}, DType::uint64) == std::vector<uint64_t>{uint64_t{1} << 63, UINT64_MAX, UINT64_MAX});
}

TEST_CASE("casts to bool are true for everything but zero", "[kernels][SX-18][CR-9]") {
  CHECK(cast<uint8_t, float>(DType::float32, {0, -0.0f, 0.1f, quiet_nan, -inf}, DType::boolean) == std::vector<uint8_t>{0, 0, 1, 1, 1});
  CHECK(cast<uint8_t, int64_t>(DType::int64, {0, 256, -1}, DType::boolean) == std::vector<uint8_t>{0, 1, 1});
  CHECK(cast<float, uint8_t>(DType::boolean, {0, 1}, DType::float32) == std::vector<float>{0, 1});
}

TEST_CASE("casts to floats round once, to nearest even", "[kernels][SX-18][CR-9]") {
  CHECK(cast<float, double>(DType::float64, {1 + 0x1p-24, 1e300}, DType::float32) == std::vector<float>{1, inf});
  // Just above the middle of two halves: rounding by way of float would see an exact tie.
  const double above_tie = 1 + 0x1p-11 + 0x1p-40;
  CHECK(cast<uint16_t, double>(DType::float64, {above_tie, 1 + 0x1p-11}, DType::float16) == std::vector<uint16_t>{0x3c01, 0x3c00});
  CHECK(cast<uint16_t, double>(DType::float64, {1 + 0x1p-8 + 0x1p-40}, DType::bfloat16) == std::vector<uint16_t>{0x3f81});
  CHECK(cast<uint16_t, float>(DType::float32, {65520, 65519, 0x1p-25f, -0.0f}, DType::float16) == std::vector<uint16_t>{0x7c00, 0x7bff, 0, 0x8000});
  // 2^24 + 1 and 2^53 + 1 do not fit; the second must not be rounded to double first.
  CHECK(cast<float, int32_t>(DType::int32, {16777217}, DType::float32) == std::vector<float>{16777216});
  CHECK(cast<float, int64_t>(DType::int64, {(int64_t{1} << 62) + (int64_t{1} << 38) + 1}, DType::float32) == std::vector<float>{0x1p62f + 0x1p39f});
  CHECK(cast<uint16_t, int64_t>(DType::int64, {(int64_t{1} << 62) + (int64_t{1} << 54) + 1, -(int64_t{1} << 62) - (int64_t{1} << 54) - 1}, DType::bfloat16) ==
        std::vector<uint16_t>{float_to_bfloat16(0x1.02p62f), float_to_bfloat16(-0x1.02p62f)});
  CHECK(std::isnan(half_to_float(cast<uint16_t, float>(DType::float32, {quiet_nan}, DType::float16)[0])));
}

TEST_CASE("every pair of convertible types agrees on small integers", "[kernels][SX-18]") {
  const DType all[] = {DType::float32, DType::float64, DType::float16, DType::bfloat16, DType::int8, DType::int16, DType::int32,
                       DType::int64, DType::uint8, DType::uint16, DType::uint32, DType::uint64};
  const Tensor start = tensor<uint8_t>(DType::uint8, {4}, {0, 1, 2, 100});
  for (DType a : all)
    for (DType b : all) {
      INFO(to_string(a) << " to " << to_string(b));
      const Tensor first = a == DType::uint8 ? start : KernelRunner("Cast").run({start}, {{a, {4}}})[0];
      const Tensor second = KernelRunner("CastLike").run({first, Tensor::zeros(b, {1})}, {{b, {4}}})[0];
      CHECK(*second.to_doubles() == std::vector<double>{0, 1, 2, 100});
    }
}

TEST_CASE("numbers become the shortest plain text", "[kernels][SX-18]") {
  CHECK(to_text<float>(DType::float32, {0.9767611f, 0.039187793f, -100, 1e10f, quiet_nan, inf, -inf}) ==
        std::vector<std::string>{"0.9767611", "0.039187793", "-100.0", "10000000000.0", "NaN", "INF", "-INF"});
  CHECK(to_text<double>(DType::float64, {0.1, 2.5}) == std::vector<std::string>{"0.1", "2.5"});
  CHECK(to_text<double>(DType::float64, {5e-324})[0].size() == 326);
  CHECK(to_text<double>(DType::float64, {-std::numeric_limits<double>::denorm_min() * 9007199254740991.0})[0].starts_with("-0.0"));
  CHECK(to_text<uint16_t>(DType::float16, {float_to_half(0.1f), float_to_half(65504)}) == std::vector<std::string>{"0.1", "65500.0"});
  CHECK(to_text<uint16_t>(DType::bfloat16, {float_to_bfloat16(3.140625f)}) == std::vector<std::string>{"3.14"});
  CHECK(to_text<int64_t>(DType::int64, {INT64_MIN, 0}) == std::vector<std::string>{"-9223372036854775808", "0"});
  CHECK(to_text<uint64_t>(DType::uint64, {UINT64_MAX}) == std::vector<std::string>{"18446744073709551615"});
  CHECK(to_text<uint8_t>(DType::boolean, {0, 1}) == std::vector<std::string>{"False", "True"});
}

TEST_CASE("texts become numbers", "[kernels][SX-18]") {
  CHECK(from_text<float>({"0.47892547", " 3 ", "1e-5", "1E8", "+2.5", "-.5", "1e999", "-1e999", "1e-999", "+INF", "-inf", "INF"}, DType::float32) ==
        std::vector<float>{0.47892547f, 3, 1e-5f, 1e8f, 2.5f, -0.5f, inf, -inf, 0, inf, -inf, inf});
  CHECK(std::isnan(from_text<float>({"nAn"}, DType::float32)[0]));
  CHECK(from_text<int32_t>({"100.5", "-7", "+8", "1e3"}, DType::int32) == std::vector<int32_t>{100, -7, 8, 1000});
  CHECK(from_text<int64_t>({"9223372036854775807"}, DType::int64) == std::vector<int64_t>{INT64_MAX});
  CHECK(from_text<uint64_t>({"18446744073709551615", "-1"}, DType::uint64) == std::vector<uint64_t>{UINT64_MAX, UINT64_MAX});
  CHECK(from_text<uint8_t>({"True", "false", "1", "0.0"}, DType::boolean) == std::vector<uint8_t>{1, 0, 1, 0});
  CHECK(from_text<uint16_t>({"1.5"}, DType::float16) == std::vector<uint16_t>{float_to_half(1.5f)});
}

TEST_CASE("texts that are no number end the run", "[kernels][SX-18]") {
  for (const char* bad : {"Hello", "", " ", "1.2.3", "0x10", "1e", "--1", "+-1", "1 2", "+", "-", ".", "infinite", "-e5"}) {
    INFO("'" << bad << "'");
    for (DType to : {DType::float32, DType::int32, DType::boolean}) CHECK_THROWS_WITH(from_text<uint8_t>({bad}, to), "a value is not allowed here");
  }
  CHECK_THROWS_WITH(from_text<int64_t>({"1e30"}, DType::int64), "a value is not allowed here");
  CHECK_THROWS_WITH(from_text<int64_t>({"NaN"}, DType::int64), "a value is not allowed here");
}

TEST_CASE("casts of nothing, and to the same type, are allowed", "[kernels][SX-18]") {
  CHECK(cast<float, int32_t>(DType::int32, {}, DType::float32).empty());
  CHECK(from_text<float>({}, DType::float32).empty());
  const Tensor text = Tensor::strings({1}, {"x"});
  CHECK(KernelRunner("Cast").run({text}, {{DType::string, {1}}})[0] == text);
  CHECK_THROWS_AS(KernelRunner("Cast").run({tensor<float>(DType::complex64, {1}, {0, 0})}, {{DType::float32, {1}}}), Error);
}
