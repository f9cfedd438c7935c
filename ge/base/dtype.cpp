#include "ge/base/dtype.hpp"

namespace ge {
namespace {

struct Row {
  std::string_view name;
  unsigned bits;
};
constexpr Row table[dtype_count] = {
    {"undefined", 0},   {"float32", 32},        {"uint8", 8},         {"int8", 8},           {"uint16", 16},
    {"int16", 16},      {"int32", 32},          {"int64", 64},        {"string", 128},       {"bool", 8},
    {"float16", 16},    {"float64", 64},        {"uint32", 32},       {"uint64", 64},        {"complex64", 64},
    {"complex128", 128}, {"bfloat16", 16},      {"float8e4m3fn", 8},  {"float8e4m3fnuz", 8}, {"float8e5m2", 8},
    {"float8e5m2fnuz", 8}, {"uint4", 4},        {"int4", 4},          {"float4e2m1", 4},     {"float8e8m0", 8},
    {"uint2", 2},       {"int2", 2},            {"float6e2m3", 8},    {"float6e3m2", 8},
};

}  // namespace

unsigned bits_of(DType dtype) noexcept {
  const auto i = static_cast<unsigned>(dtype);
  return i < dtype_count ? table[i].bits : 0;
}

std::string_view to_string(DType dtype) noexcept {
  const auto i = static_cast<unsigned>(dtype);
  return i < dtype_count ? table[i].name : table[0].name;
}

std::optional<DType> dtype_from_name(std::string_view name) noexcept {
  for (unsigned i = 1; i < dtype_count; ++i)
    if (table[i].name == name) return static_cast<DType>(i);
  return std::nullopt;
}

std::optional<DType> dtype_from_onnx(int64_t number) noexcept {
  if (number <= 0 || number >= static_cast<int64_t>(dtype_count)) return std::nullopt;
  return static_cast<DType>(number);
}

std::optional<int64_t> bytes_for(DType dtype, int64_t count) noexcept {
  const int64_t bits = bits_of(dtype);
  if (count < 0) return std::nullopt;
  if (bits == 0) return 0;
  if (bits < 8) {  // several elements to a byte
    const int64_t per_byte = 8 / bits;
    return count / per_byte + (count % per_byte != 0);
  }
  int64_t bytes = 0;
  if (__builtin_mul_overflow(count, bits / 8, &bytes)) return std::nullopt;
  return bytes;
}

}  // namespace ge
