#include "ge/import/onnx/tensor_data.hpp"

#include "ge/base/six_bits.hpp"
#include "ge/import/onnx/typed_data.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

static_assert(std::endian::native == std::endian::little, "raw_data is little endian and used in place");

namespace ge::onnx {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::invalid_model, what); }

int64_t external_number(const TensorProto& proto, std::string_view key, int64_t otherwise) {
  const auto it = proto.external.find(key);
  if (it == proto.external.end()) return otherwise;
  int64_t value = 0;
  const std::string_view text = it->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    refuse("external data has " + std::string(key) + " '" + std::string(text) + "', expected a number of bytes");
  return value;
}

Tensor external_tensor(const TensorProto& proto, DType dtype, std::vector<int64_t> dims, int64_t size, Source& source) {
  const auto location = proto.external.find("location");
  if (location == proto.external.end()) refuse("external data has no location");
  const auto file = source.external.file(location->second);
  const auto file_size = static_cast<int64_t>(file->bytes().size());
  const int64_t offset = external_number(proto, "offset", 0);
  if (offset > file_size)
    refuse("external data starts at byte " + std::to_string(offset) + " of '" + std::string(location->second) + "', which has " + std::to_string(file_size));
  const int64_t length = external_number(proto, "length", file_size - offset);
  if (length > file_size - offset)
    refuse("external data at byte " + std::to_string(offset) + " of '" + std::string(location->second) + "' has length " + std::to_string(length) +
           ", but only " + std::to_string(file_size - offset) + " bytes follow");
  if (length != size) refuse("external data has " + std::to_string(length) + " bytes, expected " + std::to_string(size));
  return Tensor(dtype, std::move(dims), file->bytes().subspan(static_cast<size_t>(offset), static_cast<size_t>(length)), file);
}

/// Kernels take bools to be 0 or 1; a file may hold other bytes.
Tensor normal_bools(const Tensor& tensor) {
  const auto bytes = tensor.bytes();
  if (std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b <= std::byte{1}; })) return tensor;
  Tensor copy = Tensor::zeros(DType::boolean, tensor.dims());
  std::transform(bytes.begin(), bytes.end(), copy.mutable_data(), [](std::byte b) { return std::byte{b != std::byte{0}}; });
  return copy;
}

}  // namespace

Tensor make_tensor(const TensorProto& proto, Source& source) {
  if (const auto known = source.decoded.find(proto.message.bytes.data()); known != source.decoded.end()) return known->second;
  const auto dtype = dtype_from_onnx(proto.data_type);
  if (!dtype) refuse("data type " + std::to_string(proto.data_type) + " is not one of TensorProto.DataType (1 to 28)");
  if (proto.has_segment) refuse("segmented tensors are not read");
  const auto count = element_count(proto.dims);
  const auto size = count ? bytes_for(*dtype, *count) : std::nullopt;
  if (!size) refuse("dims " + dims_to_string(proto.dims) + " do not give a 64-bit size");
  // Floats of 6 bits lie packed in raw and external data.
  const bool six_bits = contains(dtypes::float6, *dtype) && (proto.raw || proto.is_external);
  const int64_t size_in_file = six_bits ? six_bit_stream_size(*count) : *size;

  const bool text = *dtype == DType::string;
  if (text && (proto.raw || proto.is_external)) refuse("a string tensor has raw or external data, expected string_data");
  Tensor tensor;
  if (proto.is_external) {
    tensor = external_tensor(proto, six_bits ? DType::uint8 : *dtype, six_bits ? std::vector<int64_t>{size_in_file} : proto.dims, size_in_file, source);
  } else if (proto.raw) {
    if (static_cast<int64_t>(proto.raw->size()) != size_in_file)
      refuse(std::string(to_string(*dtype)) + dims_to_string(proto.dims) + " has " + std::to_string(proto.raw->size()) + " bytes of raw_data, expected " +
             std::to_string(size_in_file));
    if (!six_bits) tensor = Tensor(*dtype, proto.dims, *proto.raw, source.owner);
  } else {
    tensor = text ? decode_strings(proto, *count, source.owner) : decode_numbers(proto, *dtype, *size);
  }
  if (*dtype == DType::boolean) tensor = normal_bools(tensor);
  if (six_bits) tensor = unpack_six_bits(*dtype, proto.dims, proto.is_external ? tensor.bytes() : *proto.raw);
  const bool is_view = (proto.is_external && !six_bits) || (proto.raw && tensor.bytes().data() == proto.raw->data());
  return is_view ? tensor : source.decoded.emplace(proto.message.bytes.data(), tensor).first->second;
}

}  // namespace ge::onnx
