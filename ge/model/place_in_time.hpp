#pragma once
#include "ge/model/free_gaps.hpp"
#include "ge/model/placement.hpp"

namespace ge {

/// Goes through time as an allocator would: at each instant what ended is given back, then what begins is taken, larger
/// buffers first, at the end of the gap that `end_for(buffer)` names. O(n log n).
template <class EndFor>
Placement place_in_time(const PlacementProblem& problem, int64_t capacity, EndFor end_for) {
  using Life = PlacementProblem::Life;
  const std::vector<uint32_t> starts = problem.sorted_by([](const Life& life) { return std::pair(life.first, -life.size); });
  const std::vector<uint32_t> ends = problem.sorted_by([](const Life& life) { return life.last; });
  Placement plan;
  plan.offsets.resize(problem.lives.size());
  FreeGaps gaps(capacity);
  size_t ended = 0;
  for (uint32_t buffer : starts) {
    const Life& life = problem.lives[buffer];
    for (; ended < ends.size() && problem.lives[ends[ended]].last < life.first; ++ended) gaps.give_back(plan.offsets[ends[ended]], problem.lives[ends[ended]].size);
    plan.offsets[buffer] = gaps.take(life.size, end_for(life));
    plan.arena_bytes = std::max(plan.arena_bytes, plan.offsets[buffer] + life.size);
  }
  return plan;
}

}  // namespace ge
