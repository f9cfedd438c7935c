// Each placement strategy alone, against brute force.
#include "support/catch.hpp"

#include "ge/model/live_profile.hpp"
#include "ge/model/memory_plan.hpp"
#include "ge/model/placement.hpp"

#include <bit>
#include <ctime>
#include <numeric>
#include <random>

namespace {

using namespace ge;

struct Named {
  const char* name;
  Placement (*place)(const PlacementProblem&);
};
constexpr Named strategies[] = {{"by_size", place_by_size}, {"by_life", place_by_life},   {"by_area", place_by_area},
                                {"by_pressure", place_by_pressure}, {"by_start", place_by_start}, {"two_ended", place_two_ended}};

/// Lives over few instants, so that many end where others begin.
PlacementProblem random_problem(std::mt19937& random, uint32_t count, uint32_t instants, uint32_t longest, int64_t sizes) {
  PlacementProblem problem;
  problem.instants = instants;
  problem.live_bytes.resize(instants);
  std::vector<uint32_t> first, last;
  for (uint32_t i = 0; i < count; ++i) {
    const auto begin = static_cast<uint32_t>(random() % instants);
    const uint32_t end = std::min<uint32_t>(instants - 1, begin + static_cast<uint32_t>(random() % longest));
    problem.lives.push_back({64 * (1 + static_cast<int64_t>(random()) % sizes), begin, end});
    first.push_back(begin), last.push_back(end);
    for (uint32_t t = begin; t <= end; ++t) problem.live_bytes[t] += problem.lives.back().size;
  }
  for (int64_t bytes : problem.live_bytes) problem.lower_bound = std::max(problem.lower_bound, bytes);
  problem.conflicts.emplace(first, last);
  return problem;
}

bool alive_together(const PlacementProblem::Life& a, const PlacementProblem::Life& b) { return a.first <= b.last && b.first <= a.last; }

/// "" or what is wrong.
std::string fault(const PlacementProblem& problem, const Placement& plan) {
  if (plan.offsets.size() != problem.lives.size()) return "not every buffer has an offset";
  int64_t top = 0;
  for (size_t i = 0; i < problem.lives.size(); ++i) {
    const int64_t end = plan.offsets[i] + problem.lives[i].size;
    top = std::max(top, end);
    if (plan.offsets[i] < 0 || plan.offsets[i] % 64 != 0) return "a bad offset";
    for (size_t j = 0; j < i; ++j)
      if (alive_together(problem.lives[i], problem.lives[j]) && plan.offsets[i] < plan.offsets[j] + problem.lives[j].size && plan.offsets[j] < end)
        return "buffers " + std::to_string(j) + " and " + std::to_string(i) + " overlap";
  }
  if (top != plan.arena_bytes) return "the arena's size is wrong";
  return top < problem.lower_bound ? "less than the lower bound" : "";
}

/// The smallest arena there is: some order of placing at the lowest gap gives it.
int64_t smallest_arena(const PlacementProblem& problem) {
  std::vector<uint32_t> order(problem.lives.size());
  std::iota(order.begin(), order.end(), 0u);
  int64_t best = INT64_MAX;
  do best = std::min(best, place_in_order(problem, order).arena_bytes);
  while (std::next_permutation(order.begin(), order.end()));
  return best;
}

}  // namespace

TEST_CASE("no strategy lets buffers that live together overlap", "[model][SX-7]") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    const PlacementProblem problem = random_problem(random, 1 + random() % 60, 1 + random() % 40, 1 + random() % 15, 1 + random() % 20);
    for (const Named& strategy : strategies) {
      INFO(strategy.name);
      const Placement plan = strategy.place(problem);
      CHECK(fault(problem, plan) == "");
      const Placement improved = improve_placement(problem, plan);
      CHECK(fault(problem, improved) == "");
      CHECK(improved.arena_bytes <= plan.arena_bytes);
    }
  }
}

