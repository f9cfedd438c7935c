#include "ge/base/tensor.hpp"

#include "support/catch.hpp"

#include <bit>
#include <cmath>
#include <limits>

using namespace ge;

namespace {

/// IEEE 754 binary16, written down from its definition: (-1)^s * 2^(e-15) * (1 + f/1024), 2^-14 * f/1024 for e = 0.
double half_by_definition(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

bool is_half_nan(uint16_t bits) { return (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0; }
bool is_bfloat_nan(uint16_t bits) { return (bits & 0x7f80) == 0x7f80 && (bits & 0x7f) != 0; }

}  // namespace

TEST_CASE("all 65536 halves widen to their value and come back", "[base]") {
  size_t wrong = 0;
  for (uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<uint16_t>(i);
    const float wide = half_to_float(bits);
    const double expected = half_by_definition(bits);
    if (is_half_nan(bits)) {
      wrong += !std::isnan(wide) || !is_half_nan(float_to_half(wide));
    } else {
      wrong += static_cast<double>(wide) != expected || std::signbit(wide) != std::signbit(expected);
      wrong += float_to_half(wide) != bits;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("floats between two halves go to the nearer one, ties to the even one", "[base]") {
  size_t wrong = 0;
  for (uint32_t i = 0; i < 0x7c00; ++i) {
    const auto low = static_cast<uint16_t>(i), high = static_cast<uint16_t>(i + 1);
    // 65504 is followed by 65536, which is out of range: half of the way there rounds to infinity.
    const double next = high == 0x7c00 ? 65536.0 : half_by_definition(high);
    const auto middle = static_cast<float>((half_by_definition(low) + next) / 2);  // exact: one bit more than a half
    const uint16_t even = low % 2 == 0 ? low : high;
    for (uint16_t sign : {uint16_t{0}, uint16_t{0x8000}}) {
      const float signed_middle = sign ? -middle : middle;
      wrong += float_to_half(signed_middle) != (even | sign);
      wrong += float_to_half(std::nextafter(signed_middle, 0.0f)) != (low | sign);
      wrong += float_to_half(std::nextafter(signed_middle, sign ? -INFINITY : INFINITY)) != (high | sign);
    }
  }
  CHECK(wrong == 0);
  CHECK(float_to_half(1e30f) == 0x7c00);
  CHECK(float_to_half(-INFINITY) == 0xfc00);
  CHECK(float_to_half(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(float_to_half(-std::numeric_limits<float>::denorm_min()) == 0x8000);
  // A NaN whose payload sits in the bits that go stays a NaN.
  CHECK(is_half_nan(float_to_half(std::bit_cast<float>(0x7f800001u))));
}

TEST_CASE("all 65536 bfloat16 are the upper half of a float", "[base]") {
  size_t wrong = 0;
  for (uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<uint16_t>(i);
    const float wide = bfloat16_to_float(bits);
    if (is_bfloat_nan(bits)) {
      wrong += !std::isnan(wide) || !is_bfloat_nan(float_to_bfloat16(wide));
      continue;
    }
    wrong += std::bit_cast<uint32_t>(wide) != i << 16;
    wrong += float_to_bfloat16(wide) != bits;
    if ((bits & 0x7fff) >= 0x7f80) continue;  // infinite: nothing lies above
    const float middle = std::bit_cast<float>(i << 16 | 0x8000u);
    const auto next = static_cast<uint16_t>(bits + 1);
    wrong += float_to_bfloat16(middle) != (bits % 2 == 0 ? bits : next);
    wrong += float_to_bfloat16(std::bit_cast<float>(i << 16 | 0x7fffu)) != bits;
    wrong += float_to_bfloat16(std::bit_cast<float>(i << 16 | 0x8001u)) != next;
  }
  CHECK(wrong == 0);
  CHECK(is_bfloat_nan(float_to_bfloat16(std::bit_cast<float>(0x7f800001u))));
  CHECK(float_to_bfloat16(std::numeric_limits<float>::max()) == 0x7f80);
}
