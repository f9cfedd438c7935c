#pragma once
#include "ge/import/json/memory_budget.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ge::json {

/// Kinds of JSON values. `large` is an integer beyond int64 that fits uint64, `real` a number with a fraction or an
/// exponent, or beyond both.
enum class Kind : uint8_t { null, boolean, integer, large, real, string, array, object, key };

/// JSON values, flat: each is a token, those inside an array or object follow it; a member is a key and its value.
/// Characters (also of reals, which are read where their type is known) stand in one string. Filled again and again, so
/// that a document of a million nodes takes the memory of its largest one.
struct Tape {
  struct Token {
    Kind kind = Kind::null;
    uint32_t end = 0;   ///< the token after this value and all inside it
    uint64_t at = 0;    ///< a number's value, or where its characters begin
    uint64_t size = 0;  ///< how many characters, items or members
  };
  std::vector<Token> tokens;
  std::string characters;
};

/// One value on a tape; valid until the tape changes.
class Value {
 public:
  Value(const Tape& tape, uint32_t index) : tape_(&tape), index_(index) {}
  Kind kind() const { return token().kind; }
  bool is(Kind kind) const { return token().kind == kind; }
  /// Of a string (as UTF-8), key or real.
  std::string_view text() const { return std::string_view(tape_->characters).substr(token().at, token().size); }
  /// Of an integer or boolean.
  int64_t integer() const { return static_cast<int64_t>(token().at); }
  /// Of a large integer.
  uint64_t large() const { return token().at; }
  /// Items of an array, members of an object.
  size_t size() const { return token().size; }
  Value first() const { return {*tape_, index_ + 1}; }
  Value next() const { return {*tape_, token().end}; }

  /// visit(item, index)
  template <class Visit>
  void each_item(Visit visit) const {
    Value item = first();
    for (size_t i = 0; i < size(); ++i, item = item.next()) visit(item, i);
  }
  /// visit(key, value)
  template <class Visit>
  void each_member(Visit visit) const {
    Value key = first();
    for (size_t i = 0; i < size(); ++i) {
      const Value value = key.next();
      visit(key.text(), value);
      key = value.next();
    }
  }

 private:
  const Tape::Token& token() const { return tape_->tokens[index_]; }
  const Tape* tape_;
  uint32_t index_;
};

/// "12", "a string", "an array of 3 items": for messages.
std::string describe(Value value);

}  // namespace ge::json
