#pragma once
#include "ge/executor/instantiate.hpp"
#include "ge/executor/static/model_args_manager.hpp"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ge {

/// One segment ready to run in one instance: the plan, its argument block, and the segments that may follow, keyed by
/// the bytes that decide which.
struct Segment {
  explicit Segment(std::unique_ptr<Instantiation> p) : plan(std::move(p)), args(plan->list) {}
  std::unique_ptr<Instantiation> plan;
  ModelArgsManager args;
  uint32_t profile_number = UINT32_MAX;  ///< in the instance's profile
  std::map<std::string, std::unique_ptr<Segment>, std::less<>> next;
};

/// First segments by run sizes, least recently used out first. Bounded by the number of sizes and by the number of
/// segments in all; a segment whose successor starts with a long list of what sequences hold counts as several. A lookup of known sizes allocates nothing. Not thread-safe.
class GE_API InstantiationCache {
 public:
  InstantiationCache(size_t max_sizes, size_t max_segments) : max_sizes_(max_sizes), max_segments_(max_segments) {}

  /// Null when these sizes are new. `key`: all input dims, then the elements.
  Segment* find(std::span<const int64_t> key) noexcept;
  /// Adds the first segment for `key`, dropping others to stay within bounds.
  Segment& add(std::span<const int64_t> key, std::unique_ptr<Instantiation> plan);
  /// Adds a segment behind `parent`.
  Segment& add_next(Segment& parent, std::string_view key, std::unique_ptr<Instantiation> plan);
  bool full() const noexcept { return segments_ >= max_segments_; }
  /// Call before a run: makes room when the segments of one size alone have become too many.
  void trim() noexcept;

  struct Counters {
    uint64_t hits = 0, misses = 0, evictions = 0;
    size_t sizes = 0, segments = 0;
  };
  Counters counters() const noexcept { return {hits_, misses_, evictions_, entries_.size(), segments_}; }

 private:
  struct Entry {
    uint64_t hash = 0;
    uint64_t used = 0;
    std::vector<int64_t> key;
    std::unique_ptr<Segment> first;
    size_t segments = 1;
  };
  void drop_oldest();

  size_t max_sizes_, max_segments_;
  std::vector<Entry> entries_;
  Entry* current_ = nullptr;
  uint64_t clock_ = 0, hits_ = 0, misses_ = 0, evictions_ = 0;
  size_t segments_ = 0;
};

}  // namespace ge
