#include "ge/import/json/text.hpp"

#include <array>

namespace ge::json {
namespace {

constexpr std::string_view escape = "\xe2\x90\x9b";  // ␛
constexpr std::string_view hex = "0123456789ABCDEF";
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Length of the UTF-8 character that `text` begins with (RFC 3629: no surrogates, shortest form); 0 when there is none.
size_t character_length(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const unsigned lo = first == 0xe0 ? 0xa0 : 0x80, hi = first == 0xed ? 0x9f : 0xbf;
    return byte(1) >= lo && byte(1) <= hi && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const unsigned lo = first == 0xf0 ? 0x90 : 0x80, hi = first == 0xf4 ? 0x8f : 0xbf;
    return byte(1) >= lo && byte(1) <= hi && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void append_escaped(std::string& out, std::string_view bytes) {
  for (char c : bytes) {
    out += escape;
    out += hex[static_cast<unsigned char>(c) >> 4];
    out += hex[static_cast<unsigned char>(c) & 15u];
  }
}

void append_control(std::string& out, char c) {
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    default: break;
  }
  out += "\\u00";
  out += hex[static_cast<unsigned char>(c) >> 4];
  out += hex[static_cast<unsigned char>(c) & 15u];
}

constexpr std::array<uint8_t, 256> values_of_alphabet() {
  std::array<uint8_t, 256> values{};
  for (auto& value : values) value = 0xff;
  for (size_t i = 0; i < alphabet.size(); ++i) values[static_cast<unsigned char>(alphabet[i])] = static_cast<uint8_t>(i);
  return values;
}

}  // namespace

void append_quoted(std::string& out, std::string_view bytes) {
  out += '"';
  while (!bytes.empty()) {
    const size_t length = character_length(bytes);
    const std::string_view character = bytes.substr(0, length == 0 ? 1 : length);
    const char c = character[0];
    if (length == 0 || character == escape) append_escaped(out, character);
    else if (length > 1) out += character;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) append_control(out, c);
    else if (c == '"' || c == '\\') (out += '\\') += c;
    else out += c;
    bytes.remove_prefix(character.size());
  }
  out += '"';
}

std::optional<std::string> bytes_of(std::string_view utf8) {
  std::string out;
  for (size_t at = 0;;) {
    const size_t next = utf8.find(escape, at);
    out += utf8.substr(at, next - at);
    if (next == std::string_view::npos) return out;
    at = next + escape.size();
    const size_t high = at < utf8.size() ? hex.find(utf8[at]) : std::string_view::npos;
    const size_t low = at + 1 < utf8.size() ? hex.find(utf8[at + 1]) : std::string_view::npos;
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out += static_cast<char>(high << 4 | low);
    at += 2;
  }
}

void append_base64(std::string& out, std::string_view bytes) {
  const auto put = [&](uint32_t bits, size_t digits) {
    for (size_t i = 0; i < 4; ++i) out += i < digits ? alphabet[bits >> (18 - 6 * i) & 63u] : '=';
  };
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])); };
  size_t at = 0;
  for (; at + 3 <= bytes.size(); at += 3) put(byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2), 4);
  if (bytes.size() - at == 1) put(byte(at) << 16, 2);
  if (bytes.size() - at == 2) put(byte(at) << 16 | byte(at + 1) << 8, 3);
}

std::optional<size_t> base64_size(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  return text.size() / 4 * 3 - padding;
}

bool read_base64(std::string_view text, char* into) {
  static constexpr auto values = values_of_alphabet();
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  uint32_t bits = 0, held = 0;
  for (char c : text) {
    const uint8_t value = values[static_cast<unsigned char>(c)];
    if (value == 0xff) return false;
    bits = bits << 6 | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    *into++ = static_cast<char>(bits >> held & 0xffu);
  }
  return held < 6 && (bits & ((1u << held) - 1)) == 0;
}

}  // namespace ge::json
