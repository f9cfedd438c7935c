#pragma once
#include "ge/model/conflicts.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace ge {

/// What the placement strategies are given: buffers of at least one byte, over a time without gaps.
struct PlacementProblem {
  struct Life {
    int64_t size = 0;              ///< bytes, a multiple of 64, above 0
    uint32_t first = 0, last = 0;  ///< instants, both included; instants are the ranks of the tasks at which a life begins
    uint32_t length() const { return last - first + 1; }
  };
  std::vector<Life> lives;
  uint32_t instants = 0;
  std::vector<int64_t> live_bytes;     ///< by instant
  int64_t lower_bound = 0;             ///< the largest of live_bytes
  std::optional<Conflicts> conflicts;  ///< none when there are too many pairs

  /// All buffers in increasing order of `key(buffer)`; equal keys in their own order.
  template <class Key>
  std::vector<uint32_t> sorted_by(Key key) const;
};

struct Placement {
  std::vector<int64_t> offsets;
  int64_t arena_bytes = 0;
};

/// One way to give offsets. Deterministic. Those that compare each buffer with all it lives together with need
/// `conflicts`; the others take O(n log n).
struct PlacementStrategy {
  std::string_view name;
  bool needs_conflicts;
  Placement (*place)(const PlacementProblem&);
};

Placement place_by_size(const PlacementProblem& problem);
Placement place_by_life(const PlacementProblem& problem);
Placement place_by_area(const PlacementProblem& problem);
Placement place_by_pressure(const PlacementProblem& problem);
Placement place_by_start(const PlacementProblem& problem);
Placement place_two_ended(const PlacementProblem& problem);

/// Places in the order given, each buffer at the lowest gap that is free for its whole life. Needs `conflicts`.
Placement place_in_order(const PlacementProblem& problem, const std::vector<uint32_t>& order);

/// Tries to get from `start` to the lower bound by placing the buffers that make the top earlier. Never worse than
/// `start`; a number of steps that depends on the problem alone. Needs `conflicts`.
Placement improve_placement(const PlacementProblem& problem, const Placement& start);

template <class Key>
std::vector<uint32_t> PlacementProblem::sorted_by(Key key) const {
  using Entry = std::pair<decltype(key(lives[0])), uint32_t>;
  std::vector<Entry> entries;
  entries.reserve(lives.size());
  for (uint32_t i = 0; i < lives.size(); ++i) entries.emplace_back(key(lives[i]), i);
  std::sort(entries.begin(), entries.end());
  std::vector<uint32_t> order;
  order.reserve(lives.size());
  for (const Entry& entry : entries) order.push_back(entry.second);
  return order;
}

}  // namespace ge
