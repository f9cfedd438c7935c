#pragma once
#include "ge/base/dtype.hpp"

/// The dtype sets that ONNX's type constraints use again and again (opset 28).
namespace ge::onnx_types {

inline constexpr DTypeSet bits32_and_64 = dtype_set(DType::int32, DType::int64, DType::uint32, DType::uint64);
inline constexpr DTypeSet index = dtype_set(DType::int32, DType::int64);
inline constexpr DTypeSet int64 = dtype_bit(DType::int64);
inline constexpr DTypeSet float8 =
    dtype_set(DType::float8e4m3fn, DType::float8e4m3fnuz, DType::float8e5m2, DType::float8e5m2fnuz);
/// What the ops of opset 25 that only move elements take: floats of 6 bits came later.
inline constexpr DTypeSet movable = dtypes::all & ~dtypes::float6;
/// Floats and the 32- and 64-bit integers: MatMul, most reductions.
inline constexpr DTypeSet arithmetic = dtypes::floats | bits32_and_64;
/// Numbers, bool, complex and string, without the types of 8 bits and fewer that came later.
inline constexpr DTypeSet classic = dtypes::numeric | dtypes::boolean | dtypes::complex | dtypes::string;
inline constexpr DTypeSet signed_numeric = dtypes::floats | dtypes::signed_ints;

}  // namespace ge::onnx_types
