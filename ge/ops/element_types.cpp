#include "ge/ops/element_types.hpp"

namespace ge {

TensorType element_type(InferContext& context, size_t i) {
  TensorType type = context.input(i);
  type.kind = ValueKind::tensor;
  if (type.shape)
    for (Expr& dim : *type.shape)
      if (!dim) dim = context.unknown_dim();
  return type;
}

TensorType held_type(ValueKind kind, const TensorType& type) { return {type.dtype, type.shape, std::nullopt, kind}; }

TensorType type_attribute(const InferContext& context, std::string_view name) {
  const std::string text = context.attributes().get_string(name, "");
  std::string_view rest = text;
  constexpr std::string_view sequence = "sequence(";
  const bool is_sequence = rest.starts_with(sequence) && rest.ends_with(')');
  if (is_sequence) rest = rest.substr(sequence.size(), rest.size() - sequence.size() - 1);
  const auto dtype = dtype_from_name(rest.substr(0, rest.find('[')));
  if (!dtype) context.fail("attribute '" + std::string(name) + "' is '" + text + "', expected a type such as float32 or sequence(float32)");
  return {*dtype, std::nullopt, std::nullopt, is_sequence ? ValueKind::sequence : ValueKind::tensor};
}

}  // namespace ge
