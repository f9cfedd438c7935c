// Sets of characters, for RegexFullMatch (ONNX 20).
#include "ge/kernels/reference/char_set.hpp"

#include "ge/kernels/reference/letter_case.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace ge::reference {
namespace {

struct PosixClass {
  std::string_view name;
  std::array<CharRange, 4> ranges;  ///< filled up with {1, 0}
};
constexpr CharRange none{1, 0};
constexpr PosixClass posix_classes[] = {
    {"alnum", {{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, none}}},
    {"alpha", {{{'A', 'Z'}, {'a', 'z'}, none, none}}},
    {"ascii", {{{0, 0x7F}, none, none, none}}},
    {"blank", {{{'\t', '\t'}, {' ', ' '}, none, none}}},
    {"cntrl", {{{0, 0x1F}, {0x7F, 0x7F}, none, none}}},
    {"digit", {{{'0', '9'}, none, none, none}}},
    {"graph", {{{'!', '~'}, none, none, none}}},
    {"lower", {{{'a', 'z'}, none, none, none}}},
    {"print", {{{' ', '~'}, none, none, none}}},
    {"punct", {{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}}},
    {"space", {{{'\t', '\r'}, {' ', ' '}, none, none}}},
    {"upper", {{{'A', 'Z'}, none, none, none}}},
    {"word", {{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'_', '_'}}}},
    {"xdigit", {{{'0', '9'}, {'A', 'F'}, {'a', 'f'}, none}}},
};

bool holds(const std::vector<CharRange>& ranges, uint32_t code) {
  const auto found = std::lower_bound(ranges.begin(), ranges.end(), code, [](const CharRange& range, uint32_t c) { return range.last < c; });
  return found != ranges.end() && found->first <= code;
}

/// The same for all forms of a letter.
uint32_t folded(uint32_t code) { return code == 0x130 || code == 0x131 ? code : to_lower(to_upper(code)); }

/// All forms of each letter that has more than one: 'k', 'K' and the Kelvin sign.
const std::map<uint32_t, std::vector<uint32_t>>& forms_by_case() {
  static const auto all = [] {
    std::map<uint32_t, std::set<uint32_t>> sets;
    for (const auto table : {upper_case_ranges(), lower_case_ranges()})
      for (const CaseRange& range : table)
        for (uint32_t code = range.first; code <= range.last; code += range.step) sets[folded(code)].insert({code, folded(code)});
    std::map<uint32_t, std::vector<uint32_t>> forms;
    for (const auto& [code, set] : sets) forms[code].assign(set.begin(), set.end());
    return forms;
  }();
  return all;
}

}  // namespace

bool add_posix_class(std::string_view name, CharSet& to) {
  const auto found = std::find_if(std::begin(posix_classes), std::end(posix_classes), [&](const PosixClass& c) { return c.name == name; });
  if (found == std::end(posix_classes)) return false;
  for (const CharRange& range : found->ranges)
    if (range.first <= range.last) to.add(range.first, range.last);
  return true;
}

const std::vector<CharRange>& CharSet::ranges() {
  std::sort(ranges_.begin(), ranges_.end(), [](const CharRange& a, const CharRange& b) { return a.first < b.first; });
  size_t kept = 0;
  for (const CharRange& range : ranges_) {
    if (kept > 0 && range.first <= ranges_[kept - 1].last + 1) ranges_[kept - 1].last = std::max(ranges_[kept - 1].last, range.last);
    else ranges_[kept++] = range;
  }
  ranges_.resize(kept);
  return ranges_;
}

void CharSet::negate() {
  std::vector<CharRange> others;
  uint32_t next = 0;
  for (const CharRange& range : ranges()) {
    if (range.first > next) others.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= most) others.push_back({next, most});
  ranges_ = std::move(others);
}

void CharSet::add(const CharSet& other) {
  ranges_.insert(ranges_.end(), other.ranges_.begin(), other.ranges_.end());
  if (ranges_.size() > 16'384) ranges();  // the same large classes again and again
}

void CharSet::add_cases() {
  const std::vector<CharRange> before = ranges();
  uint64_t count = 0;
  for (const CharRange& range : before) count += range.last - range.first + 1;
  const auto add_all = [&](const std::vector<uint32_t>& forms) {
    for (uint32_t code : forms) add(code, code);
  };
  if (count <= 256) {
    for (const CharRange& range : before)
      for (uint32_t code = range.first; code <= range.last; ++code)
        if (const auto found = forms_by_case().find(folded(code)); found != forms_by_case().end()) add_all(found->second);
    return;
  }
  for (const auto& [_, forms] : forms_by_case())
    if (std::any_of(forms.begin(), forms.end(), [&](uint32_t code) { return holds(before, code); })) add_all(forms);
}

}  // namespace ge::reference
