#include "ge/import/onnx/typed_data.hpp"

#include <algorithm>

namespace ge::onnx {
namespace {

/// Which field of TensorProto holds a dtype, and the bytes that one entry of it makes.
struct Encoding {
  uint32_t field;
  size_t entry_bytes;
  const char* name;
};

Encoding encoding_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::complex64: return {4, 4, "float_data"};
    case DType::float64:
    case DType::complex128: return {10, 8, "double_data"};
    case DType::int64: return {7, 8, "int64_data"};
    case DType::uint32: return {11, 4, "uint64_data"};
    case DType::uint64: return {11, 8, "uint64_data"};
    // An entry of a 4-bit or 2-bit type is one packed byte.
    default: return {5, std::max<size_t>(1, bits_of(dtype) / 8), "int32_data"};
  }
}

bool fits(int64_t value, int bits, bool is_signed) {
  if (bits == 64) return true;
  const int64_t low = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t high = (int64_t{1} << (bits - (is_signed ? 1 : 0))) - 1;
  return low <= value && value <= high;
}

/// Calls `take(bytes)` with the elements of every record of the field, in file order.
template <class Take>
void for_entries(const TensorProto& proto, DType dtype, const Encoding& encoding, Take&& take) {
  const bool is_signed = is_signed_int(dtype) && bits_of(dtype) >= 8;
  for (Fields f(proto.message, "TensorProto"); f.next();) {
    if (f.id() != encoding.field) {
      f.skip();
    } else if (encoding.field == 4) {
      f.elements<float>(take);
    } else if (encoding.field == 10) {
      f.elements<double>(take);
    } else {
      f.each_integer([&](int64_t value) {
        if (dtype != DType::boolean && !fits(value, contains(dtypes::float6, dtype) ? 6 : static_cast<int>(encoding.entry_bytes) * 8, is_signed))
          throw Error(ErrorCode::invalid_model, std::string(encoding.name) + " has the value " + std::to_string(value) + ", which is no " +
                                                    std::string(to_string(dtype)));
        if (dtype == DType::boolean) value = value != 0;
        take(std::as_bytes(std::span(&value, 1)).first(encoding.entry_bytes));  // the low bytes: little endian
      });
    }
  }
}

[[noreturn]] void refuse_count(const char* field, size_t found, int64_t expected) {
  throw Error(ErrorCode::invalid_model, std::string(field) + " has " + std::to_string(found) + " entries, expected " + std::to_string(expected));
}

}  // namespace

Tensor decode_numbers(const TensorProto& proto, DType dtype, int64_t size) {
  const Encoding encoding = encoding_of(dtype);
  size_t found = 0;
  for_entries(proto, dtype, encoding, [&](Bytes bytes) { found += bytes.size(); });
  if (found != static_cast<size_t>(size))
    refuse_count(encoding.name, found / encoding.entry_bytes, size / static_cast<int64_t>(encoding.entry_bytes));
  Tensor tensor = Tensor::zeros(dtype, proto.dims);
  std::byte* at = tensor.mutable_data();
  for_entries(proto, dtype, encoding, [&](Bytes bytes) { at = std::copy(bytes.begin(), bytes.end(), at); });
  return tensor;
}

Tensor decode_strings(const TensorProto& proto, int64_t count, const std::shared_ptr<const void>& owner) {
  struct Block {
    std::vector<StringRef> refs;
    std::shared_ptr<const void> characters;
  };
  auto block = std::make_shared<Block>();
  block->characters = owner;
  for (Fields f(proto.message, "TensorProto"); f.next();) {
    if (f.id() != 6) {
      f.skip();
      continue;
    }
    const std::string_view text = f.text();
    block->refs.push_back({text.data(), text.size()});
  }
  if (static_cast<int64_t>(block->refs.size()) != count) refuse_count("string_data", block->refs.size(), count);
  const auto bytes = std::as_bytes(std::span(block->refs));
  return Tensor(DType::string, proto.dims, bytes, std::move(block));
}

}  // namespace ge::onnx
