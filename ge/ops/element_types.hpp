#pragma once
#include "ge/ops/infer_context.hpp"

#include <string_view>

// How the types of sequences and optionals follow from what they hold.
namespace ge {

/// The type of a tensor taken out of input `i`, a sequence or an optional: dims that may differ from one element to the
/// next are fresh symbols.
TensorType element_type(InferContext& context, size_t i);

/// `type` as what a sequence or an optional of `kind` holds: without values.
TensorType held_type(ValueKind kind, const TensorType& type);

/// Reads "float32", "sequence(float32)": how attribute `name` gives the type that an optional without element would
/// hold. Dims may follow in brackets and are not read. Throws Error(invalid_model).
TensorType type_attribute(const InferContext& context, std::string_view name);

}  // namespace ge
