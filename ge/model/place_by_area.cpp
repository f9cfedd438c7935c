// Largest area (bytes times instants) first.
#include "ge/model/placement.hpp"

namespace ge {

Placement place_by_area(const PlacementProblem& problem) {
  return place_in_order(problem, problem.sorted_by([](const PlacementProblem::Life& life) { return -static_cast<double>(life.size) * life.length(); }));
}

}  // namespace ge
