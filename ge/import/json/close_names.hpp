#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ge::json {

/// How many characters have to be inserted, left out or changed to make one word of the other (Levenshtein 1966).
size_t edit_distance(std::string_view a, std::string_view b);

/// Keeps the names most like one that is not there.
class CloseNames {
 public:
  explicit CloseNames(std::string wanted) : wanted_(std::move(wanted)) {}
  void consider(std::string_view name);
  /// "; did you mean 'conv1' or 'conv2'?", or nothing.
  std::string text() const;

 private:
  std::string wanted_;
  std::vector<std::pair<size_t, std::string>> best_;
};

}  // namespace ge::json
