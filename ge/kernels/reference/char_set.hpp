#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace ge::reference {

/// Characters first to last.
struct CharRange {
  uint32_t first, last;
  friend bool operator==(const CharRange&, const CharRange&) = default;
};

/// A set of characters, for classes of regular expressions.
class CharSet {
 public:
  static constexpr uint32_t most = 0x10FFFF;

  void add(uint32_t first, uint32_t last) { ranges_.push_back({first, last}); }
  void add(const CharSet& other);
  /// All characters that are not in the set now.
  void negate();
  /// Adds the upper and lower cases of all that is in the set (letter_case.hpp), 'İ' and 'ı' excepted, which have case in
  /// Turkish only.
  void add_cases();
  /// Sorted, with gaps between them.
  const std::vector<CharRange>& ranges();

 private:
  std::vector<CharRange> ranges_;
};

/// Adds the characters of a POSIX class ("alpha", without "[:" and ":]"), all of them ASCII; false when there is none of
/// that name.
bool add_posix_class(std::string_view name, CharSet& to);
/// Adds the characters of a Unicode general category ("Lu", "L", "Any") or script ("Greek"); false when there is none of
/// that name.
bool add_unicode_class(std::string_view name, CharSet& to);

}  // namespace ge::reference
