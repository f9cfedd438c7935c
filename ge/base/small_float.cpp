#include "ge/base/small_float.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ge {
namespace {

/// What the codes above the largest finite number are.
enum class Above : uint8_t {
  none,           ///< there are none
  nan,            ///< NaN
  infinity_nan,   ///< infinity, then NaN
  zero_sign_nan,  ///< there are none; the code of -0 is the only NaN
};

struct Form {
  int fraction_bits, bias;
  unsigned sign, largest;  ///< the sign's bit; the code of the largest number
  Above above;
  unsigned nan;            ///< the code of NaN without its sign
};

Form form_of(DType dtype) {
  switch (dtype) {
    case DType::float8e4m3fn: return {3, 7, 0x80, 0x7e, Above::nan, 0x7f};
    case DType::float8e4m3fnuz: return {3, 8, 0x80, 0x7f, Above::zero_sign_nan, 0x80};
    case DType::float8e5m2: return {2, 15, 0x80, 0x7b, Above::infinity_nan, 0x7e};
    case DType::float8e5m2fnuz: return {2, 16, 0x80, 0x7f, Above::zero_sign_nan, 0x80};
    case DType::float6e2m3: return {3, 1, 0x20, 0x1f, Above::none, 0};
    case DType::float6e3m2: return {2, 3, 0x20, 0x1f, Above::none, 0};
    default: return {1, 1, 0x08, 0x07, Above::none, 0};  // float4e2m1
  }
}

constexpr int scale_bias = 127;
constexpr uint8_t scale_nan = 0xff;

uint8_t scale_code(double value, SmallRounding rounding) {
  if (std::isnan(value) || value < 0) return scale_nan;
  if (value == 0) return rounding.saturate ? 0 : scale_nan;
  if (std::isinf(value)) return rounding.saturate ? scale_nan - 1 : scale_nan;
  int exponent = 0;
  const double mantissa = 2 * std::frexp(value, &exponent);  // 1 <= mantissa < 2
  const double larger_from = rounding.scale == ScaleRounding::nearest ? 1.5 : std::nextafter(1.0, 2.0);
  if (rounding.scale == ScaleRounding::down || mantissa < larger_from) --exponent;
  const int code = exponent + scale_bias;
  if (code >= 0 && code < scale_nan) return static_cast<uint8_t>(code);
  return rounding.saturate ? static_cast<uint8_t>(std::clamp(code, 0, scale_nan - 1)) : scale_nan;
}

}  // namespace

double small_float_value(DType dtype, uint8_t code) noexcept {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (dtype == DType::float8e8m0) return code == scale_nan ? nan : std::ldexp(1.0, code - scale_bias);
  const Form form = form_of(dtype);
  const unsigned magnitude = code & (form.sign - 1);
  const bool negative = (code & form.sign) != 0;
  double value = 0;
  if (form.above == Above::zero_sign_nan && magnitude == 0 && negative) return nan;
  if (magnitude > form.largest) {
    value = form.above == Above::infinity_nan && magnitude == form.largest + 1 ? std::numeric_limits<double>::infinity() : nan;
  } else {
    const unsigned one = 1u << form.fraction_bits;
    const int exponent = static_cast<int>(magnitude >> form.fraction_bits);
    const unsigned fraction = magnitude & (one - 1);
    value = exponent == 0 ? std::ldexp(fraction, 1 - form.bias - form.fraction_bits)
                          : std::ldexp(fraction + one, exponent - form.bias - form.fraction_bits);
  }
  return negative ? -value : value;
}

uint8_t small_float_code(DType dtype, double value, SmallRounding rounding) noexcept {
  if (dtype == DType::float8e8m0) return scale_code(value, rounding);
  const Form form = form_of(dtype);
  const unsigned sign = std::signbit(value) && form.above != Above::zero_sign_nan ? form.sign : 0;
  if (std::isnan(value)) return static_cast<uint8_t>(form.above == Above::none ? 0 : sign | form.nan);

  // Numbers of one exponent are whole steps apart; below the least exponent the steps stay as they are. Counted on from
  // step 0 these numbers of steps are the codes.
  const int least = 1 - form.bias;
  const double magnitude = std::fabs(value);
  unsigned code = form.largest + 1;
  if (magnitude < 0x1p17) {  // more than twice the largest of all
    const int exponent = magnitude == 0 ? least : std::max(std::ilogb(magnitude), least);
    const double steps = std::nearbyint(std::ldexp(magnitude, form.fraction_bits - exponent));
    code = (static_cast<unsigned>(exponent - least) << form.fraction_bits) + static_cast<unsigned>(steps);
  }
  if (code > form.largest) {
    if (rounding.saturate || form.above == Above::none) code = form.largest;
    else if (form.above == Above::infinity_nan) code = form.largest + 1;
    else return static_cast<uint8_t>(sign | form.nan);
  }
  const bool minus = std::signbit(value) && !(code == 0 && form.above == Above::zero_sign_nan);
  return static_cast<uint8_t>(minus ? code | form.sign : code);
}

}  // namespace ge
