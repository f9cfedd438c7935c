#include "ge/base/six_bits.hpp"

namespace ge {

int64_t six_bit_stream_size(int64_t count) noexcept { return count / 4 * 3 + (count % 4 * 6 + 7) / 8; }

Tensor unpack_six_bits(DType dtype, std::vector<int64_t> dims, std::span<const std::byte> stream) {
  Tensor tensor = Tensor::zeros(dtype, std::move(dims));
  if (static_cast<int64_t>(stream.size()) != six_bit_stream_size(tensor.count()))
    throw Error(ErrorCode::invalid_argument, std::string(to_string(dtype)) + dims_to_string(tensor.dims()) + " has " + std::to_string(stream.size()) + " packed bytes, expected " +
                                                 std::to_string(six_bit_stream_size(tensor.count())));
  for (int64_t i = 0; i < tensor.count(); ++i) {
    const auto byte = static_cast<size_t>(i / 4 * 3 + i % 4 * 6 / 8);
    const auto shift = static_cast<unsigned>(i % 4 * 6 % 8);
    unsigned bits = std::to_integer<unsigned>(stream[byte]);
    if (byte + 1 < stream.size()) bits |= std::to_integer<unsigned>(stream[byte + 1]) << 8;
    tensor.mutable_data()[i] = static_cast<std::byte>((bits >> shift) & 63u);
  }
  return tensor;
}

std::string pack_six_bits(const Tensor& tensor) {
  std::string stream(static_cast<size_t>(six_bit_stream_size(tensor.count())), '\0');
  for (int64_t i = 0; i < tensor.count(); ++i) {
    const auto byte = static_cast<size_t>(i / 4 * 3 + i % 4 * 6 / 8);
    const unsigned bits = (std::to_integer<unsigned>(tensor.bytes()[static_cast<size_t>(i)]) & 63u) << (i % 4 * 6 % 8);
    stream[byte] = static_cast<char>(static_cast<unsigned char>(stream[byte]) | (bits & 255u));
    if (bits > 255u) stream[byte + 1] = static_cast<char>(static_cast<unsigned char>(stream[byte + 1]) | (bits >> 8));
  }
  return stream;
}

}  // namespace ge
