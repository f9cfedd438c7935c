#pragma once
#include "ge/base/export.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ge {

/// A buffer that must stay untouched from task `first` to task `last` (both included).
struct BufferLife {
  int64_t size_bytes = 0;
  uint32_t first = 0, last = 0;
};

/// Offsets in one arena such that no two buffers alive at the same task overlap.
struct MemoryPlan {
  std::vector<int64_t> offsets;       ///< by buffer, multiples of 64
  int64_t arena_bytes = 0;
  int64_t lower_bound_bytes = 0;      ///< largest sum of live sizes (rounded to 64) at any task
  std::string_view strategy;          ///< the one that gave the smallest arena
};

/// Tries placement strategies (ge/model/placement.hpp) until one reaches the lower bound, and keeps the smallest arena:
///  - by_size, by_pressure, by_area, by_life: in that order of importance, each buffer at the lowest free gap;
///  - by_start: in order of first use, each in the tightest gap;
///  - two_ended: in order of first use, long lives from the bottom, short ones from the top;
///  - improved: a search of bounded length from the best of them.
/// O(n log n) and the work of listing which buffers live together; where these pairs are more than two million, only
/// by_start and two_ended are tried. Deterministic, thread-safe. Throws Error(out_of_memory) when the sizes do not fit in
/// int64.
GE_API MemoryPlan plan_memory(std::span<const BufferLife> buffers);

}  // namespace ge
