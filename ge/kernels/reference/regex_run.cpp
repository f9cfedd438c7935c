// The matcher of RegexFullMatch (ONNX 20).
#include "ge/kernels/reference/regex.hpp"
#include "ge/kernels/reference/utf8.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

}  // namespace

RegexRun::RegexRun(const RegexStep* steps, int64_t step_count, const CharRange* ranges, std::byte* scratch) noexcept
    : steps_(steps), ranges_(ranges), count_(step_count), seen_(reinterpret_cast<int64_t*>(scratch)),
      lists_(reinterpret_cast<int32_t*>(scratch + positions * step_count * static_cast<int64_t>(sizeof(int64_t)))) {
  std::fill_n(seen_, positions * count_, 0);
}

void RegexRun::reach(int64_t position, int64_t step) noexcept {
  const int64_t slot = position % positions, mark = base_ + position + 1;
  if (seen_[slot * count_ + step] == mark) return;
  seen_[slot * count_ + step] = mark;
  lists_[slot * count_ + sizes_[slot]++] = static_cast<int32_t>(step);
  furthest_ = std::max(furthest_, position);
}

bool RegexRun::holds(RegexStep::Kind kind, std::string_view text, int64_t position) const noexcept {
  const auto at = static_cast<size_t>(position);
  const bool first = at == 0, last = at == text.size();
  switch (kind) {
    case RegexStep::begin_text: return first;
    case RegexStep::end_text: return last;
    case RegexStep::begin_line: return first || text[at - 1] == '\n';
    case RegexStep::end_line: return last || text[at] == '\n';
    default: {
      const bool border = (!first && is_word(text[at - 1])) != (!last && is_word(text[at]));
      return border == (kind == RegexStep::word_border);
    }
  }
}

void RegexRun::follow(std::string_view text, int64_t position, int64_t step) noexcept {
  const RegexStep& s = steps_[step];
  const auto rest = text.substr(static_cast<size_t>(position));
  switch (s.kind) {
    case RegexStep::accept: return;
    case RegexStep::jump: return reach(position, step + s.a);
    case RegexStep::split: return reach(position, step + s.a), reach(position, step + s.b);
    case RegexStep::any_byte:
      if (!rest.empty()) reach(position + 1, step + 1);
      return;
    case RegexStep::chars: {
      if (rest.empty()) return;
      const Utf8 next = first_utf8(rest);
      const CharRange* const end = ranges_ + s.a + s.b;
      const CharRange* const found = std::lower_bound(ranges_ + s.a, end, next.code, [](const CharRange& range, uint32_t code) { return range.last < code; });
      if (found != end && found->first <= next.code) reach(position + next.size, step + 1);
      return;
    }
    default:
      if (holds(s.kind, text, position)) reach(position, step + 1);
  }
}

bool RegexRun::matches(std::string_view text) noexcept {
  const auto size = static_cast<int64_t>(text.size());
  std::fill_n(sizes_, positions, 0);
  furthest_ = 0;
  reach(0, 0);
  for (int64_t position = 0; position <= furthest_; ++position) {
    const int64_t slot = position % positions;
    for (int64_t i = 0; i < sizes_[slot]; ++i) follow(text, position, lists_[slot * count_ + i]);  // the list grows meanwhile
    sizes_[slot] = 0;
  }
  const bool accepted = seen_[size % positions * count_ + count_ - 1] == base_ + size + 1;  // the last step is "accept"
  base_ += size + 1;
  return accepted;
}

}  // namespace ge::reference
