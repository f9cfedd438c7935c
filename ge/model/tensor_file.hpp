#pragma once
#include "ge/base/value.hpp"

#include <memory>
#include <span>
#include <string>

// Tensors in files, for giving inputs to a model and comparing its outputs: ONNX's serialised TensorProto (as in its
// test data) and NumPy's .npy. Reading maps the file; the tensor is a view of it wherever the encoding allows. Errors
// name the file: Error(io) when the system refuses, Error(corrupt_file) when the bytes do not make sense,
// Error(unsupported) for what is understood but cannot be a Tensor.
namespace ge {

/// All dtypes, raw_data or typed fields. A file with a SequenceProto or OptionalProto is Error(unsupported); read_value_pb
/// reads these.
GE_API Tensor read_tensor_pb(const std::string& path);
/// The same from memory that `owner` keeps alive.
GE_API Tensor parse_tensor_pb(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);
/// A value of that kind from its message: TensorProto, SequenceProto or OptionalProto. The message does not say which of
/// these it is. Other contents (maps, sequences of sequences, sparse tensors) are Error(unsupported).
GE_API Value read_value_pb(const std::string& path, ValueKind kind);
GE_API Value parse_value_pb(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, ValueKind kind);
GE_API void write_tensor_pb(const std::string& path, const Tensor& tensor, const std::string& name);
GE_API std::string serialize_tensor_pb(const Tensor& tensor, const std::string& name);

/// NumPy format 1.0 to 3.0: little endian bool, integers, floats and complex numbers. Fortran order is converted.
GE_API Tensor read_npy(const std::string& path);
GE_API Tensor parse_npy(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);
/// Format 1.0. Error(unsupported) for dtypes that NumPy does not have (bfloat16, string, 4-bit, …).
GE_API void write_npy(const std::string& path, const Tensor& tensor);

}  // namespace ge
