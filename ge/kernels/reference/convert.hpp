#pragma once
#include "ge/base/small_float.hpp"
#include "ge/base/tensor.hpp"
#include "ge/kernels/reference/element.hpp"

#include <cmath>
#include <type_traits>

// How one element is converted: what the converters of element.hpp are made of.
namespace ge::reference {

// Stored forms of the dtypes whose C++ type is not their own.
struct Half {
  uint16_t bits;
};
struct Bfloat16 {
  uint16_t bits;
};
struct Boolean {
  uint8_t byte;
};
/// The code of a small float, one to a byte.
template <DType D>
struct SmallFloat {
  uint8_t code;
};

inline double widen(Half h) { return half_to_float(h.bits); }
inline double widen(Bfloat16 b) { return bfloat16_to_float(b.bits); }
inline uint8_t widen(Boolean b) { return b.byte; }
template <DType D>
double widen(SmallFloat<D> s) {
  return small_float_value(D, s.code);
}
template <class T>
T widen(T value) {
  return value;
}

/// Float to 64-bit integer with the rules of element.hpp, free of undefined conversions.
inline int64_t truncate(double value) {
  if (!(value > -0x1p63)) return std::isnan(value) ? 0 : INT64_MIN;
  return value < 0x1p63 ? static_cast<int64_t>(value) : INT64_MAX;
}
inline uint64_t truncate_unsigned(double value) {
  if (value < 0x1p63) return static_cast<uint64_t>(truncate(value));
  if (std::isnan(value)) return 0;
  return value < 0x1p64 ? static_cast<uint64_t>(value) : UINT64_MAX;
}

/// To double, so that a later rounding to fewer bits gives what rounding at once would: integers of more bits than a
/// double has keep in their last bit whether anything was lost.
template <class T>
double widen_to_odd(T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    constexpr T lost = 2047;
    constexpr T exact = T{1} << 53;
    if (value > exact || (std::is_signed_v<T> && value < T{0} - exact))
      return static_cast<double>((value & ~lost) | ((value & lost) != 0 ? lost + 1 : 0));
  }
  return static_cast<double>(value);
}

template <DType D>
SmallFloat<D> to_small_float(SmallFloat<D>, double value) {
  return {small_float_code(D, value)};
}
template <class T>
inline constexpr bool is_small_float = false;
template <DType D>
inline constexpr bool is_small_float<SmallFloat<D>> = true;

/// One element from the type computed in to the stored type, or back.
template <class To, class From>
To convert(From from) {
  if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, Bfloat16> || is_small_float<From>) {
    return convert<To>(widen(from));
  } else if constexpr (std::is_same_v<From, Boolean>) {
    return convert<To>(widen(from));
  } else if constexpr (std::is_same_v<To, Half>) {
    return {double_to_half(widen_to_odd(from))};
  } else if constexpr (std::is_same_v<To, Bfloat16>) {
    return {double_to_bfloat16(widen_to_odd(from))};
  } else if constexpr (is_small_float<To>) {
    return to_small_float(To{}, widen_to_odd(from));
  } else if constexpr (std::is_same_v<To, Boolean>) {
    return {static_cast<uint8_t>(from != From{0})};
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if constexpr (std::is_same_v<To, uint64_t>) return truncate_unsigned(static_cast<double>(from));
    return static_cast<To>(truncate(static_cast<double>(from)));
  } else {
    return static_cast<To>(from);
  }
}

}  // namespace ge::reference
