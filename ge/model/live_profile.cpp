#include "ge/model/live_profile.hpp"

#include <algorithm>
#include <bit>

namespace ge {

LiveProfile::LiveProfile(uint32_t instants) : size_(std::bit_ceil(size_t{std::max(instants, 1u)})), highest_(2 * size_), added_(2 * size_) {}

LiveProfile::LiveProfile(std::span<const int64_t> bytes) : LiveProfile(static_cast<uint32_t>(bytes.size())) {
  std::copy(bytes.begin(), bytes.end(), highest_.begin() + static_cast<std::ptrdiff_t>(size_));
  for (size_t node = size_ - 1; node > 0; --node) pull(node);
}

void LiveProfile::add(uint32_t first, uint32_t last, int64_t bytes) {
  size_t low = size_ + first, high = size_ + last;
  const size_t low_leaf = low, high_leaf = high;
  const auto apply = [&](size_t node) { highest_[node] += bytes, added_[node] += bytes; };
  for (++high; low < high; low /= 2, high /= 2) {
    if (low % 2 == 1) apply(low++);
    if (high % 2 == 1) apply(--high);
  }
  for (size_t node = low_leaf / 2; node > 0; node /= 2) pull(node);
  for (size_t node = high_leaf / 2; node > 0; node /= 2) pull(node);
}

int64_t LiveProfile::highest(uint32_t first, uint32_t last) const {
  // Both borders climb together; what was added to an ancestor of a border's leaf counts for all that lies below it.
  int64_t left = INT64_MIN, right = INT64_MIN;
  size_t low = size_ + first, high = size_ + last;
  left = highest_[low], right = highest_[high];
  while (low / 2 != high / 2) {
    if (low % 2 == 0) left = std::max(left, highest_[low + 1]);
    if (high % 2 == 1) right = std::max(right, highest_[high - 1]);
    low /= 2, high /= 2;
    left += added_[low], right += added_[high];
  }
  int64_t most = std::max(left, right);
  for (low /= 2; low > 0; low /= 2) most += added_[low];
  return most;
}

}  // namespace ge
