#include "ge/base/mapped_file.hpp"
#include "ge/base/six_bits.hpp"
#include "ge/model/tensor_file.hpp"
#include "ge/model/wire_reader.hpp"

#include <algorithm>
#include <optional>

// Field numbers of onnx.proto's TensorProto.
namespace ge {
namespace {

enum Field : uint64_t {
  dims = 1, data_type = 2, segment = 3, float_data = 4, int32_data = 5, string_data = 6, int64_data = 7, raw_data = 9,
  double_data = 10, uint64_data = 11, external_data = 13, data_location = 14,
};

[[noreturn]] void refuse(ErrorCode code, const std::string& what) { throw Error(code, "cannot take the file's TensorProto: " + what); }

struct Header {
  std::vector<int64_t> dims;
  uint64_t data_type = 0;
  std::optional<std::span<const std::byte>> raw;
  bool has_segment = false, has_typed = false, external = false;
  bool dims_are_text = false;  ///< field 1 of a SequenceProto or OptionalProto is its name
};

Header read_header(std::span<const std::byte> message) {
  Header h;
  WireReader reader(message);
  for (WireField f; reader.next(f);) {
    if (f.id == dims && f.type == WireField::varint) h.dims.push_back(static_cast<int64_t>(f.number));
    if (f.id == dims && f.type == WireField::length_delimited) {
      const std::string_view text = f.text();
      h.dims_are_text |= !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
      for (WireReader packed(f.bytes); !packed.empty();) h.dims.push_back(static_cast<int64_t>(packed.varint()));
    }
    if (f.id == data_type) h.data_type = f.number;
    if (f.id == raw_data && f.type == WireField::length_delimited) h.raw = f.bytes;
    h.has_segment |= f.id == segment;
    h.external |= f.id == external_data || (f.id == data_location && f.number == 1);
    h.has_typed |= (f.id >= float_data && f.id <= int64_data) || f.id == double_data || f.id == uint64_data;
    if (h.dims.size() > 255) refuse(ErrorCode::corrupt_file, "more than 255 dims");
  }
  return h;
}

/// The typed field that holds a dtype, and the bytes that one of its entries makes. 16-bit and smaller types are stored
/// as int32, 4-bit and 2-bit ones as packed bytes.
struct Encoding {
  uint64_t field;
  size_t entry_bytes;
};
Encoding encoding_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::complex64: return {float_data, 4};
    case DType::float64:
    case DType::complex128: return {double_data, 8};
    case DType::int64: return {int64_data, 8};
    case DType::uint32: return {uint64_data, 4};
    case DType::uint64: return {uint64_data, 8};
    default: return {int32_data, std::max<size_t>(1, bits_of(dtype) / 8)};
  }
}

/// Calls `take(bytes)` for runs of elements.
template <class Take>
void for_entries(std::span<const std::byte> message, Encoding encoding, Take&& take) {
  const auto take_number = [&](uint64_t number) { take(std::as_bytes(std::span(&number, 1)).first(encoding.entry_bytes)); };
  const bool floating = encoding.field == float_data || encoding.field == double_data;
  WireReader reader(message);
  for (WireField f; reader.next(f);) {
    if (f.id != encoding.field) continue;
    if (f.type != WireField::length_delimited) take_number(f.number);
    else if (floating) take(f.bytes);
    else
      for (WireReader packed(f.bytes); !packed.empty();) take_number(packed.varint());
  }
}

Tensor decode_numbers(std::span<const std::byte> message, const Header& header, DType dtype, int64_t size) {
  const Encoding encoding = encoding_of(dtype);
  size_t found = 0;
  for_entries(message, encoding, [&](auto bytes) { found += bytes.size(); });
  if (found != static_cast<size_t>(size))
    refuse(ErrorCode::corrupt_file, std::string(to_string(dtype)) + dims_to_string(header.dims) + " has " + std::to_string(found) + " bytes of data, expected " +
                                        std::to_string(size));
  Tensor tensor = Tensor::zeros(dtype, header.dims);
  std::byte* at = tensor.mutable_data();
  for_entries(message, encoding, [&](auto bytes) { at = std::copy(bytes.begin(), bytes.end(), at); });
  return tensor;
}

