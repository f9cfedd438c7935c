#pragma once
#include "ge/base/dtype.hpp"
#include "ge/base/error.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ge {

/// Number of elements of `dims`; nullopt when a dim is negative or the product does not fit in int64.
/// A zero dim gives 0, whatever the others are.
GE_API std::optional<int64_t> element_count(std::span<const int64_t> dims) noexcept;
/// "[1, 3, 224, 224]"
GE_API std::string dims_to_string(std::span<const int64_t> dims);

/// An immutable tensor with concrete dims: (owner, bytes). Copies share the bytes; `data` may be unaligned when it
/// points into a model file. Row-major, dense. A string tensor's bytes are StringRefs whose characters the owner keeps.
/// Thread-safe to read.
class GE_API Tensor {
 public:
  Tensor() = default;
  /// Takes a view of bytes that `owner` keeps alive. Throws Error(invalid_argument) when `bytes` does not have the
  /// size that dtype and dims ask for.
  Tensor(DType dtype, std::vector<int64_t> dims, std::span<const std::byte> bytes, std::shared_ptr<const void> owner);
  /// Allocates zeroed bytes, aligned to 64.
  static Tensor zeros(DType dtype, std::vector<int64_t> dims);
  template <class T>
  static Tensor from(DType dtype, std::vector<int64_t> dims, std::span<const T> values) {
    return copy_of(dtype, std::move(dims), std::as_bytes(values));
  }
  static Tensor copy_of(DType dtype, std::vector<int64_t> dims, std::span<const std::byte> bytes);
  static Tensor strings(std::vector<int64_t> dims, std::vector<std::string> values);
  static Tensor scalar(int64_t value) { return from<int64_t>(DType::int64, {}, std::span(&value, 1)); }
  static Tensor ints(std::span<const int64_t> values) {
    return from<int64_t>(DType::int64, {static_cast<int64_t>(values.size())}, values);
  }

  DType dtype() const noexcept { return dtype_; }
  const std::vector<int64_t>& dims() const noexcept { return dims_; }
  int64_t count() const noexcept { return count_; }
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  const std::shared_ptr<const void>& owner() const noexcept { return owner_; }
  explicit operator bool() const noexcept { return dtype_ != DType::undefined; }
  /// The bytes for writing; only for a tensor just made by zeros() that nobody else holds yet.
  std::byte* mutable_data() noexcept { return const_cast<std::byte*>(bytes_.data()); }
  /// Element `i` read safely from possibly unaligned bytes.
  template <class T>
  T at(int64_t i) const {
    T value;
    std::memcpy(&value, bytes_.data() + static_cast<size_t>(i) * sizeof(T), sizeof(T));
    return value;
  }
  /// All elements of an integer or bool tensor (4- and 2-bit types excluded) widened to int64 (uint64 wraps);
  /// nullopt for other dtypes.
  std::optional<std::vector<int64_t>> to_ints() const;
  /// All elements of a float32, float64, float16, bfloat16, integer or bool tensor as double; nullopt for others.
  std::optional<std::vector<double>> to_doubles() const;
  /// Same dtype, dims and bytes (strings: same characters).
  friend GE_API bool operator==(const Tensor& a, const Tensor& b);

 private:
  DType dtype_ = DType::undefined;
  std::vector<int64_t> dims_;
  int64_t count_ = 0;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

/// IEEE half and bfloat16 to and from float, round to nearest even.
GE_API float half_to_float(uint16_t bits) noexcept;
GE_API uint16_t float_to_half(float value) noexcept;
GE_API float bfloat16_to_float(uint16_t bits) noexcept;
GE_API uint16_t float_to_bfloat16(float value) noexcept;

}  // namespace ge
