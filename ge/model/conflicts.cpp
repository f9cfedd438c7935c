#include "ge/model/conflicts.hpp"

#include <numeric>

namespace ge {

uint64_t Conflicts::count(std::span<const uint32_t> first, std::span<const uint32_t> last) {
  // In order of start, each buffer meets those that started before it and have not ended.
  std::vector<uint32_t> starts(first.begin(), first.end()), ends(last.begin(), last.end());
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  uint64_t pairs = 0;
  size_t ended = 0;
  for (size_t started = 0; started < starts.size(); ++started) {
    while (ended < ends.size() && ends[ended] < starts[started]) ++ended;
    pairs += started - ended;
  }
  return pairs;
}

Conflicts::Conflicts(std::span<const uint32_t> first, std::span<const uint32_t> last) : begin_(first.size() + 1) {
  std::vector<uint32_t> order(first.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return first[a] != first[b] ? first[a] < first[b] : a < b; });
  const auto each_pair = [&](auto take) {
    std::vector<uint32_t> alive;
    for (uint32_t buffer : order) {
      std::erase_if(alive, [&](uint32_t other) { return last[other] < first[buffer]; });
      for (uint32_t other : alive) take(buffer, other);
      alive.push_back(buffer);
    }
  };
  each_pair([&](uint32_t a, uint32_t b) { ++begin_[a + 1], ++begin_[b + 1]; });
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  neighbours_.resize(begin_.back());
  std::vector<uint32_t> at(begin_.begin(), begin_.end() - 1);
  each_pair([&](uint32_t a, uint32_t b) { neighbours_[at[a]++] = b, neighbours_[at[b]++] = a; });
}

}  // namespace ge
