#include "ge/import/json/findings.hpp"

namespace ge::json {

std::string Place::text() const {
  if (outer_ == nullptr) return std::string(key_);
  if (index_ != SIZE_MAX) return outer_->text() + "[" + std::to_string(index_) + "]";
  const std::string before = outer_->text();
  return before.empty() ? std::string(key_) : before + "." + std::string(key_);
}

void Findings::add(std::string where, std::string what) {
  constexpr size_t enough = 1000;
  diagnostics_.add(std::move(where), std::move(what));
  if (diagnostics_.findings().size() >= enough) raise_if_any();
}

void Findings::expected(const Place& place, Value found, std::string_view expected) {
  add(place, "found " + describe(found) + ", expected " + std::string(expected));
}

bool Findings::members(const Place& place, Value value, std::span<const std::string_view> known, std::span<std::optional<Value>> found) {
  if (!value.is(Kind::object)) {
    expected(place, value, "an object");
    return false;
  }
  value.each_member([&](std::string_view key, Value member) {
    size_t at = 0;
    while (at < known.size() && known[at] != key) ++at;
    if (at == known.size()) {
      std::string list;
      for (std::string_view one : known) list += (list.empty() ? "" : ", ") + std::string(one);
      add(place, "key '" + std::string(key.substr(0, 60)) + "' is not known; the keys are " + list);
    } else if (found[at]) {
      add(place, "key '" + std::string(key) + "' stands twice");
    } else {
      found[at] = member;
    }
  });
  return true;
}

}  // namespace ge::json
