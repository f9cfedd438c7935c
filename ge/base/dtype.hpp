#pragma once
#include "ge/base/export.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ge {

/// All element types of ONNX; the numbers are those of TensorProto.DataType (ONNX IR version 14).
enum class DType : uint8_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
  float8e4m3fn = 17,
  float8e4m3fnuz = 18,
  float8e5m2 = 19,
  float8e5m2fnuz = 20,
  uint4 = 21,
  int4 = 22,
  float4e2m1 = 23,
  float8e8m0 = 24,
  uint2 = 25,
  int2 = 26,
  float6e2m3 = 27,
  float6e3m2 = 28,
};
inline constexpr unsigned dtype_count = 29;

/// Bits of one element as stored: 4-bit types two to a byte (low nibble first), 2-bit types four to a byte, floats of 6
/// bits one to a byte (six_bits.hpp); a string element is a StringRef (16 bytes). 0 for undefined.
GE_API unsigned bits_of(DType dtype) noexcept;
/// "float32", "bool", …; "undefined" for values out of range.
GE_API std::string_view to_string(DType dtype) noexcept;
GE_API std::optional<DType> dtype_from_name(std::string_view name) noexcept;
/// The type with that TensorProto number, nullopt when there is none (0 included).
GE_API std::optional<DType> dtype_from_onnx(int64_t number) noexcept;

/// Bytes of `count` elements rounded up to whole bytes; nullopt when it does not fit in int64.
GE_API std::optional<int64_t> bytes_for(DType dtype, int64_t count) noexcept;

/// A set of dtypes, one bit each.
using DTypeSet = uint32_t;
constexpr DTypeSet dtype_bit(DType dtype) { return DTypeSet{1} << static_cast<unsigned>(dtype); }
template <class... D>
constexpr DTypeSet dtype_set(D... dtypes) {
  return (dtype_bit(dtypes) | ... | 0u);
}
namespace dtypes {
inline constexpr DTypeSet float_ieee = dtype_set(DType::float32, DType::float16, DType::float64);
inline constexpr DTypeSet floats = float_ieee | dtype_bit(DType::bfloat16);
inline constexpr DTypeSet signed_ints = dtype_set(DType::int8, DType::int16, DType::int32, DType::int64);
inline constexpr DTypeSet unsigned_ints = dtype_set(DType::uint8, DType::uint16, DType::uint32, DType::uint64);
inline constexpr DTypeSet ints = signed_ints | unsigned_ints;
inline constexpr DTypeSet numeric = floats | ints;
inline constexpr DTypeSet boolean = dtype_bit(DType::boolean);
inline constexpr DTypeSet complex = dtype_set(DType::complex64, DType::complex128);
inline constexpr DTypeSet string = dtype_bit(DType::string);
inline constexpr DTypeSet float6 = dtype_set(DType::float6e2m3, DType::float6e3m2);
inline constexpr DTypeSet all = ((DTypeSet{1} << dtype_count) - 1) & ~DTypeSet{1};
}  // namespace dtypes
constexpr bool contains(DTypeSet set, DType dtype) { return (set & dtype_bit(dtype)) != 0; }

constexpr bool is_signed_int(DType d) { return contains(dtypes::signed_ints | dtype_set(DType::int4, DType::int2), d); }
constexpr bool is_unsigned_int(DType d) { return contains(dtypes::unsigned_ints | dtype_set(DType::uint4, DType::uint2), d); }
constexpr bool is_int(DType d) { return is_signed_int(d) || is_unsigned_int(d); }
constexpr bool is_float(DType d) {
  return contains(dtypes::floats | dtypes::float6 |
                      dtype_set(DType::float8e4m3fn, DType::float8e4m3fnuz, DType::float8e5m2, DType::float8e5m2fnuz, DType::float4e2m1, DType::float8e8m0), d);
}

/// An element of a string tensor: characters owned elsewhere (a constant, or the running instance's string pool).
struct StringRef {
  const char* data;
  uint64_t size;
  std::string_view view() const { return {data, static_cast<size_t>(size)}; }
};
static_assert(sizeof(StringRef) == 16);

}  // namespace ge
