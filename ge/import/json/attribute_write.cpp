#include "ge/import/json/attribute.hpp"
#include "ge/import/json/numbers.hpp"
#include "ge/import/json/tensor.hpp"
#include "ge/import/json/text.hpp"

#include <bit>

namespace ge::json {
namespace {

/// Longer lists are written in base64.
constexpr size_t most_items = 1024;

bool is_plain_nan(float value) { return std::bit_cast<uint32_t>(value) == std::bit_cast<uint32_t>(std::numeric_limits<float>::quiet_NaN()); }

/// A NaN with a payload has no number: "0x7fc00001" are its bits.
void append_any_float(std::string& out, float value) {
  if (!std::isnan(value) || is_plain_nan(value)) return append_float(out, value);
  char text[16];
  const auto end = std::to_chars(text, text + sizeof text, std::bit_cast<uint32_t>(value), 16).ptr;
  out.append("\"0x").append(text, end).append("\"");
}

template <class T, class Append>
void append_list(std::string& out, const std::vector<T>& items, Append append) {
  out += '[';
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    append(out, items[i]);
  }
  out += ']';
}

template <class T>
void append_packed(std::string& out, const std::vector<T>& items) {
  static_assert(std::endian::native == std::endian::little);
  out += '"';
  append_base64(out, {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)});
  out += '"';
}

struct Append {
  std::string& out;

  void operator()(int64_t value) const { append_integer(out, value); }
  void operator()(float value) const {
    if (std::isfinite(value)) return append_float(out, value);
    out += "{\"float\": ";
    append_any_float(out, value);
    out += '}';
  }
  void operator()(const std::string& value) const { append_quoted(out, value); }
  void operator()(const std::vector<int64_t>& value) const {
    if (!value.empty() && value.size() <= most_items) return append_list(out, value, append_integer<int64_t>);
    keyed("ints", [&] { value.empty() ? static_cast<void>(out += "[]") : append_packed(out, value); });
  }
  void operator()(const std::vector<float>& value) const {
    bool plain = !value.empty();
    for (float item : value) plain &= std::isfinite(item);
    if (value.size() > most_items) return keyed("floats", [&] { append_packed(out, value); });
    if (plain) return append_list(out, value, append_float<float>);
    keyed("floats", [&] { append_list(out, value, append_any_float); });
  }
  void operator()(const std::vector<std::string>& value) const {
    if (!value.empty()) return append_list(out, value, append_quoted);
    keyed("strings", [&] { out += "[]"; });
  }
  void operator()(const Tensor& value) const { append_tensor(out, value); }

  template <class Write>
  void keyed(const char* key, Write write) const {
    out.append("{\"").append(key).append("\": ");
    write();
    out += '}';
  }
};

}  // namespace

void append_attribute(std::string& out, const AttributeValue& value) { std::visit(Append{out}, value); }

void append_attributes(std::string& out, const Attributes& attributes) {
  out += '{';
  bool first = true;
  for (const auto& [name, value] : attributes) {
    if (!first) out += ", ";
    first = false;
    append_quoted(out, name);
    out += ": ";
    append_attribute(out, value);
  }
  out += '}';
}

}  // namespace ge::json
