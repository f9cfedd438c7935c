#pragma once
#include "ge/base/export.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace ge {

/// Live bytes over time as a segment tree (range add, range maximum): what a change of lives does to the peak is known
/// exactly in O(log instants).
class GE_API LiveProfile {
 public:
  /// All zero from instant 0 to `instants` - 1.
  explicit LiveProfile(uint32_t instants);
  explicit LiveProfile(std::span<const int64_t> bytes);

  /// Adds `bytes` (negative takes away) from `first` to `last`, both included.
  void add(uint32_t first, uint32_t last, int64_t bytes);
  /// The largest sum from `first` to `last`, both included.
  int64_t highest(uint32_t first, uint32_t last) const;
  /// The largest of all.
  int64_t highest() const { return highest_[1]; }

 private:
  void pull(size_t node) { highest_[node] = added_[node] + std::max(highest_[2 * node], highest_[2 * node + 1]); }

  // A node's `highest_` counts what was added to it and below it, not what was added above. Leaves begin at size_.
  size_t size_ = 1;
  std::vector<int64_t> highest_, added_;
};

}  // namespace ge
