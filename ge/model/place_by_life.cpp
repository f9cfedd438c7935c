// Longest life first: what stays lies at the bottom, what comes and goes is stacked above it.
#include "ge/model/placement.hpp"

namespace ge {

Placement place_by_life(const PlacementProblem& problem) {
  return place_in_order(problem, problem.sorted_by([](const PlacementProblem::Life& life) { return std::pair(-int64_t{life.length()}, -life.size); }));
}

}  // namespace ge
