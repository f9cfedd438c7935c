#pragma once
#include "ge/base/dtype.hpp"
#include "ge/base/symbolic.hpp"
#include "ge/base/value_kind.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ge {

/// Dims of a tensor, each an expression over symbols (never null). All expressions of a graph share one SymbolTable.
/// An unknown dim is a symbol that nothing binds yet, so that equal unknowns stay equal downstream.
using Shape = std::vector<Expr>;

/// "[N, 3, 2*H + 1]"; a null dim is "*"
GE_API std::string to_string(const Shape& shape);
/// Concrete dims when every dim is a constant.
GE_API std::optional<std::vector<int64_t>> constant_dims(const Shape& shape);
/// Shape of constants.
GE_API Shape constant_shape(SymbolTable& symbols, std::span<const int64_t> dims);
/// Product of the dims from `first` up to `last` (1 when empty).
GE_API Expr product(SymbolTable& symbols, const Shape& shape, size_t first, size_t last);

/// What is known of a value: dtype, shape (nullopt: rank unknown), and, for small integer tensors, the elements as
/// expressions (`values`: row-major, one per element; nullopt: not known). Of a sequence or an optional, dtype and shape
/// are those of the tensors inside: what all of them share, and a null dim where they may differ; it has no `values`.
struct TensorType {
  DType dtype = DType::undefined;
  std::optional<Shape> shape;
  std::optional<std::vector<Expr>> values;
  ValueKind kind = ValueKind::tensor;

  bool is_tensor() const { return kind == ValueKind::tensor; }
  bool has_rank() const { return shape.has_value(); }
  size_t rank() const { return shape->size(); }
  friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// "float32[N, 3]", "int64[2]{N, 4}", "float32[?]" (rank unknown), "sequence(float32[*, 3])"
GE_API std::string to_string(const TensorType& type);

/// What values of both types share, as the type of the tensors inside a sequence or an optional of `kind`.
GE_API TensorType shared_type(ValueKind kind, const TensorType& a, const TensorType& b);

/// Integer tensors of at most this many elements carry symbolic values (CR-2).
inline constexpr int64_t max_symbolic_values = 64;

}  // namespace ge