TEST_CASE("small plans are as small as exhaustive search finds", "[model][SX-7]") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  int above_bound = 0;
  for (int round = 0; round < 300; ++round) {
    const PlacementProblem problem = random_problem(random, 3 + random() % 5, 6, 4, 5);
    std::vector<BufferLife> lives;
    for (const auto& life : problem.lives) lives.push_back({life.size - static_cast<int64_t>(random() % 64), life.first, life.last});
    const MemoryPlan plan = plan_memory(lives);
    const int64_t smallest = smallest_arena(problem);
    CHECK(plan.lower_bound_bytes == problem.lower_bound);
    CHECK(plan.arena_bytes == smallest);
    above_bound += smallest > problem.lower_bound;
  }
  INFO("cases where even the smallest arena is above the lower bound: " << above_bound);
  CHECK(above_bound < 100);
}

TEST_CASE("neighbours are those that live together", "[model][SX-7]") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 100; ++round) {
    const PlacementProblem problem = random_problem(random, 1 + random() % 30, 20, 10, 3);
    std::vector<uint32_t> first, last;
    for (const auto& life : problem.lives) first.push_back(life.first), last.push_back(life.last);
    size_t pairs = 0;
    for (uint32_t i = 0; i < problem.lives.size(); ++i) {
      std::vector<uint32_t> expected, found(problem.conflicts->of(i).begin(), problem.conflicts->of(i).end());
      for (uint32_t j = 0; j < problem.lives.size(); ++j)
        if (i != j && alive_together(problem.lives[i], problem.lives[j])) expected.push_back(j);
      std::sort(found.begin(), found.end());
      CHECK(found == expected);
      pairs += expected.size();
    }
    CHECK(problem.conflicts->pairs() * 2 == pairs);
    CHECK(Conflicts::count(first, last) * 2 == pairs);
  }
}

TEST_CASE("a profile of live bytes gives what adding instant by instant gives", "[model][SX-7]") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 100; ++round) {
    const auto instants = static_cast<uint32_t>(1 + random() % 40);
    std::vector<int64_t> plain(instants);
    for (int64_t& bytes : plain) bytes = static_cast<int64_t>(random() % 100);
    LiveProfile profile(plain);
    for (int step = 0; step < 50; ++step) {
      const auto first = static_cast<uint32_t>(random() % instants), last = first + static_cast<uint32_t>(random() % (instants - first));
      const int64_t bytes = static_cast<int64_t>(random() % 200) - 100;
      profile.add(first, last, bytes);
      for (uint32_t t = first; t <= last; ++t) plain[t] += bytes;
      const auto from = static_cast<uint32_t>(random() % instants), to = from + static_cast<uint32_t>(random() % (instants - from));
      REQUIRE(profile.highest(from, to) == *std::max_element(plain.begin() + from, plain.begin() + to + 1));
      REQUIRE(profile.highest() == std::max<int64_t>(*std::max_element(plain.begin(), plain.end()), instants == std::bit_ceil(instants) ? INT64_MIN : 0));
    }
  }
}

TEST_CASE("a million buffers are planned in seconds", "[model][SX-7]") {
  std::mt19937 random(5);
  std::vector<BufferLife> lives;
  for (uint32_t i = 0; i < 1'000'000; ++i) lives.push_back({static_cast<int64_t>(random() % 5000), i, i + 1 + static_cast<uint32_t>(random() % 100 == 0 ? random() % 100'000 : random() % 4)});
  const std::clock_t start = std::clock();
  const MemoryPlan plan = plan_memory(lives);
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;  // of the processor: others may be busy too
  INFO("took " << took << " s, arena " << plan.arena_bytes << ", lower bound " << plan.lower_bound_bytes << ", " << plan.strategy);
  CHECK(took < 10);  // about 2 s
  CHECK(static_cast<double>(plan.arena_bytes) < 1.3 * static_cast<double>(plan.lower_bound_bytes));
}
