#include "ge/model/placement.hpp"

namespace ge {

Placement place_in_order(const PlacementProblem& problem, const std::vector<uint32_t>& order) {
  Placement plan;
  plan.offsets.assign(problem.lives.size(), -1);
  std::vector<std::pair<int64_t, int64_t>> taken;  // [begin, end) of neighbours that have a place
  for (uint32_t buffer : order) {
    taken.clear();
    for (uint32_t other : problem.conflicts->of(buffer))
      if (plan.offsets[other] >= 0) taken.emplace_back(plan.offsets[other], plan.offsets[other] + problem.lives[other].size);
    std::sort(taken.begin(), taken.end());
    int64_t at = 0;
    for (const auto& [begin, end] : taken) {
      if (begin - at >= problem.lives[buffer].size) break;
      at = std::max(at, end);
    }
    plan.offsets[buffer] = at;
    plan.arena_bytes = std::max(plan.arena_bytes, at + problem.lives[buffer].size);
  }
  return plan;
}

}  // namespace ge
