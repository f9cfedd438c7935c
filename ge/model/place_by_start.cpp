// In order of first use, each in the tightest gap.
#include "ge/model/place_in_time.hpp"

namespace ge {

Placement place_by_start(const PlacementProblem& problem) {
  return place_in_time(problem, 0, [](const PlacementProblem::Life&) { return FreeGaps::End::low; });
}

}  // namespace ge
