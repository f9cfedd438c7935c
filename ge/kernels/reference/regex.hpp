#pragma once
#include "ge/kernels/reference/char_set.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace ge::reference {

/// One step of a compiled regular expression. Targets are relative to the step.
struct RegexStep {
  enum Kind : int32_t {
    chars,       ///< reads a character that is in ranges[a, a + b)
    any_byte,    ///< reads one byte
    split,       ///< goes on at both a and b
    jump,        ///< goes on at a
    begin_text, end_text, begin_line, end_line, word_border, no_word_border,  ///< goes on at the next step when it holds
    accept,
  };
  Kind kind;
  int32_t a = 0, b = 0;
};

/// A nondeterministic automaton as flat tables.
struct RegexProgram {
  std::vector<RegexStep> steps;
  std::vector<CharRange> ranges;
};

/// Compiles a pattern of RE2's syntax (https://github.com/google/re2/wiki/Syntax) with its default flags, for matching
/// whole texts. Throws Error(invalid_model) that shows what is wrong, and where.
RegexProgram compile_regex(std::string_view pattern);

/// Runs a program over texts (Thompson, "Regular expression search algorithm", 1968): the steps reached are kept for the
/// position reached and for the next four, since a character has up to four bytes. The time grows with the text's length
/// times the number of steps, whatever the pattern.
class RegexRun {
 public:
  /// Bytes of scratch memory for a program of that many steps.
  static int64_t scratch_bytes(int64_t steps) { return (steps * positions * static_cast<int64_t>(sizeof(int64_t) + sizeof(int32_t)) + 7) / 8 * 8; }
  RegexRun(const RegexStep* steps, int64_t step_count, const CharRange* ranges, std::byte* scratch) noexcept;
  /// Does the pattern match all of `text`? Any bytes: what is no UTF-8 is matched by \C only.
  bool matches(std::string_view text) noexcept;

 private:
  static constexpr int64_t positions = 5;
  void reach(int64_t position, int64_t step) noexcept;
  /// Follows what leads on from `step` at `position` (and, reading a character, at a later one).
  void follow(std::string_view text, int64_t position, int64_t step) noexcept;
  bool holds(RegexStep::Kind kind, std::string_view text, int64_t position) const noexcept;

  const RegexStep* steps_;
  const CharRange* ranges_;
  int64_t count_;
  int64_t* seen_;   ///< [positions, count]: base + position + 1 when the step was reached there
  int32_t* lists_;  ///< [positions, count]: the steps reached
  int64_t sizes_[positions] = {};
  int64_t base_ = 0;      ///< keeps the marks of different texts apart
  int64_t furthest_ = 0;  ///< the last position that any step was reached at
};

}  // namespace ge::reference
