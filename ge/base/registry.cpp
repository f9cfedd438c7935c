#include "ge/base/registry.hpp"

#include "ge/base/error.hpp"

namespace ge {

static std::string at(const Registered& item) { return std::string(item.site.file) + ":" + std::to_string(item.site.line); }

void raise_unknown_key(std::string_view kind, std::string_view key, const std::vector<Registered>& known) {
  std::string text = "no " + std::string(kind) + " named '" + std::string(key) + "' is linked in; have:";
  for (const Registered& item : known) text += " " + item.key;
  if (known.empty()) text += " (none)";
  throw Error(ErrorCode::unknown_name, text);
}

void raise_conflicts(std::string_view kind, const std::vector<std::pair<Registered, Registered>>& conflicts) {
  std::string text = std::string(kind) + " registered twice; remove or rename one of each pair:";
  for (const auto& [first, second] : conflicts) text += "\n  '" + first.key + "' at " + at(first) + " and " + at(second);
  throw Error(ErrorCode::internal, text);
}

}  // namespace ge
