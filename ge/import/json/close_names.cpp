#include "ge/import/json/close_names.hpp"

#include <algorithm>

namespace ge::json {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

void CloseNames::consider(std::string_view name) {
  constexpr size_t shown = 3, longest = 200;
  const size_t allowed = 1 + wanted_.size() / 4;
  const size_t gap = name.size() > wanted_.size() ? name.size() - wanted_.size() : wanted_.size() - name.size();
  if (gap > allowed || name.size() > longest) return;
  const size_t distance = edit_distance(name, wanted_);
  if (distance > allowed) return;
  best_.emplace_back(distance, name);
  std::sort(best_.begin(), best_.end());
  if (best_.size() > shown) best_.pop_back();
}

std::string CloseNames::text() const {
  std::string out;
  for (const auto& [distance, name] : best_) out += (out.empty() ? "; did you mean '" : " or '") + name + "'";
  return out.empty() ? out : out + "?";
}

}  // namespace ge::json
