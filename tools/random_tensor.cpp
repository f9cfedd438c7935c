#include "tools/random_tensor.hpp"

#include <random>

namespace ge::tools {
namespace {

template <class T>
void store(std::byte* into, int64_t i, T value) {
  std::memcpy(into + static_cast<size_t>(i) * sizeof(T), &value, sizeof(T));
}

/// Element `i` from 32 random bits.
void store_random(std::byte* into, DType dtype, int64_t i, uint32_t bits) {
  const float real = static_cast<float>(bits >> 8) * 0x1p-24f;
  const unsigned small = bits % 10;
  switch (dtype) {
    case DType::float32: case DType::complex64: return store(into, i, real);
    case DType::float64: case DType::complex128: return store(into, i, static_cast<double>(real));
    case DType::float16: return store(into, i, float_to_half(real));
    case DType::bfloat16: return store(into, i, float_to_bfloat16(real));
    case DType::boolean: return store(into, i, static_cast<uint8_t>(bits & 1));
    case DType::uint8: case DType::int8: return store(into, i, static_cast<uint8_t>(small));
    case DType::uint16: case DType::int16: return store(into, i, static_cast<uint16_t>(small));
    case DType::uint32: case DType::int32: return store(into, i, small);
    case DType::uint64: case DType::int64: return store(into, i, static_cast<uint64_t>(small));
    // Types of a byte or less: small positive numbers in all of their encodings, never NaN.
    default: return store(into, i, static_cast<uint8_t>(bits & 0x33));
  }
}

}  // namespace

Tensor random_tensor(DType dtype, std::vector<int64_t> dims, uint32_t seed) {
  std::mt19937 random(seed);
  const auto count = element_count(dims);
  if (dtype == DType::string) {
    std::vector<std::string> strings(static_cast<size_t>(count.value_or(0)));
    for (std::string& s : strings) s = std::to_string(random() % 10);
    return Tensor::strings(std::move(dims), std::move(strings));
  }
  Tensor tensor = Tensor::zeros(dtype, std::move(dims));
  const bool complex = contains(dtypes::complex, dtype), packed = bits_of(dtype) < 8;
  const int64_t stored = packed ? static_cast<int64_t>(tensor.bytes().size()) : tensor.count() * (complex ? 2 : 1);
  for (int64_t i = 0; i < stored; ++i) store_random(tensor.mutable_data(), dtype, i, static_cast<uint32_t>(random()));
  return tensor;
}

}  // namespace ge::tools
