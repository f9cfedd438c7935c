#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace ge {

/// Which buffers are alive together, as neighbour lists.
class Conflicts {
 public:
  /// `first[i]` to `last[i]`, both included, is the life of buffer i.
  Conflicts(std::span<const uint32_t> first, std::span<const uint32_t> last);

  std::span<const uint32_t> of(uint32_t buffer) const { return {neighbours_.data() + begin_[buffer], begin_[buffer + 1] - begin_[buffer]}; }
  size_t pairs() const { return neighbours_.size() / 2; }

  /// How many pairs there are, without listing them. O(n log n).
  static uint64_t count(std::span<const uint32_t> first, std::span<const uint32_t> last);

 private:
  std::vector<uint32_t> begin_, neighbours_;
};

}  // namespace ge
