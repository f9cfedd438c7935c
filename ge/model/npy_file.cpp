#include "ge/base/mapped_file.hpp"
#include "ge/model/tensor_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

// NumPy's format (NEP 1): magic, version, length of the header, header (a Python dict literal), elements.
namespace ge {
namespace {

[[noreturn]] void refuse(ErrorCode code, const std::string& what) { throw Error(code, "cannot take the .npy file: " + what); }

struct Kind {
  std::string_view code;  ///< without the byte order
  DType dtype;
};
constexpr Kind npy_kinds[] = {
    {"b1", DType::boolean}, {"i1", DType::int8},    {"i2", DType::int16},   {"i4", DType::int32},     {"i8", DType::int64},
    {"u1", DType::uint8},   {"u2", DType::uint16},  {"u4", DType::uint32},  {"u8", DType::uint64},    {"f2", DType::float16},
    {"f4", DType::float32}, {"f8", DType::float64}, {"c8", DType::complex64}, {"c16", DType::complex128},
};

DType dtype_of(std::string_view descr) {
  const char order = descr.empty() ? '\0' : descr[0];
  for (const Kind& kind : npy_kinds)
    if (descr.size() > 1 && descr.substr(1) == kind.code && (order == '<' || order == '=' || (order == '|' && kind.code[1] == '1'))) return kind.dtype;
  refuse(ErrorCode::unsupported, "its elements are '" + std::string(descr) + "', expected little endian bool, integer, float or complex numbers");
}

/// What follows "'key':" in the header, without leading blanks.
std::string_view value_of(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = quote + std::string(key) + quote;
    size_t at = header.find(quoted);
    if (at == std::string_view::npos) continue;
    at = header.find_first_not_of(' ', at + quoted.size());
    if (at == std::string_view::npos || header[at] != ':') break;
    at = header.find_first_not_of(' ', at + 1);
    if (at != std::string_view::npos) return header.substr(at);
  }
  refuse(ErrorCode::corrupt_file, "its header has no value of '" + std::string(key) + "'");
}

std::string_view quoted_text(std::string_view value) {
  const size_t end = value.size() > 1 && (value[0] == '\'' || value[0] == '"') ? value.find(value[0], 1) : std::string_view::npos;
  if (end == std::string_view::npos) refuse(ErrorCode::unsupported, "its elements are no plain numbers");
  return value.substr(1, end - 1);
}

std::vector<int64_t> tuple(std::string_view value) {
  std::vector<int64_t> dims;
  if (value.empty() || value[0] != '(') refuse(ErrorCode::corrupt_file, "its shape is no tuple");
  value.remove_prefix(1);
  for (;;) {
    value.remove_prefix(std::min(value.find_first_not_of(" ,"), value.size()));
    if (!value.empty() && value[0] == ')') return dims;
    int64_t dim = -1;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), dim);
    if (error != std::errc() || dim < 0 || dims.size() == 255) refuse(ErrorCode::corrupt_file, "its shape is no tuple of sizes");
    dims.push_back(dim);
    value.remove_prefix(static_cast<size_t>(end - value.data()));
  }
}

/// From column-major to row-major order.
Tensor from_fortran(DType dtype, const std::vector<int64_t>& dims, std::span<const std::byte> bytes) {
  Tensor tensor = Tensor::zeros(dtype, dims);
  const size_t size = bits_of(dtype) / 8;
  std::vector<int64_t> strides(dims.size()), index(dims.size(), 0);
  int64_t stride = 1;
  for (size_t i = 0; i < dims.size(); ++i) strides[i] = stride, stride *= dims[i];
  int64_t source = 0;
  for (int64_t i = 0; i < tensor.count(); ++i) {
    std::memcpy(tensor.mutable_data() + static_cast<size_t>(i) * size, bytes.data() + static_cast<size_t>(source) * size, size);
    for (size_t axis = dims.size(); axis-- > 0;) {
      source += strides[axis];
      if (++index[axis] < dims[axis]) break;
      source -= strides[axis] * dims[axis];
      index[axis] = 0;
    }
  }
  return tensor;
}

}  // namespace

Tensor parse_npy(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (bytes.size() < 10 || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) refuse(ErrorCode::corrupt_file, "it does not start as one");
  const auto major = static_cast<unsigned>(bytes[6]);
  if (major < 1 || major > 3) refuse(ErrorCode::unsupported, "it is of version " + std::to_string(major) + ", expected 1 to 3");
  const size_t length_bytes = major == 1 ? 2 : 4;
  uint32_t length = 0;
  if (bytes.size() < 8 + length_bytes) refuse(ErrorCode::corrupt_file, "it is cut short");
  std::memcpy(&length, bytes.data() + 8, length_bytes);
  const size_t start = 8 + length_bytes;
  if (length > bytes.size() - start) refuse(ErrorCode::corrupt_file, "it is cut short in its header");

  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + start, length);
  const DType dtype = dtype_of(quoted_text(value_of(header, "descr")));
  const std::vector<int64_t> dims = tuple(value_of(header, "shape"));
  const bool fortran = value_of(header, "fortran_order").starts_with("True");
  const auto count = element_count(dims);
  const auto size = count ? bytes_for(dtype, *count) : std::nullopt;
  const auto data = bytes.subspan(start + length);
  if (!size || static_cast<int64_t>(data.size()) != *size)
    refuse(ErrorCode::corrupt_file, std::string(to_string(dtype)) + dims_to_string(dims) + " with " + std::to_string(data.size()) + " bytes of elements, expected " +
                                        (size ? std::to_string(*size) : "a 64-bit size"));
  return fortran && dims.size() > 1 ? from_fortran(dtype, dims, data) : Tensor(dtype, dims, data, std::move(owner));
}

Tensor read_npy(const std::string& path) {
  return in_context([&] { return "reading tensor file '" + path + "'"; }, [&] {
    const auto file = MappedFile::open(path);
    return parse_npy(file->bytes(), file);
  });
}

/// The bytes before the elements.
std::string npy_header(const Tensor& tensor) {
  const auto kind = std::find_if(std::begin(npy_kinds), std::end(npy_kinds), [&](const Kind& k) { return k.dtype == tensor.dtype(); });
  if (kind == std::end(npy_kinds)) refuse(ErrorCode::unsupported, "NumPy has no elements of " + std::string(to_string(tensor.dtype())) + "; write a .pb file instead");
  std::string header = std::string("{'descr': '") + (kind->code[1] == '1' && kind->code.size() == 2 ? "|" : "<") + std::string(kind->code) + "', 'fortran_order': False, 'shape': (";
  for (const int64_t dim : tensor.dims()) header += std::to_string(dim) + ", ";
  header += "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  if (header.size() > UINT16_MAX) refuse(ErrorCode::unsupported, "its rank is too high");
  std::string start("\x93NUMPY\x01\x00", 8);
  start += static_cast<char>(header.size() & 0xff);
  start += static_cast<char>(header.size() >> 8);
  return start + header;
}

}  // namespace ge
