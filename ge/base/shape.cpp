#include "ge/base/shape.hpp"

namespace ge {

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + (shape[i] ? to_string(shape[i]) : std::string("*"));
  return text + "]";
}

std::optional<std::vector<int64_t>> constant_dims(const Shape& shape) {
  std::vector<int64_t> dims;
  dims.reserve(shape.size());
  for (Expr dim : shape) {
    if (!dim || !dim.is_constant()) return std::nullopt;
    dims.push_back(dim.value());
  }
  return dims;
}

Shape constant_shape(SymbolTable& symbols, std::span<const int64_t> dims) {
  Shape shape;
  for (int64_t dim : dims) shape.push_back(symbols.constant(dim));
  return shape;
}

Expr product(SymbolTable& symbols, const Shape& shape, size_t first, size_t last) {
  Expr result = symbols.constant(1);
  for (size_t i = first; i < last; ++i) result = result * shape[i];
  return result;
}

std::string to_string(const TensorType& type) {
  std::string text(to_string(type.dtype));
  text += type.shape ? to_string(*type.shape) : "[?]";
  if (type.values && type.values->size() <= 16) {
    text += "{";
    for (size_t i = 0; i < type.values->size(); ++i) text += (i ? ", " : "") + to_string((*type.values)[i]);
    text += "}";
  }
  return kind_text(type.kind, std::move(text));
}

TensorType shared_type(ValueKind kind, const TensorType& a, const TensorType& b) {
  TensorType shared{a.dtype, std::nullopt, std::nullopt, kind};
  if (!a.shape || !b.shape || a.rank() != b.rank()) return shared;
  shared.shape = a.shape;
  for (size_t axis = 0; axis < shared.rank(); ++axis)
    if ((*a.shape)[axis] != (*b.shape)[axis]) (*shared.shape)[axis] = Expr();
  return shared;
}

}  // namespace ge
