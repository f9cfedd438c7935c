#pragma once
#include "ge/base/dtype.hpp"

namespace ge {

// The floats of 8 bits and fewer: float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz (ONNX "Float stored in 8
// bits"), float4e2m1, float6e2m3, float6e3m2 and float8e8m0 (OCP Microscaling Formats 1.0). A code is the element's bits,
// the lowest ones of the byte.
namespace dtypes {
inline constexpr DTypeSet float8 = dtype_set(DType::float8e4m3fn, DType::float8e4m3fnuz, DType::float8e5m2, DType::float8e5m2fnuz);
inline constexpr DTypeSet small_floats = float8 | float6 | dtype_set(DType::float4e2m1, DType::float8e8m0);
/// Several elements to a byte.
inline constexpr DTypeSet packed = dtype_set(DType::uint4, DType::int4, DType::float4e2m1, DType::uint2, DType::int2);
}  // namespace dtypes

/// How a number between two powers of two becomes a float8e8m0, which has nothing but powers of two: `up` the larger,
/// `down` the smaller, `nearest` the one that is less far, of equals the larger.
enum class ScaleRounding : uint8_t { up, down, nearest };

/// What ONNX Cast (28) asks about numbers that a small float does not hold.
struct SmallRounding {
  bool saturate = true;  ///< beyond the largest: the largest; false: infinity where the type has one, else NaN
  ScaleRounding scale = ScaleRounding::up;
};

/// The number that a code of a small float stands for; exact.
GE_API double small_float_value(DType dtype, uint8_t code) noexcept;

/// The code of the nearest number, ties to the even code (float8e8m0: as `rounding.scale` says), by the tables of ONNX
/// Cast (28). What these leave open: floats of 6 and 4 bits know neither NaN nor infinity, NaN becomes 0 and all else saturates; a negative number as float8e8m0 is NaN; whether a number is too large is asked after rounding it.
GE_API uint8_t small_float_code(DType dtype, double value, SmallRounding rounding = {}) noexcept;

}  // namespace ge
