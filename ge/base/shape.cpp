#include "ge/base/shape.hpp"

namespace ge {

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + to_string(shape[i]);
  return text + "]";
}

std::optional<std::vector<int64_t>> constant_dims(const Shape& shape) {
  std::vector<int64_t> dims;
  dims.reserve(shape.size());
  for (Expr dim : shape) {
    if (!dim.is_constant()) return std::nullopt;
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
  return text;
}

}  // namespace ge
