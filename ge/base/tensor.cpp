#include "ge/base/tensor.hpp"

#include <bit>
#include <cstdlib>
#include <new>

namespace ge {
namespace {

std::shared_ptr<std::byte> allocate(size_t size) {
  const size_t rounded = (size + 63) / 64 * 64;
  auto* raw = static_cast<std::byte*>(std::aligned_alloc(64, rounded == 0 ? 64 : rounded));
  if (raw == nullptr) throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(size) + " bytes for a tensor");
  std::memset(raw, 0, rounded == 0 ? 64 : rounded);
  return {raw, [](std::byte* p) { std::free(p); }};
}

int64_t checked_bytes(DType dtype, std::span<const int64_t> dims) {
  const auto count = element_count(dims);
  const auto bytes = count ? bytes_for(dtype, *count) : std::nullopt;
  if (!bytes || bits_of(dtype) == 0)
    throw Error(ErrorCode::invalid_argument,
                "no tensor of " + std::string(to_string(dtype)) + dims_to_string(dims) + " can exist: its size is not a 64-bit number of bytes");
  return *bytes;
}

template <class T, class Out>
void widen(std::span<const std::byte> bytes, std::vector<Out>& out) {
  for (size_t i = 0; i < out.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<Out>(value);
  }
}

template <class Out>
bool widen_ints(DType dtype, std::span<const std::byte> bytes, std::vector<Out>& out) {
  switch (dtype) {
    case DType::int8: widen<int8_t>(bytes, out); return true;
    case DType::int16: widen<int16_t>(bytes, out); return true;
    case DType::int32: widen<int32_t>(bytes, out); return true;
    case DType::int64: widen<int64_t>(bytes, out); return true;
    case DType::boolean:
    case DType::uint8: widen<uint8_t>(bytes, out); return true;
    case DType::uint16: widen<uint16_t>(bytes, out); return true;
    case DType::uint32: widen<uint32_t>(bytes, out); return true;
    case DType::uint64: widen<uint64_t>(bytes, out); return true;
    default: return false;
  }
}

}  // namespace

std::optional<int64_t> element_count(std::span<const int64_t> dims) noexcept {
  bool zero = false;
  for (int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    zero |= dim == 0;
  }
  if (zero) return 0;
  int64_t count = 1;
  for (int64_t dim : dims)
    if (__builtin_mul_overflow(count, dim, &count)) return std::nullopt;
  return count;
}

std::string dims_to_string(std::span<const int64_t> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + "]";
}

Tensor::Tensor(DType dtype, std::vector<int64_t> dims, std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
    : dtype_(dtype), dims_(std::move(dims)), bytes_(bytes), owner_(std::move(owner)) {
  const int64_t expected = checked_bytes(dtype, dims_);
  if (static_cast<int64_t>(bytes.size()) != expected)
    throw Error(ErrorCode::invalid_argument, "a tensor of " + std::string(to_string(dtype)) + dims_to_string(dims_) + " has " +
                                                 std::to_string(expected) + " bytes, found " + std::to_string(bytes.size()));
  count_ = *element_count(dims_);
}

Tensor Tensor::zeros(DType dtype, std::vector<int64_t> dims) {
  const auto size = static_cast<size_t>(checked_bytes(dtype, dims));
  auto memory = allocate(size);
  const std::span<const std::byte> bytes(memory.get(), size);
  return Tensor(dtype, std::move(dims), bytes, std::move(memory));
}

Tensor Tensor::copy_of(DType dtype, std::vector<int64_t> dims, std::span<const std::byte> bytes) {
  auto memory = allocate(bytes.size());
  if (!bytes.empty()) std::memcpy(memory.get(), bytes.data(), bytes.size());
  const std::span<const std::byte> own(memory.get(), bytes.size());
  return Tensor(dtype, std::move(dims), own, std::move(memory));
}

Tensor Tensor::strings(std::vector<int64_t> dims, std::vector<std::string> values) {
  struct Block {
    std::vector<std::string> texts;
    std::vector<StringRef> refs;
  };
  auto block = std::make_shared<Block>();
  block->texts = std::move(values);
  for (const std::string& text : block->texts) block->refs.push_back({text.data(), text.size()});
  const auto bytes = std::as_bytes(std::span(block->refs));
  return Tensor(DType::string, std::move(dims), bytes, std::move(block));
}

std::optional<std::vector<int64_t>> Tensor::to_ints() const {
  std::vector<int64_t> out(static_cast<size_t>(count_));
  if (!widen_ints(dtype_, bytes_, out)) return std::nullopt;
  return out;
}

std::optional<std::vector<double>> Tensor::to_doubles() const {
  std::vector<double> out(static_cast<size_t>(count_));
  switch (dtype_) {
    case DType::float32: widen<float>(bytes_, out); return out;
    case DType::float64: widen<double>(bytes_, out); return out;
    case DType::float16:
      for (size_t i = 0; i < out.size(); ++i) out[i] = half_to_float(at<uint16_t>(static_cast<int64_t>(i)));
      return out;
    case DType::bfloat16:
      for (size_t i = 0; i < out.size(); ++i) out[i] = bfloat16_to_float(at<uint16_t>(static_cast<int64_t>(i)));
      return out;
    default: break;
  }
  if (!widen_ints(dtype_, bytes_, out)) return std::nullopt;
  return out;
}

bool operator==(const Tensor& a, const Tensor& b) {
  if (a.dtype_ != b.dtype_ || a.dims_ != b.dims_) return false;
  if (a.dtype_ != DType::string)
    return a.bytes_.empty() || std::memcmp(a.bytes_.data(), b.bytes_.data(), a.bytes_.size()) == 0;
  for (int64_t i = 0; i < a.count_; ++i)
    if (a.at<StringRef>(i).view() != b.at<StringRef>(i).view()) return false;
  return true;
}

float half_to_float(uint16_t bits) noexcept {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t fraction = bits & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  // Zero or denormal: fraction * 2^-24 is exact in float.
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

uint16_t float_to_half(float value) noexcept {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);  // rounds to 65536 or is infinite
  if (magnitude < 0x38800000u) {
    // Below the smallest normal half: let the addition of 0.5 round the value to a multiple of 2^-24.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

float bfloat16_to_float(uint16_t bits) noexcept { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

uint16_t float_to_bfloat16(float value) noexcept {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace ge