Tensor decode_strings(std::span<const std::byte> message, const Header& header, int64_t count) {
  std::vector<std::string> texts;
  WireReader reader(message);
  for (WireField f; reader.next(f);)
    if (f.id == string_data && f.type == WireField::length_delimited) texts.emplace_back(f.text());
  if (static_cast<int64_t>(texts.size()) != count)
    refuse(ErrorCode::corrupt_file, "string" + dims_to_string(header.dims) + " has " + std::to_string(texts.size()) + " strings, expected " + std::to_string(count));
  return Tensor::strings(header.dims, std::move(texts));
}

void put_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>((value & 0x7f) | 0x80));
  out.push_back(static_cast<char>(value));
}
void put_bytes(std::string& out, uint64_t field, std::string_view bytes) {
  put_varint(out, field << 3 | WireField::length_delimited);
  put_varint(out, bytes.size());
  out.append(bytes);
}

Tensor decode(std::span<const std::byte> bytes, const Header& header, std::shared_ptr<const void> owner) {
  const auto dtype = header.data_type > 255 ? std::nullopt : dtype_from_onnx(static_cast<int64_t>(header.data_type));
  if (!dtype) refuse(ErrorCode::corrupt_file, "data type " + std::to_string(header.data_type) + " is not one of TensorProto.DataType (1 to 28)");
  const auto count = element_count(header.dims);
  const auto size = count ? bytes_for(*dtype, *count) : std::nullopt;
  if (!size) refuse(ErrorCode::corrupt_file, "dims " + dims_to_string(header.dims) + " do not give a 64-bit size");
  if (*dtype == DType::string) return decode_strings(bytes, header, *count);
  if (!header.raw) return decode_numbers(bytes, header, *dtype, *size);
  const bool six_bits = contains(dtypes::float6, *dtype);
  const int64_t size_in_file = six_bits ? six_bit_stream_size(*count) : *size;
  if (static_cast<int64_t>(header.raw->size()) != size_in_file)
    refuse(ErrorCode::corrupt_file, std::string(to_string(*dtype)) + dims_to_string(header.dims) + " has " + std::to_string(header.raw->size()) +
                                        " bytes of raw_data, expected " + std::to_string(size_in_file));
  if (six_bits) return unpack_six_bits(*dtype, header.dims, *header.raw);
  return Tensor(*dtype, header.dims, *header.raw, std::move(owner));
}

}  // namespace

Tensor parse_tensor_pb(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
  constexpr const char* not_a_tensor = "it looks like a SequenceProto or OptionalProto; only single tensors are read";
  const Header header = read_header(bytes);
  // Those have the same first fields (name, elem_type); their tensors are field 3, TensorProto's segment.
  const bool no_data = !header.raw && !header.has_typed && !header.external;
  if (header.has_segment || (no_data && header.dims.empty() && header.data_type <= 5 && !bytes.empty())) refuse(ErrorCode::unsupported, not_a_tensor);
  if (header.external) refuse(ErrorCode::unsupported, "its data is in another file (external data)");
  try {
    return decode(bytes, header, std::move(owner));
  } catch (const Error&) {
    if (header.dims_are_text) refuse(ErrorCode::unsupported, not_a_tensor);
    throw;
  }
}

std::string serialize_tensor_pb(const Tensor& tensor, const std::string& name) {
  std::string out;
  for (const int64_t dim : tensor.dims()) {
    put_varint(out, dims << 3 | WireField::varint);
    put_varint(out, static_cast<uint64_t>(dim));
  }
  put_varint(out, data_type << 3 | WireField::varint);
  put_varint(out, static_cast<uint64_t>(tensor.dtype()));
  if (tensor.dtype() == DType::string)
    for (int64_t i = 0; i < tensor.count(); ++i) put_bytes(out, string_data, tensor.at<StringRef>(i).view());
  put_bytes(out, 8, name);
  if (contains(dtypes::float6, tensor.dtype())) put_bytes(out, raw_data, pack_six_bits(tensor));
  else if (tensor.dtype() != DType::string) put_bytes(out, raw_data, {reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()});
  return out;
}

Tensor read_tensor_pb(const std::string& path) {
  return in_context([&] { return "reading tensor file '" + path + "'"; }, [&] {
    const auto file = MappedFile::open(path);
    return parse_tensor_pb(file->bytes(), file);
  });
}

}  // namespace ge
