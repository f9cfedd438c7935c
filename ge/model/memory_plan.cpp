#include "ge/model/memory_plan.hpp"

#include "ge/base/error.hpp"

#include <algorithm>
#include <numeric>

namespace ge {
namespace {

constexpr int64_t alignment = 64;
int64_t rounded(int64_t size) { return (size + alignment - 1) / alignment * alignment; }

struct Placed {
  int64_t begin, end;
  uint32_t first, last;
};

/// The buffers already placed, sorted by offset.
class Arena {
 public:
  enum class Fit { lowest, tightest };

  int64_t place(const BufferLife& life, Fit fit) {
    const int64_t size = rounded(life.size_bytes);
    int64_t best = -1, best_gap = INT64_MAX, top = 0;
    for (const Placed& other : placed_) {
      if (other.last < life.first || other.first > life.last) continue;
      const int64_t gap = other.begin - top;
      if (gap >= size && gap < best_gap) {
        best = top, best_gap = gap;
        if (fit == Fit::lowest) break;
      }
      top = std::max(top, other.end);
    }
    const int64_t begin = best >= 0 ? best : top;
    const Placed item{begin, begin + size, life.first, life.last};
    placed_.insert(std::upper_bound(placed_.begin(), placed_.end(), item, [](const Placed& a, const Placed& b) { return a.begin < b.begin; }), item);
    size_ = std::max(size_, item.end);
    return begin;
  }
  int64_t size() const { return size_; }

 private:
  std::vector<Placed> placed_;
  int64_t size_ = 0;
};

int64_t lower_bound(std::span<const BufferLife> buffers) {
  // Sweep over the tasks: a buffer counts from its first to its last.
  std::vector<std::pair<uint64_t, int64_t>> events;
  for (const BufferLife& life : buffers) {
    events.emplace_back(uint64_t{life.first} * 2 + 1, rounded(life.size_bytes));
    events.emplace_back(uint64_t{life.last} * 2 + 2, -rounded(life.size_bytes));
  }
  std::sort(events.begin(), events.end());
  int64_t live = 0, most = 0;
  for (const auto& [when, change] : events) most = std::max(most, live += change);
  return most;
}

MemoryPlan place_all(std::span<const BufferLife> buffers, const std::vector<size_t>& order, Arena::Fit fit, std::string_view name) {
  MemoryPlan plan;
  plan.offsets.resize(buffers.size());
  Arena arena;
  for (size_t i : order) plan.offsets[i] = arena.place(buffers[i], fit);
  plan.arena_bytes = arena.size();
  plan.strategy = name;
  return plan;
}

}  // namespace

MemoryPlan plan_memory(std::span<const BufferLife> buffers) {
  int64_t total = 0;
  for (const BufferLife& life : buffers)
    if (life.size_bytes < 0 || life.size_bytes > INT64_MAX - alignment || __builtin_add_overflow(total, rounded(life.size_bytes), &total))
      throw Error(ErrorCode::out_of_memory, "the tensors of one run do not fit in a 64-bit address space");

  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return buffers[a].size_bytes > buffers[b].size_bytes; });
  MemoryPlan best = place_all(buffers, order, Arena::Fit::lowest, "by_size");

  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return buffers[a].first < buffers[b].first; });
  MemoryPlan other = place_all(buffers, order, Arena::Fit::tightest, "by_start");
  if (other.arena_bytes < best.arena_bytes) best = std::move(other);

  best.lower_bound_bytes = lower_bound(buffers);
  return best;
}

}  // namespace ge
