#pragma once
#include "ge/ops/infer_context.hpp"

#include <optional>

namespace ge {

/// Output 0 has the dtype and shape of input 0.
void infer_like_first(InferContext& context);
/// Output 0 has the shape of input 0 and that dtype.
void set_like_first(InferContext& context, DType dtype);

/// The shape that all inputs broadcast to (ONNX "multidirectional broadcasting"); nullopt when a rank is unknown.
std::optional<Shape> broadcast_inputs(InferContext& context);
/// Output 0 has that dtype and the shape that all inputs broadcast to.
void set_broadcast(InferContext& context, DType dtype);
/// Output 0 has input 0's dtype and the shape that all inputs broadcast to.
void infer_broadcast(InferContext& context);

/// Fails or records conditions unless `from` broadcasts to `to` and leaves it as it is (ONNX "unidirectional
/// broadcasting"); `what` names the tensor of shape `from`.
void require_broadcasts_to(InferContext& context, const Shape& from, const Shape& to, const std::string& what);

}  // namespace ge
