#include "ge/import/json/numbers.hpp"
#include "ge/import/json/tensor.hpp"
#include "ge/import/json/text.hpp"

namespace ge::json {
namespace {

struct TensorForm {
  DType dtype = DType::undefined;
  std::vector<int64_t> dims;
  int64_t count = 0, bytes = 0;
};

/// "float32[2, 3]" with numbers as dims; a message where it is none.
std::optional<std::string> read_form(std::string_view text, TensorForm& form) {
  const std::string wanted = "expected a dtype and dims that are numbers, such as float32[2, 3]";
  const size_t bracket = text.find('[');
  const auto dtype = bracket == std::string_view::npos ? std::nullopt : dtype_from_name(text.substr(0, bracket));
  if (!dtype || !text.ends_with(']')) return wanted;
  form.dtype = *dtype;
  const char* at = text.data() + bracket + 1;
  const char* const end = text.data() + text.size() - 1;
  while (at < end) {
    int64_t dim = 0;
    const auto [after, error] = std::from_chars(at, end, dim);
    if (error != std::errc{} || dim < 0) return wanted;
    if (form.dims.size() == 255) return "has more than 255 dims";
    form.dims.push_back(dim);
    at = after;
    if (at == end) break;
    if (*at != ',' || ++at == end) return wanted;
    if (*at == ' ') ++at;
  }
  const auto count = element_count(form.dims);
  const auto bytes = count ? bytes_for(form.dtype, *count) : std::nullopt;
  if (!bytes) return "no tensor can have these dims: its size is not a 64-bit number of bytes";
  form.count = *count;
  form.bytes = *bytes;
  return std::nullopt;
}

/// Writes the elements one by one; the first that is not of the dtype is a finding.
class Elements {
 public:
  Elements(const Place& place, const TensorForm& form, Findings& findings) : place_(place), form_(form), findings_(findings) {}

  bool read(Value data, std::byte* into) {
    switch (form_.dtype) {
      case DType::float32: return each<float>(data, into, read_float<float>);
      case DType::float64: return each<double>(data, into, read_float<double>);
      case DType::float16: return each<uint16_t>(data, into, [](Value v) { return narrowed(v, float_to_half); });
      case DType::bfloat16: return each<uint16_t>(data, into, [](Value v) { return narrowed(v, float_to_bfloat16); });
      case DType::int8: return each<int8_t>(data, into, read_integer<int8_t>);
      case DType::int16: return each<int16_t>(data, into, read_integer<int16_t>);
      case DType::int32: return each<int32_t>(data, into, read_integer<int32_t>);
      case DType::int64: return each<int64_t>(data, into, read_integer<int64_t>);
      case DType::uint8: return each<uint8_t>(data, into, read_integer<uint8_t>);
      case DType::uint16: return each<uint16_t>(data, into, read_integer<uint16_t>);
      case DType::uint32: return each<uint32_t>(data, into, read_integer<uint32_t>);
      case DType::uint64: return each<uint64_t>(data, into, read_integer<uint64_t>);
      case DType::boolean: return each<uint8_t>(data, into, truth);
      default: break;
    }
    findings_.add(place_, "elements of " + std::string(to_string(form_.dtype)) + " cannot be given as 'data', give 'base64'");
    return false;
  }

 private:
  static std::optional<uint16_t> narrowed(Value value, uint16_t (*narrow)(float) noexcept) {
    const auto wide = read_float<float>(value);
    return wide ? std::optional(narrow(*wide)) : std::nullopt;
  }
  static std::optional<uint8_t> truth(Value value) {
    if (!value.is(Kind::boolean) && !value.is(Kind::integer)) return std::nullopt;
    return value.integer() == 0 || value.integer() == 1 ? std::optional(static_cast<uint8_t>(value.integer())) : std::nullopt;
  }

  template <class T, class Read>
  bool each(Value data, std::byte* into, Read read) {
    bool good = true;
    data.each_item([&](Value item, size_t i) {
      const std::optional<T> element = good ? read(item) : std::nullopt;
      if (element) std::memcpy(into + i * sizeof(T), &*element, sizeof(T));
      else if (good) findings_.expected(Place(place_, i), item, "a value of " + std::string(to_string(form_.dtype)));
      good &= element.has_value();
    });
    return good;
  }

