#include "ge/base/options.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace ge {
namespace {

constexpr std::string_view yes[] = {"1", "true", "on", "yes"};
constexpr std::string_view no[] = {"0", "false", "off", "no"};

struct Unit {
  std::string_view name;  // lower case
  int64_t bytes;
};
constexpr int64_t kib = 1024, kb = 1000;
constexpr Unit units[] = {
    {"", 1},        {"b", 1},
    {"kib", kib},   {"mib", kib * kib}, {"gib", kib * kib * kib}, {"tib", kib * kib * kib * kib},
    {"k", kib},     {"m", kib * kib},   {"g", kib * kib * kib},   {"t", kib * kib * kib * kib},
    {"kb", kb},     {"mb", kb * kb},    {"gb", kb * kb * kb},     {"tb", kb * kb * kb * kb},
};

std::string joined(const std::vector<std::string>& items, std::string_view between) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : std::string(between)) + item;
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::optional<int64_t> read_integer(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

std::optional<bool> read_boolean(std::string_view text) {
  if (std::find(std::begin(yes), std::end(yes), text) != std::end(yes)) return true;
  if (std::find(std::begin(no), std::end(no), text) != std::end(no)) return false;
  return std::nullopt;
}

std::optional<int64_t> read_size(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = read_integer(text.substr(0, digits));
  std::string unit(trimmed(text.substr(digits)));
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* found = std::find_if(std::begin(units), std::end(units), [&](const Unit& u) { return u.name == unit; });
  int64_t bytes = 0;
  if (!number || found == std::end(units) || __builtin_mul_overflow(*number, found->bytes, &bytes)) return std::nullopt;
  return bytes;
}

/// nullopt for a list with an empty item.
std::optional<std::vector<std::string>> read_list(std::string_view text) {
  std::vector<std::string> items;
  while (!trimmed(text).empty() || !items.empty()) {
    const size_t comma = text.find(',');
    items.emplace_back(trimmed(text.substr(0, comma)));
    if (items.back().empty()) return std::nullopt;
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return items;
}

/// "an integer from 1 to 8", "bfs, dfs or by_id"
std::string expected(const OptionRule& rule) {
  const auto print = [&](int64_t v) { return rule.kind == OptionKind::size ? size_to_string(v) : std::to_string(v); };
  std::string range;
  if (rule.least != INT64_MIN && rule.most != INT64_MAX) range = " from " + print(rule.least) + " to " + print(rule.most);
  else if (rule.least != INT64_MIN && rule.kind == OptionKind::integer) range = " of at least " + print(rule.least);
  else if (rule.most != INT64_MAX) range = " of at most " + print(rule.most);
  switch (rule.kind) {
    case OptionKind::integer: return "an integer" + range;
    case OptionKind::boolean: return "1, true, on, yes, 0, false, off or no";
    case OptionKind::text: return "a text";
    case OptionKind::list: return "names separated by commas";
    case OptionKind::choice: return "one of " + joined(rule.choices, ", ");
    case OptionKind::size: return "a size in bytes" + range + ", such as 4096, 512KiB or 4MiB";
  }
  return "";
}

[[noreturn]] void refuse(const OptionRule& rule, const std::string& found) {
  throw Error(ErrorCode::invalid_argument, "option '" + rule.key + "' is " + found + ", expected " + expected(rule));
}

std::optional<OptionValue> parse(const OptionRule& rule, std::string_view text) {
  const auto wrap = [](auto value) { return value ? std::optional<OptionValue>(*std::move(value)) : std::nullopt; };
  switch (rule.kind) {
    case OptionKind::integer: return wrap(read_integer(text));
    case OptionKind::boolean: return wrap(read_boolean(text));
    case OptionKind::text:
    case OptionKind::choice: return std::string(text);
    case OptionKind::list: return wrap(read_list(text));
    case OptionKind::size: return wrap(read_size(text));
  }
  return std::nullopt;
}

std::string print(const OptionRule& rule, const OptionValue& value) {
  switch (value.index()) {
    case 0: return rule.kind == OptionKind::size ? size_to_string(std::get<0>(value)) : std::to_string(std::get<0>(value));
    case 1: return std::get<1>(value) ? "1" : "0";
    case 2: return std::get<2>(value);
    default: return joined(std::get<3>(value), ",");
  }
}

bool valid(const OptionRule& rule, const OptionValue& value) {
  constexpr size_t held[] = {0, 1, 2, 3, 2, 0};  // by OptionKind
  if (value.index() != held[static_cast<size_t>(rule.kind)]) return false;
  if (const int64_t* number = std::get_if<int64_t>(&value)) return *number >= rule.least && *number <= rule.most;
  if (rule.kind == OptionKind::choice) return std::find(rule.choices.begin(), rule.choices.end(), std::get<std::string>(value)) != rule.choices.end();
  return true;
}

}  // namespace

std::string size_to_string(int64_t bytes) {
  constexpr std::string_view names[] = {"", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (; unit < 4 && bytes != 0 && bytes % 1024 == 0; ++unit) bytes /= 1024;
  return std::to_string(bytes) + std::string(names[unit]);
}

OptionSet& OptionSet::declare(OptionRule rule, OptionValue by_default) {
  if (!valid(rule, by_default)) throw Error(ErrorCode::internal, "option '" + rule.key + "': the default is not valid");
  for (const std::string& name : {rule.key, rule.alias})
    if (!name.empty() && has(name)) throw Error(ErrorCode::internal, "option '" + rule.key + "': the name '" + name + "' is taken");
  if (!rule.alias.empty()) aliases_[rule.alias] = rule.key;
  std::string key = rule.key;
  options_.emplace(std::move(key), Option{std::move(rule), by_default, by_default, false});
  return *this;
}

OptionSet& OptionSet::integer(std::string key, std::string alias, int64_t by_default, int64_t least, int64_t most, std::string doc) {
  return declare({std::move(key), std::move(alias), OptionKind::integer, std::move(doc), least, most, {}}, by_default);
}
OptionSet& OptionSet::boolean(std::string key, std::string alias, bool by_default, std::string doc) {
  return declare({std::move(key), std::move(alias), OptionKind::boolean, std::move(doc), INT64_MIN, INT64_MAX, {}}, by_default);
}
OptionSet& OptionSet::text(std::string key, std::string alias, std::string by_default, std::string doc) {
  return declare({std::move(key), std::move(alias), OptionKind::text, std::move(doc), INT64_MIN, INT64_MAX, {}}, std::move(by_default));
}
OptionSet& OptionSet::list(std::string key, std::string alias, std::vector<std::string> by_default, std::string doc) {
  return declare({std::move(key), std::move(alias), OptionKind::list, std::move(doc), INT64_MIN, INT64_MAX, {}}, std::move(by_default));
}
OptionSet& OptionSet::choice(std::string key, std::string alias, std::string by_default, std::vector<std::string> choices, std::string doc) {
  return declare({std::move(key), std::move(alias), OptionKind::choice, std::move(doc), INT64_MIN, INT64_MAX, std::move(choices)}, std::move(by_default));
}
OptionSet& OptionSet::size(std::string key, std::string alias, int64_t by_default_bytes, std::string doc, int64_t most_bytes) {
  return declare({std::move(key), std::move(alias), OptionKind::size, std::move(doc), 0, most_bytes, {}}, by_default_bytes);
}

const OptionSet::Option* OptionSet::find(std::string_view name) const {
  auto it = options_.find(name);
  if (it == options_.end())
    if (auto alias = aliases_.find(name); alias != aliases_.end()) it = options_.find(alias->second);
  return it == options_.end() ? nullptr : &it->second;
}

OptionSet::Option& OptionSet::need(std::string_view name) {
  if (const Option* option = find(name)) return const_cast<Option&>(*option);
  std::string text = "no option named '" + std::string(name) + "'; have:";
  for (const auto& [key, option] : options_) text += " " + key + (option.rule.alias.empty() ? "" : " (" + option.rule.alias + ")");
  throw Error(ErrorCode::unknown_name, options_.empty() ? text + " (none)" : text);
}

void OptionSet::set_from_string(std::string_view name, std::string_view text) {
  Option& option = need(name);
  auto value = parse(option.rule, text);
  if (!value || !valid(option.rule, *value)) refuse(option.rule, "'" + std::string(text) + "'");
  option.value = *std::move(value);
  option.is_set = true;
}

void OptionSet::set(std::string_view name, OptionValue value) {
  Option& option = need(name);
  if (!valid(option.rule, value)) refuse(option.rule, "'" + print(option.rule, value) + "'");
  option.value = std::move(value);
  option.is_set = true;
}

void OptionSet::reset(std::string_view name) {
  Option& option = need(name);
  option.value = option.by_default;
  option.is_set = false;
}

const OptionValue& OptionSet::read(std::string_view name, OptionKind kind) const {
  const Option* option = find(name);
  if (option == nullptr || option->rule.kind != kind)
    throw Error(ErrorCode::internal, "option '" + std::string(name) + "' is read but is " + (option ? "of another kind" : "not declared"));
  return option->value;
}

size_t OptionSet::choice_index(std::string_view name) const {
  const std::string& value = get_choice(name);
  const auto& choices = find(name)->rule.choices;
  return static_cast<size_t>(std::find(choices.begin(), choices.end(), value) - choices.begin());
}

bool OptionSet::is_set(std::string_view name) const {
  const Option* option = find(name);
  return option != nullptr && option->is_set;
}

std::vector<OptionRule> OptionSet::rules() const {
  std::vector<OptionRule> all;
  for (const auto& [key, option] : options_) all.push_back(option.rule);
  return all;
}

std::string OptionSet::help() const {
  std::string text;
  for (const auto& [key, option] : options_) {
    text += "  " + key + (option.rule.alias.empty() ? "" : ", " + option.rule.alias) + ": " + option.rule.doc;
    text += " (" + expected(option.rule) + "; default: '" + print(option.rule, option.by_default) + "')\n";
  }
  return text;
}

}  // namespace ge
