#pragma once
#include "ge/base/tensor.hpp"

namespace ge {

// Floats of 6 bits are one to a byte in memory; ONNX's raw_data has them as a stream of bits, lowest first: four elements
// to three bytes (onnx.proto, TensorProto.raw_data and FLOAT6E2M3).

/// Bytes of `count` elements in such a stream; `count` is at least 0.
GE_API int64_t six_bit_stream_size(int64_t count) noexcept;
/// A tensor from a stream of the right size. Throws Error(invalid_argument) for another size.
GE_API Tensor unpack_six_bits(DType dtype, std::vector<int64_t> dims, std::span<const std::byte> stream);
/// The stream of a tensor of float6e2m3 or float6e3m2; bits that are left in the last byte are 0.
GE_API std::string pack_six_bits(const Tensor& tensor);

}  // namespace ge
