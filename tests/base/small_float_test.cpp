#include "ge/base/small_float.hpp"
#include "small_float_values.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <span>

using namespace ge;
namespace values = ge::testing::small_float_values;
using values::infinity;
using values::quiet_nan;

namespace {

struct Format {
  DType dtype;
  std::span<const double> positive;  ///< by code without sign
  uint8_t sign, largest;
  bool negative_zero;                ///< false: its code is NaN
};
const Format formats[] = {
    {DType::float8e4m3fn, values::e4m3fn, 0x80, 0x7e, true},
    {DType::float8e4m3fnuz, values::e4m3fnuz, 0x80, 0x7f, false},
    {DType::float8e5m2, values::e5m2, 0x80, 0x7b, true},
    {DType::float8e5m2fnuz, values::e5m2fnuz, 0x80, 0x7f, false},
    {DType::float4e2m1, values::e2m1, 0x08, 0x07, true},
    {DType::float6e2m3, values::e2m3, 0x20, 0x1f, true},
    {DType::float6e3m2, values::e3m2, 0x20, 0x1f, true},
};

bool same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)); }
uint8_t code(DType dtype, double value, bool saturate = true, ScaleRounding scale = ScaleRounding::up) {
  return small_float_code(dtype, value, {saturate, scale});
}

}  // namespace

TEST_CASE("every code of a small float stands for the number that numpy gives", "[base][CR-9]") {
  for (const Format& f : formats) {
    INFO(to_string(f.dtype));
    REQUIRE(f.positive.size() == f.sign);
    for (unsigned c = 0; c < f.sign; ++c) {
      INFO("code " << c);
      CHECK(same(small_float_value(f.dtype, static_cast<uint8_t>(c)), f.positive[c]));
      const double negative = c == 0 && !f.negative_zero ? quiet_nan : -f.positive[c];
      CHECK(same(small_float_value(f.dtype, static_cast<uint8_t>(c | f.sign)), negative));
    }
  }
  CHECK(small_float_value(DType::float4e2m1, 0xf3) == 1.5);  // only the low bits count
}

TEST_CASE("numbers of a small float come back as their codes; those between go to the nearest, ties to the even code", "[base][CR-9]") {
  for (const Format& f : formats) {
    INFO(to_string(f.dtype));
    for (unsigned c = 0; c <= f.largest; ++c) {
      INFO("code " << c);
      const double x = f.positive[c];
      const auto minus = static_cast<uint8_t>(c == 0 && !f.negative_zero ? 0 : c | f.sign);
      for (bool saturate : {true, false}) {
        CHECK(code(f.dtype, x, saturate) == c);
        CHECK(code(f.dtype, -x, saturate) == minus);
      }
      if (c == f.largest) break;
      const double middle = (x + f.positive[c + 1]) / 2;
      CHECK(code(f.dtype, middle) == (c % 2 == 0 ? c : c + 1));
      CHECK(code(f.dtype, std::nextafter(middle, 0.0)) == c);
      CHECK(code(f.dtype, std::nextafter(middle, infinity)) == c + 1);
      CHECK(code(f.dtype, -std::nextafter(middle, infinity)) == ((c + 1) | f.sign));
    }
    CHECK(code(f.dtype, 5e-324) == 0);
  }
}