  const Place& place_;
  const TensorForm& form_;
  Findings& findings_;
};

std::optional<Tensor> read_strings(const Place& place, Value data, const TensorForm& form, Findings& findings, MemoryBudget& budget) {
  std::vector<std::string> texts;
  budget.add(data.size() * (sizeof(std::string) + sizeof(StringRef)));
  texts.reserve(data.size());
  bool good = true;
  data.each_item([&](Value item, size_t i) {
    auto text = read_string(Place(place, i), item, findings);
    good &= text.has_value();
    if (!good) return;
    budget.add(text->size());
    texts.push_back(std::move(*text));
  });
  if (!good) return std::nullopt;
  return Tensor::strings(form.dims, std::move(texts));
}

std::optional<Tensor> read_data(const Place& place, Value data, const TensorForm& form, Findings& findings, MemoryBudget& budget) {
  if (!data.is(Kind::array)) {
    findings.expected(place, data, "an array of elements");
    return std::nullopt;
  }
  if (static_cast<uint64_t>(form.count) != data.size()) {
    findings.add(place, "has " + std::to_string(data.size()) + " elements, expected " + std::to_string(form.count) + " for dims " + dims_to_string(form.dims));
    return std::nullopt;
  }
  if (form.dtype == DType::string) return read_strings(place, data, form, findings, budget);
  budget.add(static_cast<size_t>(form.bytes) + 128);
  Tensor tensor = Tensor::zeros(form.dtype, form.dims);
  if (!Elements(place, form, findings).read(data, tensor.mutable_data())) return std::nullopt;
  return tensor;
}

constexpr const char* not_base64 = "is not base64 with its padding";

/// Whether the value is a string that gives `size` bytes (any number for nullopt), as far as its length tells.
bool check_packed(const Place& place, Value text, std::optional<int64_t> size, Findings& findings) {
  if (!text.is(Kind::string)) {
    findings.expected(place, text, "a string in base64");
    return false;
  }
  const auto found = base64_size(text.text());
  if (!found) findings.add(place, not_base64);
  else if (size && *found != static_cast<uint64_t>(*size)) findings.add(place, "has " + std::to_string(*found) + " bytes, expected " + std::to_string(*size));
  else return true;
  return false;
}

std::optional<Tensor> read_packed(const Place& place, Value text, const TensorForm& form, Findings& findings, MemoryBudget& budget) {
  if (form.dtype == DType::string) {
    findings.add(place, "elements of string cannot be given as 'base64', give 'data'");
    return std::nullopt;
  }
  if (!check_packed(place, text, form.bytes, findings)) return std::nullopt;
  budget.add(static_cast<size_t>(form.bytes) + 128);
  Tensor tensor = Tensor::zeros(form.dtype, form.dims);
  if (read_base64(text.text(), reinterpret_cast<char*>(tensor.mutable_data()))) return tensor;
  findings.add(place, not_base64);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> read_string(const Place& place, Value value, Findings& findings) {
  if (!value.is(Kind::string)) {
    findings.expected(place, value, "a string");
    return std::nullopt;
  }
  auto bytes = bytes_of(value.text());
  if (!bytes) findings.add(place, "a ␛ in " + describe(value) + " is not followed by two hexadecimal digits (0 to 9, A to F)");
  return bytes;
}

std::optional<std::string> read_bytes(const Place& place, Value text, Findings& findings, MemoryBudget& budget) {
  if (!check_packed(place, text, std::nullopt, findings)) return std::nullopt;
  const size_t size = *base64_size(text.text());
  budget.add(size);
  std::string bytes(size, '\0');
  if (read_base64(text.text(), bytes.data())) return bytes;
  findings.add(place, not_base64);
  return std::nullopt;
}

std::optional<Tensor> read_tensor(const Place& place, Value type, std::optional<Value> data, std::optional<Value> base64,
                                  Findings& findings, MemoryBudget& budget) {
  if (type.is(Kind::null) && !data && !base64) return Tensor();
  TensorForm form;
  if (!type.is(Kind::string)) {
    findings.expected(Place(place, "tensor"), type, "a string such as 'float32[2, 3]'");
    return std::nullopt;
  }
  if (const auto wrong = read_form(type.text(), form)) {
    findings.add(Place(place, "tensor"), describe(type) + ": " + *wrong);
    return std::nullopt;
  }
  if (data.has_value() == base64.has_value()) {
    findings.add(place, "a tensor has either 'data' or 'base64'");
    return std::nullopt;
  }
  return data ? read_data(Place(place, "data"), *data, form, findings, budget) : read_packed(Place(place, "base64"), *base64, form, findings, budget);
}

}  // namespace ge::json
