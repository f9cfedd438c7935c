#pragma once
#include <cstdint>
#include <span>

namespace ge::reference {

// Upper and lower case by Unicode's simple mappings (UnicodeData.txt of Unicode 14): one character for each, the same in
// all languages, so that 'ß' has no upper case, and 'i' becomes 'I' also in Turkish texts.

/// Characters first, first + step, … last, each of which has its counterpart `delta` further on.
struct CaseRange {
  uint32_t first, last, step;
  int32_t delta;
};
/// Those that have an upper, or a lower case; sorted.
std::span<const CaseRange> upper_case_ranges() noexcept;
std::span<const CaseRange> lower_case_ranges() noexcept;

/// The character itself when it has none. Of any number, also of those that are no characters.
uint32_t to_upper(uint32_t code) noexcept;
uint32_t to_lower(uint32_t code) noexcept;

}  // namespace ge::reference
