#include "ge/base/tensor_difference.hpp"

#include "ge/base/small_float.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

namespace ge {
namespace {

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

void note(TensorDifference& difference, int64_t element) {
  if (element == difference.last) return;  // the other part of a complex number
  if (difference.count++ == 0) difference.first = element;
  difference.last = element;
}

std::string coordinates(int64_t element, std::span<const int64_t> dims) {
  std::vector<int64_t> at(dims.size());
  for (size_t axis = dims.size(); axis-- > 0; element /= dims[axis]) at[axis] = element % dims[axis];
  return dims_to_string(at);
}

/// The bits of an element of at most 64 bits; packed types hold the first element in the lowest bits.
uint64_t bits_at(const Tensor& tensor, int64_t element) {
  const auto width = static_cast<int64_t>(bits_of(tensor.dtype()));
  uint64_t bits = 0;
  if (width >= 8) {
    std::memcpy(&bits, tensor.bytes().data() + element * (width / 8), static_cast<size_t>(width / 8));
    return bits;
  }
  const auto byte = std::to_integer<uint64_t>(tensor.bytes()[static_cast<size_t>(element * width / 8)]);
  return (byte >> (element * width % 8)) & ((uint64_t{1} << width) - 1);
}

double small_value_at(const Tensor& tensor, int64_t element) {
  return small_float_value(tensor.dtype(), static_cast<uint8_t>(bits_at(tensor, element)));
}

/// Float and complex parts as double; nullopt for everything that is compared exactly.
std::optional<std::vector<double>> parts_of(const Tensor& tensor) {
  if (contains(dtypes::floats, tensor.dtype())) return tensor.to_doubles();
  if (contains(dtypes::small_floats, tensor.dtype())) {
    std::vector<double> values(static_cast<size_t>(tensor.count()));
    for (size_t i = 0; i < values.size(); ++i) values[i] = small_value_at(tensor, static_cast<int64_t>(i));
    return values;
  }
  if (!contains(dtypes::complex, tensor.dtype())) return std::nullopt;
  std::vector<double> parts(static_cast<size_t>(tensor.count()) * 2);
  for (size_t i = 0; i < parts.size(); ++i)
    parts[i] = tensor.dtype() == DType::complex64 ? static_cast<double>(tensor.at<float>(static_cast<int64_t>(i))) : tensor.at<double>(static_cast<int64_t>(i));
  return parts;
}

void compare_parts(const std::vector<double>& got, const std::vector<double>& expected, int64_t parts_per_element, Tolerance tolerance, TensorDifference& into) {
  for (size_t i = 0; i < got.size(); ++i) {
    const double a = got[i], b = expected[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double error = std::isfinite(a) && std::isfinite(b) ? std::abs(a - b) : std::numeric_limits<double>::infinity();
    into.absolute = std::max(into.absolute, error);
    if (b != 0) into.relative = std::max(into.relative, std::isfinite(error) ? error / std::abs(b) : error);
    // Written so that an infinite error never passes, whatever the tolerance.
    if (!std::isfinite(error) || error > tolerance.absolute + tolerance.relative * std::abs(b))
      note(into, static_cast<int64_t>(i) / parts_per_element);
  }
}

bool equal_exactly(const Tensor& a, const Tensor& b, int64_t element) {
  if (a.dtype() == DType::string) return a.at<StringRef>(element).view() == b.at<StringRef>(element).view();
  return bits_at(a, element) == bits_at(b, element);
}

std::string element_text(const Tensor& tensor, int64_t element) {
  const DType dtype = tensor.dtype();
  if (dtype == DType::string) return "'" + std::string(tensor.at<StringRef>(element).view()) + "'";
  switch (dtype) {
    case DType::float32: return number_text(static_cast<double>(tensor.at<float>(element)));
    case DType::float64: return number_text(tensor.at<double>(element));
    case DType::float16: return number_text(static_cast<double>(half_to_float(tensor.at<uint16_t>(element))));
    case DType::bfloat16: return number_text(static_cast<double>(bfloat16_to_float(tensor.at<uint16_t>(element))));
    case DType::complex64: return number_text(static_cast<double>(tensor.at<float>(2 * element))) + "+" + number_text(static_cast<double>(tensor.at<float>(2 * element + 1))) + "i";
    case DType::complex128: return number_text(tensor.at<double>(2 * element)) + "+" + number_text(tensor.at<double>(2 * element + 1)) + "i";
    case DType::boolean: return bits_at(tensor, element) != 0 ? "true" : "false";
    default: break;
  }
  if (contains(dtypes::small_floats, dtype)) return number_text(small_value_at(tensor, element));
  const uint64_t bits = bits_at(tensor, element);
  if (is_unsigned_int(dtype)) return std::to_string(bits);
  const unsigned unused = 64 - bits_of(dtype);
  return std::to_string(static_cast<int64_t>(bits << unused) >> unused);
}

}  // namespace

TensorDifference compare_tensors(const Tensor& got, const Tensor& expected, Tolerance tolerance) {
  TensorDifference difference;
  difference.types_differ = got.dtype() != expected.dtype() || got.dims() != expected.dims();
  if (difference.types_differ) return difference;
  const auto got_parts = parts_of(got), expected_parts = parts_of(expected);
  if (got_parts && expected_parts) {
    compare_parts(*got_parts, *expected_parts, contains(dtypes::complex, got.dtype()) ? 2 : 1, tolerance, difference);
    return difference;
  }
  for (int64_t i = 0; i < got.count(); ++i)
    if (!equal_exactly(got, expected, i)) note(difference, i);
  return difference;
}

std::string describe_difference(const Tensor& got, const Tensor& expected, Tolerance tolerance) {
  const auto type_text = [](const Tensor& t) { return std::string(to_string(t.dtype())) + dims_to_string(t.dims()); };
  const TensorDifference difference = compare_tensors(got, expected, tolerance);
  if (difference.types_differ) return "got " + type_text(got) + ", expected " + type_text(expected);
  if (difference.count == 0) return "";
  std::string text = std::to_string(difference.count) + " of " + std::to_string(got.count()) + " elements differ; the first at " +
                     coordinates(difference.first, got.dims()) + ": got " + element_text(got, difference.first) + ", expected " + element_text(expected, difference.first);
  if (contains(dtypes::floats | dtypes::small_floats | dtypes::complex, got.dtype()))
    text += "; largest error " + number_text(difference.absolute) + " absolute, " + number_text(difference.relative) + " relative (allowed " +
            number_text(tolerance.absolute) + " + " + number_text(tolerance.relative) + " * |expected|)";
  return text;
}

std::string describe_difference(const Value& got, const Value& expected, Tolerance tolerance) {
  const auto shown = [](const Value& value) {
    if (!value.present) return "an " + std::string(to_string(value.kind)) + " that holds nothing";
    return "a value of kind " + std::string(to_string(value.kind)) + " with " + std::to_string(value.tensors.size()) + " tensors";
  };
  if (got.kind != expected.kind || got.present != expected.present || got.tensors.size() != expected.tensors.size()) return "got " + shown(got) + ", expected " + shown(expected);
  for (size_t i = 0; i < got.tensors.size(); ++i) {
    const std::string text = describe_difference(got.tensors[i], expected.tensors[i], tolerance);
    if (!text.empty()) return got.kind == ValueKind::tensor ? text : "element " + std::to_string(i) + ": " + text;
  }
  return "";
}

}  // namespace ge
