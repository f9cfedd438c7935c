#include "ge/model/memory_plan.hpp"

#include "ge/base/error.hpp"
#include "ge/model/placement.hpp"

#include <algorithm>

namespace ge {
namespace {

constexpr int64_t alignment = 64;
/// Above so many pairs of buffers that live together only the strategies of O(n log n) are tried.
constexpr uint64_t most_pairs = 2'000'000;

/// In the order in which they are tried; the first of equal ones is kept.
constexpr PlacementStrategy strategies[] = {
    {"by_size", true, place_by_size},         {"by_start", false, place_by_start}, {"by_pressure", true, place_by_pressure},
    {"two_ended", false, place_two_ended}, {"by_area", true, place_by_area},    {"by_life", true, place_by_life},
};

/// Time in ranks: an instant for each task at which a life begins. A largest sum is reached at one of them.
PlacementProblem problem_of(std::span<const BufferLife> buffers, const std::vector<uint32_t>& chosen) {
  std::vector<uint32_t> instants;
  for (uint32_t b : chosen) instants.push_back(buffers[b].first);
  std::sort(instants.begin(), instants.end());
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  const auto rank = [&](uint32_t task) { return static_cast<uint32_t>(std::upper_bound(instants.begin(), instants.end(), task) - instants.begin() - 1); };

  PlacementProblem problem;
  problem.instants = static_cast<uint32_t>(instants.size());
  problem.live_bytes.resize(instants.size() + 1);
  std::vector<uint32_t> first, last;
  for (uint32_t b : chosen) {
    const int64_t size = (buffers[b].size_bytes + alignment - 1) / alignment * alignment;
    problem.lives.push_back({size, rank(buffers[b].first), rank(buffers[b].last)});
    const PlacementProblem::Life& life = problem.lives.back();
    problem.live_bytes[life.first] += size;
    problem.live_bytes[life.last + 1] -= size;
    first.push_back(life.first), last.push_back(life.last);
  }
  int64_t live = 0;
  for (int64_t& bytes : problem.live_bytes) bytes = live += bytes;
  problem.live_bytes.pop_back();
  for (int64_t bytes : problem.live_bytes) problem.lower_bound = std::max(problem.lower_bound, bytes);
  if (Conflicts::count(first, last) <= most_pairs) problem.conflicts.emplace(first, last);
  return problem;
}

}  // namespace

MemoryPlan plan_memory(std::span<const BufferLife> buffers) {
  std::vector<uint32_t> chosen;
  int64_t total = 0;
  for (size_t b = 0; b < buffers.size(); ++b) {
    const int64_t size = buffers[b].size_bytes;
    if (size < 0 || size > INT64_MAX - alignment || __builtin_add_overflow(total, (size + alignment - 1) / alignment * alignment, &total))
      throw Error(ErrorCode::out_of_memory, "the tensors of one run do not fit in a 64-bit address space");
    if (size > 0) chosen.push_back(static_cast<uint32_t>(b));
  }
  MemoryPlan plan;
  plan.offsets.resize(buffers.size());
  plan.strategy = strategies[0].name;
  if (chosen.empty()) return plan;

  const PlacementProblem problem = problem_of(buffers, chosen);
  Placement best;
  best.arena_bytes = INT64_MAX;
  const auto keep = [&](Placement&& found, std::string_view name) {
    if (found.arena_bytes >= best.arena_bytes) return;
    best = std::move(found);
    plan.strategy = name;
  };
  for (const PlacementStrategy& strategy : strategies)
    if (best.arena_bytes > problem.lower_bound && (problem.conflicts || !strategy.needs_conflicts)) keep(strategy.place(problem), strategy.name);
  if (best.arena_bytes > problem.lower_bound && problem.conflicts) keep(improve_placement(problem, best), "improved");

  for (size_t i = 0; i < chosen.size(); ++i) plan.offsets[chosen[i]] = best.offsets[i];
  plan.arena_bytes = best.arena_bytes;
  plan.lower_bound_bytes = problem.lower_bound;
  return plan;
}

}  // namespace ge
