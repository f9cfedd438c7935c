// By the largest sum of live bytes that a buffer is part of: those of the tightest instants are placed while all places
// are free (close to greedy by breadth: Pisarchyk and Lee 2020, arXiv 2001.03288).
#include "ge/model/live_profile.hpp"
#include "ge/model/placement.hpp"

namespace ge {

Placement place_by_pressure(const PlacementProblem& problem) {
  const LiveProfile profile(problem.live_bytes);
  return place_in_order(problem, problem.sorted_by([&](const PlacementProblem::Life& life) { return std::pair(-profile.highest(life.first, life.last), -life.size); }));
}

}  // namespace ge
