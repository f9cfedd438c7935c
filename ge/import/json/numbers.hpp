#pragma once
#include "ge/import/json/value.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

// Numbers as JSON, exact both ways: the shortest text that reads back as the same value of its type. JSON has no text
// for the others: they are the strings "nan" (the quiet NaN without payload), "inf" and "-inf".
namespace ge::json {

template <class Integer>
void append_integer(std::string& out, Integer value) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

/// Float is float or double. A finite value has a fraction or an exponent: it is no integer.
template <class Float>
void append_float(std::string& out, Float value) {
  if (std::isnan(value)) return static_cast<void>(out += "\"nan\"");
  if (std::isinf(value)) return static_cast<void>(out += value < 0 ? "\"-inf\"" : "\"inf\"");
  char text[40];
  const std::string_view written(text, static_cast<size_t>(std::to_chars(text, text + sizeof text, value).ptr - text));
  out += written;
  if (written.find_first_of(".e") == std::string_view::npos) out += ".0";
}

template <class Float>
std::optional<Float> read_float(Value value) {
  if (value.is(Kind::integer)) return static_cast<Float>(value.integer());
  if (value.is(Kind::large)) return static_cast<Float>(value.large());
  if (value.is(Kind::string)) {
    if (value.text() == "nan") return std::numeric_limits<Float>::quiet_NaN();
    if (value.text() == "inf") return std::numeric_limits<Float>::infinity();
    if (value.text() == "-inf") return -std::numeric_limits<Float>::infinity();
  }
  if (!value.is(Kind::real)) return std::nullopt;
  const std::string_view text = value.text();
  Float out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

template <class Integer>
std::optional<Integer> read_integer(Value value) {
  if (value.is(Kind::large) && std::numeric_limits<Integer>::max() == std::numeric_limits<uint64_t>::max()) return static_cast<Integer>(value.large());
  if (!value.is(Kind::integer) || !std::in_range<Integer>(value.integer())) return std::nullopt;
  return static_cast<Integer>(value.integer());
}

}  // namespace ge::json
