// Characters and classes of RE2's syntax (https://github.com/google/re2/wiki/Syntax), for RegexFullMatch (ONNX 20).
#include "ge/kernels/reference/regex_text.hpp"

#include "ge/kernels/reference/utf8.hpp"

#include <utility>

namespace ge::reference {
namespace {

int digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99; }

void add_to(CharSet& to, CharSet part, bool any_case, bool negated) {
  if (any_case) part.add_cases();
  if (negated) part.negate();
  to.add(part);
}

}  // namespace

RegexText::RegexText(std::string_view pattern) : pattern_(pattern) {
  for (; !empty(); at_ += first_utf8(rest()).size)
    if (first_utf8(rest()).code == Utf8::bad_byte) fail("is no UTF-8");
  at_ = 0;
}

void RegexText::fail(const std::string& what) const {
  const std::string shown = pattern_.size() <= 80 ? std::string(pattern_) : std::string(pattern_.substr(0, 80)) + "...";
  throw Error(ErrorCode::invalid_model, "the pattern '" + shown + "' " + what + " at byte " + std::to_string(at_) + ", expected RE2's syntax");
}

bool RegexText::take(std::string_view text) {
  if (!starts_with(text)) return false;
  at_ += text.size();
  return true;
}

uint32_t RegexText::next() {
  const Utf8 character = first_utf8(rest());
  at_ += character.size;
  return character.code;
}

uint32_t RegexText::hex_escape() {
  uint32_t code = 0;
  if (!take("{")) {
    for (int i = 0; i < 2; ++i) {
      const int digit = empty() ? 99 : digit_of(pattern_[at_++]);
      if (digit > 15) fail("has a bad escape \\x");
      code = code * 16 + static_cast<uint32_t>(digit);
    }
    return code;
  }
  const size_t first = at_;
  while (!empty() && !starts_with("}")) {
    const int digit = digit_of(pattern_[at_++]);
    if (digit > 15) fail("has a bad escape \\x{}");
    code = code * 16 + static_cast<uint32_t>(digit);
    if (code > CharSet::most) fail("has an escape \\x{} beyond 10FFFF");
  }
  if (at_ == first || !take("}")) fail("has a bad escape \\x{}");
  return code;
}

uint32_t RegexText::escape() {
  take("\\");
  if (empty()) fail("ends with a backslash");
  const uint32_t c = next();
  if (c >= '0' && c <= '7') {
    // Octal. A digit other than 0 that stands alone would refer back to a group.
    if (c != '0' && (empty() || rest()[0] < '0' || rest()[0] > '7')) fail("refers back to a group, which no automaton can,");
    uint32_t code = c - '0';
    for (int i = 0; i < 2 && !empty() && rest()[0] >= '0' && rest()[0] <= '7'; ++i) code = code * 8 + (next() - '0');
    return code;
  }
  switch (c) {
    case 'x': return hex_escape();
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'a': return '\a';
    case 'f': return '\f';
    case 'v': return '\v';
    default: break;
  }
  const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (c >= 0x80 || alphanumeric) fail("has an escape that RE2 does not know");
  return c;
}

/// From "\p" on.
bool RegexText::take_unicode_class(CharSet& to, bool& negated) {
  if (!starts_with("\\p") && !starts_with("\\P")) return false;
  negated = pattern_[at_ + 1] == 'P';
  at_ += 2;
  if (empty()) fail("ends within a class");
  std::string_view name;
  if (take("{")) {
    const size_t end = rest().find('}');
    if (end == std::string_view::npos) fail("has a class without its '}'");
    name = rest().substr(0, end);
    at_ += end + 1;
    if (name.starts_with('^')) negated = !negated, name.remove_prefix(1);
  } else {
    const size_t first = at_;
    next();
    name = pattern_.substr(first, at_ - first);
  }
  if (!add_unicode_class(name, to)) fail("has the class '" + std::string(name) + "', which is no general category and no script of Unicode,");
  return true;
}

bool RegexText::take_class(bool any_case, CharSet& to) {
  CharSet part;
  bool negated = false;
  if (take_unicode_class(part, negated)) return add_to(to, std::move(part), any_case, negated), true;
  if (rest().size() < 2 || rest()[0] != '\\') return false;
  const char letter = rest()[1];
  const auto is = [&](char lower) { return letter == lower || letter == lower - 'a' + 'A'; };
  if (is('s')) {
    part.add('\t', '\n'), part.add('\f', '\r'), part.add(' ', ' ');
  } else if (is('d') || is('w')) {
    add_posix_class(is('d') ? "digit" : "word", part);
  } else {
    return false;
  }
  at_ += 2;
  return add_to(to, std::move(part), any_case, letter < 'a'), true;
}

/// "[:alpha:]" or "[:^alpha:]", within brackets.
bool RegexText::take_posix_class(bool any_case, CharSet& to) {
  if (!starts_with("[:") || no_class_ends_) return false;
  const size_t end = rest().find(":]");
  no_class_ends_ = end == std::string_view::npos;
  if (no_class_ends_) return false;
  std::string_view name = rest().substr(2, end - 2);
  const bool negated = name.starts_with('^');
  if (negated) name.remove_prefix(1);
  CharSet part;
  if (!add_posix_class(name, part)) fail("has the unknown class '[:" + std::string(name) + ":]'");
  at_ += end + 2;
  return add_to(to, std::move(part), any_case, negated), true;
}

uint32_t RegexText::bracket_character() {
  if (empty()) fail("has a bracket without its ']'");
  return starts_with("\\") ? escape() : next();
}

CharSet RegexText::bracket(bool any_case) {
  CharSet set;
  const bool negated = take("^");
  for (bool first = true; first || !starts_with("]"); first = false) {
    if (empty()) fail("has a bracket without its ']'");
    if (take_posix_class(any_case, set) || take_class(any_case, set)) continue;
    CharSet part;
    const uint32_t low = bracket_character();
    uint32_t high = low;
    if (starts_with("-") && !starts_with("-]")) take("-"), high = bracket_character();
    if (high < low) fail("has a range whose end is before its beginning");
    part.add(low, high);
    add_to(set, std::move(part), any_case, false);
  }
  take("]");
  if (negated) set.negate();
  return set;
}

}  // namespace ge::reference
