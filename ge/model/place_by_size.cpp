// Largest first (greedy by size: Pisarchyk and Lee 2020, arXiv 2001.03288): small buffers fill the gaps between large ones.
#include "ge/model/placement.hpp"

namespace ge {

Placement place_by_size(const PlacementProblem& problem) {
  return place_in_order(problem, problem.sorted_by([](const PlacementProblem::Life& life) { return -life.size; }));
}

}  // namespace ge
