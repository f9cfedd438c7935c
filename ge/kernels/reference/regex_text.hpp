#pragma once
#include "ge/base/error.hpp"
#include "ge/kernels/reference/char_set.hpp"

#include <string>
#include <string_view>

namespace ge::reference {

/// A pattern being read from front to back.
class RegexText {
 public:
  /// Throws Error(invalid_model) when the pattern is no UTF-8.
  explicit RegexText(std::string_view pattern);

  bool empty() const { return at_ == pattern_.size(); }
  bool starts_with(std::string_view text) const { return rest().starts_with(text); }
  /// Moves behind `text` when it is next.
  bool take(std::string_view text);
  /// The next character, which is not at the end.
  uint32_t next();
  std::string_view rest() const { return pattern_.substr(at_); }
  void skip(size_t bytes) { at_ += bytes; }

  /// "\n", "\x{1F600}", "\." and so on, from the backslash on, as the character that it stands for.
  uint32_t escape();
  /// A class such as "\d", "\pL" or "\p{^Greek}": true and moved behind it when it is next. Upper and lower case are
  /// joined before it is negated.
  bool take_class(bool any_case, CharSet& to);
  /// "[...]", from behind the bracket on.
  CharSet bracket(bool any_case);

  [[noreturn]] void fail(const std::string& what) const;

 private:
  uint32_t hex_escape();
  bool take_unicode_class(CharSet& to, bool& negated);
  bool take_posix_class(bool any_case, CharSet& to);
  uint32_t bracket_character();

  std::string_view pattern_;
  size_t at_ = 0;
  bool no_class_ends_ = false;  ///< no ":]" is left: it is searched for once, not from each bracket on
};

}  // namespace ge::reference
