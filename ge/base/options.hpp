#pragma once
#include "ge/base/error.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace ge {

enum class OptionKind : uint8_t {
  integer,  ///< "-3"
  boolean,  ///< "1", "true", "on", "yes"; "0", "false", "off", "no"
  text,     ///< anything
  list,     ///< "a,b,c"; "" is the empty list
  choice,   ///< one of some names
  size,     ///< bytes: "4096", "4MiB", "2GB" (KiB, MiB, GiB, TiB and K, M, G, T are powers of 1024, KB … of 1000)
};

/// integer and size hold int64_t, boolean bool, text and choice std::string, list std::vector<std::string>.
using OptionValue = std::variant<int64_t, bool, std::string, std::vector<std::string>>;

/// What an option is called, takes and means.
struct OptionRule {
  std::string key;    ///< "ge.topoSortingMode"
  std::string alias;  ///< a second name ("topo_sorting_mode"); "" for none
  OptionKind kind;
  std::string doc;
  int64_t least = INT64_MIN, most = INT64_MAX;  ///< of integer and size
  std::vector<std::string> choices;             ///< of choice; the position is the enumerator for get_enum
};

/// Options of one part of the library: each is declared once, with its default, then set from text or typed, checked
/// at once. Copies are independent. Not thread-safe while it is changed.
class GE_API OptionSet {
 public:
  // Declaring. Each returns *this. Throws Error(internal) when a name is taken or the default is not valid. ----------
  OptionSet& integer(std::string key, std::string alias, int64_t by_default, int64_t least, int64_t most, std::string doc);
  OptionSet& boolean(std::string key, std::string alias, bool by_default, std::string doc);
  OptionSet& text(std::string key, std::string alias, std::string by_default, std::string doc);
  OptionSet& list(std::string key, std::string alias, std::vector<std::string> by_default, std::string doc);
  OptionSet& choice(std::string key, std::string alias, std::string by_default, std::vector<std::string> choices, std::string doc);
  OptionSet& size(std::string key, std::string alias, int64_t by_default_bytes, std::string doc, int64_t most_bytes = INT64_MAX);

  // Setting, by key or alias. Throws Error(unknown_name) with all keys for a name that is not declared, and
  // Error(invalid_argument) with what is valid for a value that is not; then nothing is changed. ------------------------
  void set_from_string(std::string_view name, std::string_view text);
  void set(std::string_view name, OptionValue value);
  /// Back to the default.
  void reset(std::string_view name);

  // Reading, by key or alias. A name that is not declared, or is of another kind, is Error(internal): the mistake is the
  // caller's, not the user's. ----------------------------------------------------------------------------------------------
  int64_t get_int(std::string_view name) const { return get<int64_t>(name, OptionKind::integer); }
  bool get_bool(std::string_view name) const { return get<bool>(name, OptionKind::boolean); }
  const std::string& get_text(std::string_view name) const { return get<std::string>(name, OptionKind::text); }
  const std::vector<std::string>& get_list(std::string_view name) const { return get<std::vector<std::string>>(name, OptionKind::list); }
  const std::string& get_choice(std::string_view name) const { return get<std::string>(name, OptionKind::choice); }
  int64_t get_size_bytes(std::string_view name) const { return get<int64_t>(name, OptionKind::size); }
  /// A choice as the enumerator at its position.
  template <class Enum>
  Enum get_enum(std::string_view name) const {
    static_assert(std::is_enum_v<Enum>);
    return static_cast<Enum>(choice_index(name));
  }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Whether somebody set it since it was declared or reset.
  bool is_set(std::string_view name) const;

  /// Sorted by key.
  std::vector<OptionRule> rules() const;
  /// One line per option, sorted by key: names, what it takes, default, doc.
  std::string help() const;

 private:
  struct Option {
    OptionRule rule;
    OptionValue by_default, value;
    bool is_set = false;
  };

  OptionSet& declare(OptionRule rule, OptionValue by_default);
  const Option* find(std::string_view name) const;
  Option& need(std::string_view name);
  const OptionValue& read(std::string_view name, OptionKind kind) const;
  size_t choice_index(std::string_view name) const;
  template <class T>
  const T& get(std::string_view name, OptionKind kind) const {
    return std::get<T>(read(name, kind));
  }

  std::map<std::string, Option, std::less<>> options_;         ///< by key
  std::map<std::string, std::string, std::less<>> aliases_;    ///< alias → key
};

/// "4MiB", "512KiB", "1000": the shortest form that is exact.
GE_API std::string size_to_string(int64_t bytes);

}  // namespace ge
