#pragma once
#include <cstdint>
#include <string_view>

namespace ge::reference {

/// A character at the start of a text: its number and its bytes. A byte that begins no valid character (RFC 3629: no
/// overlong forms, no surrogates) is one of its own, of number `bad_byte`.
struct Utf8 {
  static constexpr uint32_t bad_byte = 0xFFFFFFFF;
  uint32_t code;
  uint32_t size;
};
/// `text` is not empty. Reads no byte behind it.
inline Utf8 first_utf8(std::string_view text) noexcept {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const uint32_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {Utf8::bad_byte, 1};
  uint32_t code = lead & (0x7Fu >> size);
  for (uint32_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {Utf8::bad_byte, 1};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[size] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {Utf8::bad_byte, 1};
  return {code, size};
}

/// Bytes of a character.
constexpr uint32_t utf8_size(uint32_t code) { return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }
/// Writes a character's utf8_size(code) bytes.
inline void put_utf8(uint32_t code, char* to) noexcept {
  const uint32_t size = utf8_size(code);
  if (size == 1) return void(*to = static_cast<char>(code));
  for (uint32_t i = size; i-- > 1; code >>= 6) to[i] = static_cast<char>(0x80 | (code & 0x3F));
  constexpr uint32_t lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
  to[0] = static_cast<char>(lead[size] | code);
}

}  // namespace ge::reference
