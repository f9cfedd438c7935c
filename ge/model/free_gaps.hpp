#pragma once
#include <cstdint>
#include <map>
#include <set>

namespace ge {

/// Free ranges of an arena that grows at its top: what an allocator that goes through time keeps. O(log gaps) a call.
class FreeGaps {
 public:
  enum class End : uint8_t { low, high };

  /// An arena of `capacity` bytes, all free.
  explicit FreeGaps(int64_t capacity) : capacity_(capacity) {
    if (capacity > 0) insert(0, capacity);
  }

  /// Takes `size` bytes at one end of the tightest gap; where none is large enough, grows the arena.
  int64_t take(int64_t size, End end);
  void give_back(int64_t begin, int64_t size);

 private:
  void insert(int64_t begin, int64_t end);
  void erase(std::map<int64_t, int64_t>::iterator gap);

  int64_t capacity_;
  std::map<int64_t, int64_t> ends_;               ///< by begin
  std::set<std::pair<int64_t, int64_t>> by_size_; ///< (size, begin)
};

}  // namespace ge
