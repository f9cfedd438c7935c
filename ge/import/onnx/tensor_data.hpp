#pragma once
#include "ge/base/tensor.hpp"
#include "ge/import/onnx/external_data.hpp"
#include "ge/import/onnx/proto.hpp"

namespace ge::onnx {

/// Where the bytes of a model's tensors come from.
struct Source {
  std::shared_ptr<const void> owner;  ///< of the model's bytes
  ExternalData external;
  std::map<const std::byte*, Tensor> decoded;  ///< by place in the file: a function's constants are read at every call
  int64_t sparse_bytes = 0;                    ///< of tensors that the file holds without their zeros
};

/// The tensor: a view of the file for raw and external data, else decoded from its typed fields. Throws
/// Error(invalid_model) when type, dims and data do not fit each other; the caller adds the tensor's name.
Tensor make_tensor(const TensorProto& proto, Source& source);

}  // namespace ge::onnx
