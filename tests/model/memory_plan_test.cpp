#include "support/catch.hpp"

#include "ge/base/error.hpp"
#include "ge/model/memory_plan.hpp"

#include <algorithm>
#include <random>

namespace {

using namespace ge;
using Lives = std::vector<BufferLife>;
using Offsets = std::vector<int64_t>;

int64_t rounded(int64_t size) { return (size + 63) / 64 * 64; }

/// The largest sum of live sizes, task by task.
int64_t largest_live_sum(const Lives& lives) {
  uint32_t end = 0;
  for (const BufferLife& life : lives) end = std::max(end, life.last + 1);
  int64_t most = 0;
  for (uint32_t task = 0; task < end; ++task) {
    int64_t live = 0;
    for (const BufferLife& life : lives)
      if (life.first <= task && task <= life.last) live += rounded(life.size_bytes);
    most = std::max(most, live);
  }
  return most;
}

void check_valid(const Lives& lives, const MemoryPlan& plan) {
  REQUIRE(plan.offsets.size() == lives.size());
  for (size_t i = 0; i < lives.size(); ++i) {
    const int64_t begin = plan.offsets[i], end = begin + lives[i].size_bytes;
    if (begin < 0 || begin % 64 != 0 || end > plan.arena_bytes) FAIL("buffer " << i << " is at " << begin << " to " << end << " of " << plan.arena_bytes);
    for (size_t j = 0; j < i; ++j) {
      const bool both_live = lives[i].first <= lives[j].last && lives[j].first <= lives[i].last;
      const bool share = begin < plan.offsets[j] + lives[j].size_bytes && plan.offsets[j] < end;
      if (both_live && share) FAIL("buffers " << j << " and " << i << " overlap");
    }
  }
  CHECK(plan.lower_bound_bytes == largest_live_sum(lives));
  CHECK(plan.arena_bytes >= plan.lower_bound_bytes);
  CHECK(plan.arena_bytes % 64 == 0);
}

TEST_CASE("small plans have the offsets worked out by hand", "[model][SX-7]") {
  struct Case {
    const char* what;
    Lives lives;
    Offsets offsets;
    int64_t arena, lower_bound;
  };
  const Case cases[] = {
      {"nothing", {}, {}, 0, 0},
      {"one buffer is rounded up to 64", {{1, 0, 0}}, {0}, 64, 64},
      {"no bytes take no place", {{0, 0, 3}, {64, 0, 3}}, {0, 0}, 64, 64},
      {"a chain uses two places in turn", {{64, 0, 1}, {64, 1, 2}, {64, 2, 3}, {64, 3, 4}}, {0, 64, 0, 64}, 128, 128},
      {"lives that end and begin at the same task stay apart", {{64, 0, 2}, {64, 2, 4}}, {0, 64}, 128, 128},
      {"lives that follow each other share", {{64, 0, 1}, {100, 2, 4}}, {0, 0}, 128, 128},
      {"the largest lies lowest", {{64, 0, 2}, {256, 0, 2}, {128, 0, 2}}, {384, 0, 256}, 448, 448},
      // The first three are alive together; the last fits where the second was.
      {"a gap is reused", {{192, 0, 3}, {128, 0, 1}, {64, 0, 3}, {100, 2, 3}}, {0, 192, 320, 192}, 384, 384},
  };
  for (const Case& c : cases) {
    INFO(c.what);
    const MemoryPlan plan = plan_memory(c.lives);
    CHECK(plan.offsets == c.offsets);
    CHECK(plan.arena_bytes == c.arena);
    CHECK(plan.lower_bound_bytes == c.lower_bound);
    check_valid(c.lives, plan);
  }
}

TEST_CASE("the better of the strategies is kept and named", "[model][SX-7]") {
  const MemoryPlan plan = plan_memory(Lives{{64, 0, 1}});
  CHECK(plan.strategy == "by_size");
  std::mt19937 random(3);
  bool by_start = false;
  for (int round = 0; round < 200 && !by_start; ++round) {
    Lives lives;
    for (int i = 0; i < 12; ++i) {
      const auto first = static_cast<uint32_t>(random() % 10);
      lives.push_back({static_cast<int64_t>(64 * (1 + random() % 6)), first, first + static_cast<uint32_t>(random() % 4)});
    }
    by_start = plan_memory(lives).strategy == "by_start";
  }
  CHECK(by_start);
}

TEST_CASE("buffers alive together never overlap, and the lower bound is exact", "[model][SX-7]") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  double worst = 1;
  for (int round = 0; round < 400; ++round) {
    const unsigned tasks = 1 + random() % 60, longest = 1 + random() % 20;
    Lives lives;
    for (unsigned count = random() % 80; count > 0; --count) {
      const auto first = static_cast<uint32_t>(random() % tasks);
      const int64_t size = random() % 4 == 0 ? static_cast<int64_t>(random() % 100000) : static_cast<int64_t>(random() % 600);
      lives.push_back({size, first, first + static_cast<uint32_t>(random() % longest)});
    }
    const MemoryPlan plan = plan_memory(lives);
    check_valid(lives, plan);
    if (plan.lower_bound_bytes > 0) worst = std::max(worst, static_cast<double>(plan.arena_bytes) / static_cast<double>(plan.lower_bound_bytes));
  }
  CHECK(worst < 2);
}

TEST_CASE("tasks at the end of their range are counted", "[model][SX-7]") {
  const Lives lives = {{64, UINT32_MAX - 1, UINT32_MAX}, {64, UINT32_MAX, UINT32_MAX}, {64, 0, UINT32_MAX - 1}};
  const MemoryPlan plan = plan_memory(lives);
  CHECK(plan.lower_bound_bytes == 128);
  CHECK(plan.arena_bytes == 128);
}

TEST_CASE("sizes that do not fit in 64 bits are an error", "[model][SX-7][CR-10]") {
  for (const Lives& lives : {Lives{{-1, 0, 0}}, Lives{{INT64_MAX, 0, 0}}, Lives{{INT64_MAX - 100, 0, 0}, {INT64_MAX - 100, 1, 1}}}) {
    try {
      plan_memory(lives);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::out_of_memory);
    }
  }
}

}  // namespace
