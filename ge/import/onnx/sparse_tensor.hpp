#pragma once
#include "ge/import/onnx/tensor_data.hpp"

namespace ge::onnx {

/// A SparseTensorProto as views: the values that are not 0, and where they are.
struct SparseTensorProto {
  TensorProto values;   ///< [n]; its name is the sparse tensor's
  TensorProto indices;  ///< int64 [n], positions in row-major order, or [n, rank], coordinates
  std::vector<int64_t> dims;
};
SparseTensorProto read_sparse_tensor(const Message& message);

/// The same tensor with its zeros (onnx.proto, SparseTensorProto; Constant 25: sparse_value). Throws Error(invalid_model)
/// when values, indices and dims do not fit each other, and when the dense tensors of the model, which may be far larger
/// than its file, grow beyond a limit; the caller adds the tensor's name.
Tensor make_dense(const SparseTensorProto& proto, Source& source);

}  // namespace ge::onnx
