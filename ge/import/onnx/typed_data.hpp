#pragma once
#include "ge/base/tensor.hpp"
#include "ge/import/onnx/proto.hpp"

namespace ge::onnx {

/// Decodes float_data, double_data, int32_data, int64_data or uint64_data, whichever holds elements of `dtype`, to a
/// tensor of `size` bytes. Counts before it allocates.
Tensor decode_numbers(const TensorProto& proto, DType dtype, int64_t size);
/// Decodes string_data; the characters stay in the file, kept by `owner`.
Tensor decode_strings(const TensorProto& proto, int64_t count, const std::shared_ptr<const void>& owner);

}  // namespace ge::onnx
