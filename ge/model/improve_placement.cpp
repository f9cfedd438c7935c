#include "ge/model/placement.hpp"

#include <numeric>

namespace ge {
namespace {

/// So many looks at a neighbour altogether (some 50 ms at worst), and never more tries than this.
constexpr uint64_t looks_allowed = 4'000'000, most_tries = 2'000;

/// An order of placement that is changed step by step, and what it gives.
class Search {
 public:
  Search(const PlacementProblem& problem, const Placement& start) : problem_(problem), order_(problem.sorted_by([](const auto&) { return 0; })) {
    // From the bottom up: placed in this order, everything can sink but nothing can rise.
    std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return start.offsets[a] < start.offsets[b]; });
    current_ = place_in_order(problem_, order_);
    best_ = current_.arena_bytes < start.arena_bytes ? current_ : start;
  }

  Placement run() {
    const uint64_t tries = std::min(most_tries, looks_allowed / (2 * problem_.conflicts->pairs() + problem_.lives.size() + 1));
    for (uint64_t i = 0; i < tries && best_.arena_bytes > problem_.lower_bound; ++i) try_one();
    return std::move(best_);
  }

 private:
  /// A linear congruential generator (Knuth, MMIX): the same steps on every machine.
  uint32_t below(size_t n) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((random_ >> 33) % n);
  }

  /// A buffer that reaches the top, or one of its neighbours, is placed before another of its neighbours.
  void try_one() {
    tops_.clear();
    for (uint32_t i = 0; i < problem_.lives.size(); ++i)
      if (current_.offsets[i] + problem_.lives[i].size == current_.arena_bytes) tops_.push_back(i);
    uint32_t moved = tops_[below(tops_.size())];
    auto around = problem_.conflicts->of(moved);
    if (around.empty()) return;
    if (below(3) == 0) {
      moved = around[below(around.size())];
      around = problem_.conflicts->of(moved);
    }
    const uint32_t before = around[below(around.size())];
    std::vector<uint32_t> order = order_;
    const auto from = std::find(order.begin(), order.end(), moved), to = std::find(order.begin(), order.end(), before);
    if (from < to) std::rotate(from, from + 1, to + 1);
    else std::rotate(to, from, from + 1);
    Placement changed = place_in_order(problem_, order);
    // Equal ones are taken too: they lead away from where no single move helps.
    if (changed.arena_bytes > current_.arena_bytes) return;
    order_ = std::move(order);
    current_ = std::move(changed);
    if (current_.arena_bytes < best_.arena_bytes) best_ = current_;
  }

  const PlacementProblem& problem_;
  std::vector<uint32_t> order_, tops_;
  Placement current_, best_;
  uint64_t random_ = 1;
};

}  // namespace

Placement improve_placement(const PlacementProblem& problem, const Placement& start) { return Search(problem, start).run(); }

}  // namespace ge
