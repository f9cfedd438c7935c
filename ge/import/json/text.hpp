#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Byte strings as JSON strings. JSON holds Unicode; a byte that is no part of valid UTF-8 is written as ␛ (U+241B) and
// two hexadecimal digits, and so are the three bytes of a ␛ itself. Every byte string has one written form.
namespace ge::json {

/// Appends the string with its quotes.
void append_quoted(std::string& out, std::string_view bytes);
/// The bytes that a JSON string (already decoded to UTF-8) stands for; nullopt where ␛ is not followed by two digits.
std::optional<std::string> bytes_of(std::string_view utf8);

void append_base64(std::string& out, std::string_view bytes);
/// How many bytes a base64 text gives: RFC 4648 with padding. nullopt when its length cannot be right.
std::optional<size_t> base64_size(std::string_view text);
/// Writes base64_size() bytes; false when a character is not of the alphabet, or bits that have no byte are not 0.
bool read_base64(std::string_view text, char* into);

}  // namespace ge::json
