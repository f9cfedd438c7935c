#pragma once
#include "ge/base/export.hpp"

#include <cstdint>
#include <span>
#include <string>
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

/// Tries every placement strategy and keeps the smallest arena:
///  - by_size: largest buffers first, each at the lowest gap that is free for its life (greedy by size, Pisarchyk and
///    Lee 2020, arXiv 2001.03288);
///  - by_start: in order of first use, each in the tightest gap that fits.
/// Throws Error(out_of_memory) when the sizes do not fit in int64.
GE_API MemoryPlan plan_memory(std::span<const BufferLife> buffers);

}  // namespace ge
