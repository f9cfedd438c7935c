// The compiler of RegexFullMatch (ONNX 20): RE2's syntax to the steps of an automaton, without captures, since only the
// match of the whole text is asked for. For the same reason greedy or not makes no difference.
#include "ge/kernels/reference/regex.hpp"
#include "ge/kernels/reference/regex_text.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace ge::reference {
namespace {

constexpr size_t most_steps = 100'000;
constexpr size_t most_ranges = 1'000'000;
constexpr int64_t most_repeats = 1000;  // RE2's limit, for {n} within {m} of their product
constexpr size_t most_groups = 1000;    // within each other, as RE2's

/// The steps of a part of the pattern: entered at the first, left behind the last. All targets are within it or just
/// behind it, so that it can be copied and moved.
struct Fragment {
  std::vector<RegexStep> steps;
  int64_t repeats = 1;  ///< the product of the counts of repetitions within each other
};

class Compiler {
 public:
  explicit Compiler(std::string_view pattern) : text_(pattern) {}

  RegexProgram compile() {
    open_.push_back({flags_});
    while (!text_.empty()) step();
    if (open_.size() > 1) text_.fail("has a '(' without its ')'");
    Fragment all = alternatives(open_.back());
    all.steps.push_back({RegexStep::accept});
    program_.steps = std::move(all.steps);
    return std::move(program_);
  }

 private:
  struct Flags {
    bool any_case = false, lines = false, dot_newline = false;
  };
  struct Count {
    int64_t least, most;  ///< most: -1 for any number
  };
  /// A group that is not closed yet, or the whole pattern.
  struct Group {
    Flags outside;                  ///< hold again behind it
    std::vector<Fragment> all{};    ///< the alternatives before the last bar
    Fragment sequence{};            ///< what stands behind it, without:
    std::optional<Fragment> last{}; ///< what a repetition would apply to
    bool after_repetition = false;
  };

  Fragment of(RegexStep step) { return {{step}, 1}; }
  Fragment chars(CharSet set) {
    const std::vector<CharRange>& ranges = set.ranges();
    const RegexStep step{RegexStep::chars, static_cast<int32_t>(program_.ranges.size()), static_cast<int32_t>(ranges.size())};
    program_.ranges.insert(program_.ranges.end(), ranges.begin(), ranges.end());
    if (program_.ranges.size() > most_ranges) text_.fail("is too large");
    return of(step);
  }
  Fragment character(uint32_t code) {
    CharSet set;
    set.add(code, code);
    if (flags_.any_case) set.add_cases();
    return chars(std::move(set));
  }

  void append(Fragment& to, const Fragment& part) {
    to.steps.insert(to.steps.end(), part.steps.begin(), part.steps.end());
    to.repeats = std::max(to.repeats, part.repeats);
    if (to.steps.size() > most_steps) text_.fail("is too large");
  }
  static int32_t size_of(const Fragment& part) { return static_cast<int32_t>(part.steps.size()); }

  Fragment any_number(const Fragment& part) {
    Fragment out = of({RegexStep::split, 1, size_of(part) + 2});
    append(out, part);
    out.steps.push_back({RegexStep::jump, -size_of(part) - 1});
    return out;
  }
  Fragment repeated(const Fragment& part, Count count) {
    Fragment out;
    for (int64_t i = 0; i < count.least; ++i) append(out, part);
    if (count.most < 0) append(out, any_number(part));
    // x{0,3} is (x(x(x)?)?)?: before each, on to the end.
    const int64_t each = size_of(part) + 1, more = std::max<int64_t>(count.most - count.least, 0);
    for (int64_t i = 0; i < more; ++i) {
      out.steps.push_back({RegexStep::split, 1, static_cast<int32_t>(std::min<int64_t>(each * (more - i), most_steps))});
      append(out, part);
    }
    return out;
  }

  /// Reads the next part of the pattern. Groups within each other are a list, not calls: patterns may nest deeply.
  void step() {
    Group& group = open_.back();
    if (text_.take("|")) return end_sequence(group);
    if (text_.take(")")) return close();
    if (const auto count = take_count()) return repeat(group, *count);
    group.after_repetition = false;
    if (text_.take("\\Q")) {
      while (!text_.empty() && !text_.take("\\E")) push(group, character(text_.next()));
    } else if (text_.take("(")) {
      open();
    } else {
      push(group, single());
    }
  }

  void push(Group& group, Fragment part) {
    if (group.last) append(group.sequence, *group.last);
    group.last = std::move(part);
  }
  void repeat(Group& group, Count count) {
    if (!group.last) text_.fail("repeats nothing");
    if (group.after_repetition) text_.fail("repeats a repetition");
    text_.take("?");
    const int64_t repeats = group.last->repeats * std::max<int64_t>(std::max(count.least, count.most), 1);
    if (repeats > most_repeats) text_.fail("repeats more than " + std::to_string(most_repeats) + " times");
    group.last = repeated(*group.last, count);
    group.last->repeats = repeats;
    group.after_repetition = true;
  }
  void end_sequence(Group& group) {
    if (group.last) append(group.sequence, *group.last);
    group.all.push_back(std::exchange(group.sequence, {}));
    group.last.reset();
    group.after_repetition = false;
  }

