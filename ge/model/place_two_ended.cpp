// In order of first use into an arena of the lower bound: lives longer than most from the bottom, short ones from the top,
// so that what stays does not cut up the room of what comes and goes.
#include "ge/model/place_in_time.hpp"

namespace ge {

Placement place_two_ended(const PlacementProblem& problem) {
  std::vector<uint32_t> lengths;
  for (const auto& life : problem.lives) lengths.push_back(life.length());
  if (lengths.empty()) return {};
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return place_in_time(problem, problem.lower_bound,
                       [usual = *middle](const PlacementProblem::Life& life) { return life.length() > usual ? FreeGaps::End::low : FreeGaps::End::high; });
}

}  // namespace ge
