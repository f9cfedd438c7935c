#include "ge/import/json/numbers.hpp"
#include "ge/import/json/tensor.hpp"
#include "ge/import/json/text.hpp"

#include <bit>

namespace ge::json {
namespace {

/// Larger tensors are written in base64.
constexpr int64_t most_numbers = 64;

/// Appends element `i`; false when no number says all of it: a NaN with a payload, a bool that is neither 0 nor 1.
template <class T>
bool append_element(std::string& out, const Tensor& tensor, int64_t i) {
  const T value = tensor.at<T>(i);
  if constexpr (std::is_integral_v<T>) {
    append_integer(out, value);
    return tensor.dtype() != DType::boolean || value <= 1;
  } else {
    append_float(out, value);
    const T plain = std::numeric_limits<T>::quiet_NaN();
    return !std::isnan(value) || std::memcmp(&value, &plain, sizeof value) == 0;
  }
}

bool append_half(std::string& out, const Tensor& tensor, int64_t i) {
  const auto bits = tensor.at<uint16_t>(i);
  const bool brain = tensor.dtype() == DType::bfloat16;
  const float value = brain ? bfloat16_to_float(bits) : half_to_float(bits);
  append_float(out, value);
  return !std::isnan(value) || bits == (brain ? 0x7fc0 : 0x7e00);
}

using Append = bool (*)(std::string&, const Tensor&, int64_t);

Append append_of(DType dtype) {
  switch (dtype) {
    case DType::float32: return append_element<float>;
    case DType::float64: return append_element<double>;
    case DType::float16:
    case DType::bfloat16: return append_half;
    case DType::int8: return append_element<int8_t>;
    case DType::int16: return append_element<int16_t>;
    case DType::int32: return append_element<int32_t>;
    case DType::int64: return append_element<int64_t>;
    case DType::boolean:
    case DType::uint8: return append_element<uint8_t>;
    case DType::uint16: return append_element<uint16_t>;
    case DType::uint32: return append_element<uint32_t>;
    case DType::uint64: return append_element<uint64_t>;
    default: return nullptr;
  }
}

bool append_string(std::string& out, const Tensor& tensor, int64_t i) {
  append_quoted(out, tensor.at<StringRef>(i).view());
  return true;
}

bool append_data(std::string& out, const Tensor& tensor, Append append) {
  const size_t before = out.size();
  out += "\"data\": [";
  for (int64_t i = 0; i < tensor.count(); ++i) {
    if (i > 0) out += ", ";
    if (!append(out, tensor, i)) {
      out.resize(before);
      return false;
    }
  }
  out += ']';
  return true;
}

}  // namespace

void append_tensor(std::string& out, const Tensor& tensor) {
  if (!tensor) return static_cast<void>(out += "{\"tensor\": null}");
  out += "{\"tensor\": \"" + std::string(to_string(tensor.dtype())) + dims_to_string(tensor.dims()) + "\", ";
  const bool is_string = tensor.dtype() == DType::string;
  const Append append = is_string ? append_string : append_of(tensor.dtype());
  const bool readable = append != nullptr && (is_string || tensor.count() <= most_numbers);
  if (!readable || !append_data(out, tensor, append)) {
    out += "\"base64\": \"";
    append_base64(out, {reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()});
    out += '"';
  }
  out += '}';
}

}  // namespace ge::json
