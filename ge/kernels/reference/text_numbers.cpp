#include "ge/kernels/reference/text_numbers.hpp"

#include "ge/base/small_float.hpp"
#include "ge/base/tensor.hpp"
#include "ge/kernels/reference/element.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace ge::reference {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// `lower` is in lower case.
bool same_word(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if ((text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]) != lower[i]) return false;
  return true;
}

bool starts_number(std::string_view text) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && ((text.front() >= '0' && text.front() <= '9') || text.front() == '.');
}

/// What a number of right form, but out of double's range, becomes: with a negative exponent, or none and only zeros
/// before the point, it was too small.
double beyond_range(std::string_view text) {
  const bool negative = text.front() == '-';
  const size_t exponent = text.find_first_of("eE");
  const bool small = exponent != text.npos ? text[exponent + 1] == '-' : text.find_first_not_of("-0") == text.find('.');
  const double magnitude = small ? 0 : std::numeric_limits<double>::infinity();
  return negative ? -magnitude : magnitude;
}

/// Shortest digits of a float of 16 bits or fewer: those of the fewest significant digits that convert back to the same bits.
template <class ToBits>
std::to_chars_result write_short(char* first, char* last, double value, ToBits to_bits) {
  std::to_chars_result result{};
  for (int digits = 1; digits <= 9; ++digits) {
    char text[64];
    const auto scientific = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1);
    double back = 0;
    std::from_chars(text, scientific.ptr, back);
    result = std::to_chars(first, last, back, std::chars_format::fixed);
    if (to_bits(back) == to_bits(value)) break;
  }
  return result;
}

}  // namespace

std::string_view format_float(DType dtype, double value, char (&buffer)[number_text_size]) noexcept {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "INF" : "-INF";
  char* const last = buffer + number_text_size - 2;  // room for ".0"
  std::to_chars_result result{};
  switch (dtype) {
    case DType::float16: result = write_short(buffer, last, value, double_to_half); break;
    case DType::bfloat16: result = write_short(buffer, last, value, double_to_bfloat16); break;
    case DType::float32: result = std::to_chars(buffer, last, static_cast<float>(value), std::chars_format::fixed); break;
    case DType::float64: result = std::to_chars(buffer, last, value, std::chars_format::fixed); break;
    default: result = write_short(buffer, last, value, [&](double x) { return small_float_code(dtype, x, {true, ScaleRounding::nearest}); }); break;
  }
  auto size = static_cast<size_t>(result.ptr - buffer);
  if (std::string_view(buffer, size).find('.') == std::string_view::npos) {
    buffer[size++] = '.';
    buffer[size++] = '0';
  }
  return {buffer, size};
}

bool parse_float(std::string_view text, double& value) noexcept {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return false;
  }
  const bool negative = !text.empty() && text.front() == '-';
  const std::string_view word = text.substr(negative ? 1 : 0);
  if (same_word(word, "inf") || same_word(word, "infinity")) {
    value = negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    return true;
  }
  if (same_word(word, "nan")) {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  if (!starts_number(text)) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return false;
  if (error == std::errc::result_out_of_range) value = beyond_range(text);
  return true;
}

bool parse_int(std::string_view text, bool is_unsigned, uint64_t& bits) noexcept {
  text = trimmed(text);
  std::string_view digits = text;
  if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-') digits.remove_prefix(1);
  const char* const end = digits.data() + digits.size();
  int64_t number = 0;
  if (const auto [stop, error] = std::from_chars(digits.data(), end, number); error == std::errc{} && stop == end) {
    bits = static_cast<uint64_t>(number);
    return true;
  }
  if (const auto [stop, error] = std::from_chars(digits.data(), end, bits); is_unsigned && error == std::errc{} && stop == end) return true;
  double value = 0;
  if (!parse_float(text, value) || std::isnan(value) || value < -0x1p63 || value >= (is_unsigned ? 0x1p64 : 0x1p63)) return false;
  bits = value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value);
  return true;
}

bool parse_bool(std::string_view text, bool& value) noexcept {
  text = trimmed(text);
  value = same_word(text, "true");
  if (value || same_word(text, "false")) return true;
  double number = 0;
  if (!parse_float(text, number)) return false;
  value = number != 0;
  return true;
}

}  // namespace ge::reference
