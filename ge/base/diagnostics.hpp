#pragma once
#include "ge/base/error.hpp"

#include <string>
#include <vector>

namespace ge {

/// Collects findings so that a user sees all of them at once, then raises one Error. Not thread-safe.
class GE_API Diagnostics {
 public:
  struct Finding {
    std::string where;  ///< "node 'conv_3' (Conv)"
    std::string what;   ///< found, expected, next step
  };
  void add(std::string where, std::string what) { findings_.push_back({std::move(where), std::move(what)}); }
  bool empty() const noexcept { return findings_.empty(); }
  const std::vector<Finding>& findings() const noexcept { return findings_; }
  /// Throws Error(code) listing every finding (the first 50 in full, then a count) below `title`; returns if empty.
  void raise_if_any(ErrorCode code, const std::string& title) const;

 private:
  std::vector<Finding> findings_;
};

}  // namespace ge