  Fragment alternatives(Group& group) {
    end_sequence(group);
    std::vector<Fragment>& all = group.all;
    if (all.size() == 1) return std::move(all.front());
    size_t size = all.size() * 2 - 2;
    for (const Fragment& one : all) size += one.steps.size();
    if (size > most_steps) text_.fail("is too large");
    Fragment out;
    for (size_t i = 0; i < all.size(); ++i) {
      const bool last = i + 1 == all.size();
      if (!last) out.steps.push_back({RegexStep::split, 1, size_of(all[i]) + 2});
      append(out, all[i]);
      if (!last) out.steps.push_back({RegexStep::jump, static_cast<int32_t>(size - out.steps.size())});
    }
    return out;
  }

  /// One character, class or assertion.
  Fragment single() {
    CharSet set;
    if (text_.take_class(flags_.any_case, set)) return chars(std::move(set));
    if (text_.take("[")) return chars(text_.bracket(flags_.any_case));
    if (text_.take(".")) {
      set.add(0, '\n' - 1), set.add('\n' + 1, CharSet::most);
      if (flags_.dot_newline) set.add('\n', '\n');
      return chars(std::move(set));
    }
    if (text_.take("^")) return of({flags_.lines ? RegexStep::begin_line : RegexStep::begin_text});
    if (text_.take("$")) return of({flags_.lines ? RegexStep::end_line : RegexStep::end_text});
    if (text_.take("\\A")) return of({RegexStep::begin_text});
    if (text_.take("\\z")) return of({RegexStep::end_text});
    if (text_.take("\\b")) return of({RegexStep::word_border});
    if (text_.take("\\B")) return of({RegexStep::no_word_border});
    if (text_.take("\\C")) return of({RegexStep::any_byte});
    return character(text_.starts_with("\\") ? text_.escape() : text_.next());
  }

  /// From behind "(" on. Flags alone hold for the rest of the group around them.
  void open() {
    const Flags outside = flags_;
    if (text_.take("?P<") || text_.take("?<")) {
      take_name();
    } else if (text_.take("?")) {
      if (!take_flags()) return;
    }
    if (open_.size() > most_groups) text_.fail("has too many groups within each other");
    open_.push_back({outside});
  }
  void close() {
    if (open_.size() == 1) text_.fail("has a ')' without its '('");
    Group group = std::move(open_.back());
    open_.pop_back();
    flags_ = group.outside;
    push(open_.back(), alternatives(group));
  }
  void take_name() {
    const size_t end = text_.rest().find('>');
    const std::string_view name = text_.rest().substr(0, end);
    CharSet word;
    add_posix_class("word", word);
    const auto in_word = [&](unsigned char c) {
      return std::any_of(word.ranges().begin(), word.ranges().end(), [&](CharRange range) { return range.first <= c && c <= range.last; });
    };
    if (end == std::string_view::npos || name.empty() || !std::all_of(name.begin(), name.end(), in_word)) text_.fail("has a bad name for a group");
    if (!names_.insert(name).second) text_.fail("has two groups named '" + std::string(name) + "'");
    text_.skip(end + 1);
  }
  /// From behind "(?" on; true when a group follows: "(?i:".
  bool take_flags() {
    bool value = true, any = false;
    while (!text_.empty()) {
      switch (text_.next()) {
        case 'i': flags_.any_case = value, any = true; break;
        case 'm': flags_.lines = value, any = true; break;
        case 's': flags_.dot_newline = value, any = true; break;
        case 'U': any = true; break;  // greedy or not
        case '-':
          if (!value) text_.fail("has bad flags");
          value = false, any = false;
          break;
        case ':':
          if (!value && !any) text_.fail("has bad flags");
          return true;
        case ')':
          if (!value && !any) text_.fail("has bad flags");
          return false;
        default: text_.fail("has flags or a kind of group that RE2 does not know");
      }
    }
    text_.fail("ends within flags");
  }

  /// "*", "+", "?", "{2}", "{2,}" or "{2,3}". What looks otherwise, like "{,3}", is plain text.
  std::optional<Count> take_count() {
    if (text_.take("*")) return Count{0, -1};
    if (text_.take("+")) return Count{1, -1};
    if (text_.take("?")) return Count{0, 1};
    if (!text_.starts_with("{")) return std::nullopt;
    std::string_view rest = text_.rest().substr(1);
    const auto least = number(rest);
    if (!least) return std::nullopt;
    Count count{*least, *least};
    if (rest.starts_with(',')) {
      rest.remove_prefix(1);
      count.most = -1;
      if (!rest.starts_with('}')) {
        const auto most = number(rest);
        if (!most) return std::nullopt;
        count.most = *most;
      }
    }
    if (!rest.starts_with('}')) return std::nullopt;
    text_.skip(static_cast<size_t>(rest.data() - text_.rest().data()) + 1);
    if (count.least > most_repeats || count.most > most_repeats) text_.fail("repeats more than " + std::to_string(most_repeats) + " times");
    if (count.most >= 0 && count.most < count.least) text_.fail("repeats at most fewer times than at least");
    return count;
  }
  /// A number without leading zeros; anything beyond the limit counts as just beyond it.
  static std::optional<int64_t> number(std::string_view& text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.empty() || !is_digit(text[0]) || (text.size() > 1 && text[0] == '0' && is_digit(text[1]))) return std::nullopt;
    int64_t value = 0;
    for (; !text.empty() && is_digit(text[0]); text.remove_prefix(1)) value = std::min(value * 10 + (text[0] - '0'), most_repeats + 1);
    return value;
  }

  RegexText text_;
  Flags flags_;
  RegexProgram program_;
  std::vector<Group> open_;
  std::set<std::string_view> names_;
};

}  // namespace

RegexProgram compile_regex(std::string_view pattern) { return Compiler(pattern).compile(); }

}  // namespace ge::reference
