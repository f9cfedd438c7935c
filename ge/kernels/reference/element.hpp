#pragma once
#include "ge/base/dtype.hpp"

#include <cstddef>
#include <cstdint>

namespace ge::reference {

// How elements become the few types that kernels compute in, and back. A kernel asks for its converters when it is
// prepared; running, it moves blocks of elements through them and knows no dtypes.
//
// All converters: `first` and `stride` are in elements of `base` (stride may be 0 or negative); `base` is aligned for
// its dtype; count 0 is allowed.

using LoadDoubles = void (*)(const void* base, int64_t first, int64_t count, int64_t stride, double* out) noexcept;
using LoadFloats = void (*)(const void* base, int64_t first, int64_t count, int64_t stride, float* out) noexcept;
using LoadInt64s = void (*)(const void* base, int64_t first, int64_t count, int64_t stride, int64_t* out) noexcept;
using LoadUint64s = void (*)(const void* base, int64_t first, int64_t count, int64_t stride, uint64_t* out) noexcept;
using StoreDoubles = void (*)(void* base, int64_t first, int64_t count, int64_t stride, const double* in) noexcept;
using StoreFloats = void (*)(void* base, int64_t first, int64_t count, int64_t stride, const float* in) noexcept;
using StoreInt64s = void (*)(void* base, int64_t first, int64_t count, int64_t stride, const int64_t* in) noexcept;
using StoreUint64s = void (*)(void* base, int64_t first, int64_t count, int64_t stride, const uint64_t* in) noexcept;

/// The dtypes of classic arithmetic: float16/32/64, bfloat16, 8 to 64-bit integers, bool.
inline constexpr DTypeSet convertible = dtypes::numeric | dtypes::boolean;

// The converter of a dtype; null when it is neither convertible nor one of the small types (packed.hpp).
//  - To a float dtype: rounded once, to nearest even; to a small float as small_float.hpp says by default.
//  - Between integers: wraps (two's complement).
//  - From float to integer: truncated toward zero, then wrapped; values beyond 64 bits saturate first, NaN gives 0.
//  - To bool: 1 where the value is not 0 (NaN is not 0).
LoadDoubles double_loader(DType dtype);
LoadFloats float_loader(DType dtype);
LoadInt64s int64_loader(DType dtype);
LoadUint64s uint64_loader(DType dtype);
StoreDoubles double_storer(DType dtype);
StoreFloats float_storer(DType dtype);
StoreInt64s int64_storer(DType dtype);
StoreUint64s uint64_storer(DType dtype);

// The same by type, for templates over the type they compute in (double, float, int64_t, uint64_t).
template <class T>
using LoadBlock = void (*)(const void* base, int64_t first, int64_t count, int64_t stride, T* out) noexcept;
template <class T>
using StoreBlock = void (*)(void* base, int64_t first, int64_t count, int64_t stride, const T* in) noexcept;
template <class T>
LoadBlock<T> loader(DType dtype);
template <class T>
StoreBlock<T> storer(DType dtype);

// Converters called by dtype, for single elements and code outside of inner loops.
void load_doubles(DType dtype, const void* base, int64_t first, int64_t count, int64_t stride, double* out);
void store_doubles(DType dtype, void* base, int64_t first, int64_t count, int64_t stride, const double* in);
void load_int64s(DType dtype, const void* base, int64_t first, int64_t count, int64_t stride, int64_t* out);
void store_int64s(DType dtype, void* base, int64_t first, int64_t count, int64_t stride, const int64_t* in);

/// A double as the nearest half or bfloat16 (rounded once, not by way of float).
uint16_t double_to_half(double value) noexcept;
uint16_t double_to_bfloat16(double value) noexcept;

/// Bytes of one element; 0 for types of less than a byte.
inline int64_t element_size(DType dtype) { return bits_of(dtype) / 8; }

}  // namespace ge::reference