TEST_CASE("beyond the largest float8 the tables of ONNX Cast hold", "[base][CR-9]") {
  // The next number would be 480, 256, 65536 and 65536; half way to it still rounds to the largest where that is even.
  CHECK(code(DType::float8e4m3fn, 464, false) == 0x7e);
  CHECK(code(DType::float8e4m3fn, std::nextafter(464.0, infinity), false) == 0x7f);
  CHECK(code(DType::float8e4m3fnuz, 248, false) == 0x80);
  CHECK(code(DType::float8e4m3fnuz, std::nextafter(248.0, 0.0), false) == 0x7f);
  CHECK(code(DType::float8e5m2, 61440, false) == 0x7c);
  CHECK(code(DType::float8e5m2, std::nextafter(61440.0, 0.0), false) == 0x7b);
  CHECK(code(DType::float8e5m2fnuz, 61440, false) == 0x80);
  struct Row {
    DType dtype;
    uint8_t not_a_number, minus_not_a_number, infinite, minus_infinite;  ///< not saturated
  };
  const Row rows[] = {{DType::float8e4m3fn, 0x7f, 0xff, 0x7f, 0xff},
                      {DType::float8e4m3fnuz, 0x80, 0x80, 0x80, 0x80},
                      {DType::float8e5m2, 0x7e, 0xfe, 0x7c, 0xfc},
                      {DType::float8e5m2fnuz, 0x80, 0x80, 0x80, 0x80}};
  for (const Row& row : rows) {
    INFO(to_string(row.dtype));
    const Format& f = *std::find_if(std::begin(formats), std::end(formats), [&](const Format& x) { return x.dtype == row.dtype; });
    for (double large : {infinity, 1e300, 65536.0, 1e6}) {
      CHECK(code(row.dtype, large) == f.largest);
      CHECK(code(row.dtype, -large) == (f.largest | 0x80));
      CHECK(code(row.dtype, large, false) == row.infinite);
      CHECK(code(row.dtype, -large, false) == row.minus_infinite);
    }
    for (bool saturate : {true, false}) {
      CHECK(code(row.dtype, quiet_nan, saturate) == row.not_a_number);
      CHECK(code(row.dtype, -quiet_nan, saturate) == row.minus_not_a_number);
    }
  }
  for (bool saturate : {true, false}) {
    CHECK(code(DType::float4e2m1, 1e9, saturate) == 7);
    CHECK(code(DType::float4e2m1, -infinity, saturate) == 15);
    CHECK(code(DType::float4e2m1, quiet_nan, saturate) == 0);
    CHECK(code(DType::float6e3m2, -30.0, saturate) == 0x3f);
    CHECK(code(DType::float6e2m3, quiet_nan, saturate) == 0);
  }
}

TEST_CASE("float8e8m0 has the powers of two from 2^-127 to 2^127", "[base][CR-9]") {
  constexpr DType e8m0 = DType::float8e8m0;
  for (int c = 0; c < 255; ++c) {
    const double x = std::ldexp(1.0, c - 127);
    CHECK(small_float_value(e8m0, static_cast<uint8_t>(c)) == x);
    for (ScaleRounding scale : {ScaleRounding::up, ScaleRounding::down, ScaleRounding::nearest}) CHECK(code(e8m0, x, false, scale) == c);
    if (c == 254) break;
    CHECK(code(e8m0, std::nextafter(x, infinity), true, ScaleRounding::up) == c + 1);
    CHECK(code(e8m0, std::nextafter(2 * x, 0.0), true, ScaleRounding::down) == c);
    CHECK(code(e8m0, 1.5 * x, true, ScaleRounding::nearest) == c + 1);
    CHECK(code(e8m0, std::nextafter(1.5 * x, 0.0), true, ScaleRounding::nearest) == c);
  }
  CHECK(std::isnan(small_float_value(e8m0, 0xff)));
}

TEST_CASE("what float8e8m0 does not hold follows the table of ONNX Cast", "[base][CR-9]") {
  constexpr DType e8m0 = DType::float8e8m0;
  const double beyond = 0x1p128, below = 0x1p-129;
  CHECK(code(e8m0, 0.0) == 0);
  CHECK(code(e8m0, infinity) == 0xfe);
  CHECK(code(e8m0, beyond) == 0xfe);
  CHECK(code(e8m0, below) == 0);
  CHECK(code(e8m0, quiet_nan) == 0xff);
  for (double x : {0.0, infinity, beyond, below, quiet_nan}) CHECK(code(e8m0, x, false, ScaleRounding::nearest) == 0xff);
  for (bool saturate : {true, false}) CHECK(code(e8m0, -1.0, saturate) == 0xff);
}
