#include "ge/kernels/reference/element.hpp"

#include "ge/kernels/reference/convert.hpp"
#include "ge/kernels/reference/packed.hpp"

#include <bit>

namespace ge::reference {
namespace {

/// To float so that a later rounding to fewer bits gives what rounding `value` at once would: truncate, and keep in the
/// last bit whether anything was lost ("round to odd").
float narrow_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value) return nearest;
  auto bits = std::bit_cast<uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;  // rounded away from zero: step back
  return std::bit_cast<float>(bits | 1u);
}

template <class Stored, class T>
void load(const void* base, int64_t first, int64_t count, int64_t stride, T* out) noexcept {
  const Stored* from = static_cast<const Stored*>(base) + first;
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) out[i] = convert<T>(from[i]);
  } else if (stride == 0) {
    if (count == 0) return;
    const T value = convert<T>(*from);
    for (int64_t i = 0; i < count; ++i) out[i] = value;
  } else {
    for (int64_t i = 0; i < count; ++i) out[i] = convert<T>(from[i * stride]);
  }
}

template <class Stored, class T>
void store(void* base, int64_t first, int64_t count, int64_t stride, const T* in) noexcept {
  Stored* to = static_cast<Stored*>(base) + first;
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] = convert<Stored>(in[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i * stride] = convert<Stored>(in[i]);
  }
}

/// Calls `with` with a value of the dtype's stored form.
template <class Result, class With>
Result by_stored_form(DType dtype, With with) {
  switch (dtype) {
    case DType::float32: return with(float{});
    case DType::float64: return with(double{});
    case DType::float16: return with(Half{});
    case DType::bfloat16: return with(Bfloat16{});
    case DType::boolean: return with(Boolean{});
    case DType::int8: return with(int8_t{});
    case DType::int16: return with(int16_t{});
    case DType::int32: return with(int32_t{});
    case DType::int64: return with(int64_t{});
    case DType::uint8: return with(uint8_t{});
    case DType::uint16: return with(uint16_t{});
    case DType::uint32: return with(uint32_t{});
    case DType::uint64: return with(uint64_t{});
    case DType::float8e4m3fn: return with(SmallFloat<DType::float8e4m3fn>{});
    case DType::float8e4m3fnuz: return with(SmallFloat<DType::float8e4m3fnuz>{});
    case DType::float8e5m2: return with(SmallFloat<DType::float8e5m2>{});
    case DType::float8e5m2fnuz: return with(SmallFloat<DType::float8e5m2fnuz>{});
    case DType::float8e8m0: return with(SmallFloat<DType::float8e8m0>{});
    case DType::float6e2m3: return with(SmallFloat<DType::float6e2m3>{});
    case DType::float6e3m2: return with(SmallFloat<DType::float6e3m2>{});
    default: return Result{};
  }
}

}  // namespace

uint16_t double_to_half(double value) noexcept { return float_to_half(narrow_to_odd(value)); }
uint16_t double_to_bfloat16(double value) noexcept { return float_to_bfloat16(narrow_to_odd(value)); }

template <class T>
LoadBlock<T> loader(DType dtype) {
  if (contains(dtypes::packed, dtype)) return packed_loader<T>(dtype);
  return by_stored_form<LoadBlock<T>>(dtype, [](auto form) -> LoadBlock<T> { return load<decltype(form), T>; });
}
template <class T>
StoreBlock<T> storer(DType dtype) {
  if (contains(dtypes::packed, dtype)) return packed_storer<T>(dtype);
  return by_stored_form<StoreBlock<T>>(dtype, [](auto form) -> StoreBlock<T> { return store<decltype(form), T>; });
}

template LoadBlock<double> loader(DType);
template LoadBlock<float> loader(DType);
template LoadBlock<int64_t> loader(DType);
template LoadBlock<uint64_t> loader(DType);
template StoreBlock<double> storer(DType);
template StoreBlock<float> storer(DType);
template StoreBlock<int64_t> storer(DType);
template StoreBlock<uint64_t> storer(DType);

LoadDoubles double_loader(DType dtype) { return loader<double>(dtype); }
LoadFloats float_loader(DType dtype) { return loader<float>(dtype); }
LoadInt64s int64_loader(DType dtype) { return loader<int64_t>(dtype); }
LoadUint64s uint64_loader(DType dtype) { return loader<uint64_t>(dtype); }
StoreDoubles double_storer(DType dtype) { return storer<double>(dtype); }
StoreFloats float_storer(DType dtype) { return storer<float>(dtype); }
StoreInt64s int64_storer(DType dtype) { return storer<int64_t>(dtype); }
StoreUint64s uint64_storer(DType dtype) { return storer<uint64_t>(dtype); }

void load_doubles(DType dtype, const void* base, int64_t first, int64_t count, int64_t stride, double* out) {
  double_loader(dtype)(base, first, count, stride, out);
}
void store_doubles(DType dtype, void* base, int64_t first, int64_t count, int64_t stride, const double* in) {
  double_storer(dtype)(base, first, count, stride, in);
}
void load_int64s(DType dtype, const void* base, int64_t first, int64_t count, int64_t stride, int64_t* out) {
  int64_loader(dtype)(base, first, count, stride, out);
}
void store_int64s(DType dtype, void* base, int64_t first, int64_t count, int64_t stride, const int64_t* in) {
  int64_storer(dtype)(base, first, count, stride, in);
}

}  // namespace ge::reference
