#include "ge/build/schedule.hpp"

#include <algorithm>

namespace ge {
namespace {

class Subtrees {
 public:
  Subtrees(const Schedule& schedule, std::span<const uint32_t> by_dependence) : s_(schedule), need_(s_.node_count()), left_(s_.node_count()), done_(s_.node_count()) {
    for (uint32_t node : by_dependence) estimate(node);
  }

  std::vector<uint32_t> run(std::span<const uint32_t> by_dependence) {
    for (uint32_t node : by_dependence)
      if (s_.successors(node).empty()) visit(node);
    return std::move(order_);
  }

 private:
  /// Predecessors, those first whose need exceeds what they leave by most.
  std::vector<uint32_t> sorted_predecessors(uint32_t node) const {
    std::vector<uint32_t> sorted(s_.predecessors(node).begin(), s_.predecessors(node).end());
    std::stable_sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) { return need_[a] - left_[a] > need_[b] - left_[b]; });
    return sorted;
  }
  /// As if the graph were a tree: the most bytes alive while `node` and all it needs are made, and the bytes left then.
  void estimate(uint32_t node) {
    int64_t held = 0;
    for (uint32_t before : sorted_predecessors(node)) {
      need_[node] = std::max(need_[node], held + need_[before]);
      held += left_[before];
    }
    for (uint32_t storage : s_.made_by(node)) left_[node] += s_.bytes(storage);
    if (s_.made_by(node).empty()) left_[node] = held;  // a view: what it looks at stays
    need_[node] = std::max(need_[node], held + (s_.in_place(node) ? 0 : left_[node]));
    // Bytes that many share are counted many times; far above any memory they mean nothing more.
    constexpr int64_t most = INT64_MAX / 4;
    need_[node] = std::min(need_[node], most), left_[node] = std::min(left_[node], most / (1 << 20));
  }
  void visit(uint32_t root) {
    struct Step {
      uint32_t node;
      std::vector<uint32_t> predecessors;
      size_t next = 0;
    };
    if (done_[root]) return;
    std::vector<Step> stack;
    stack.push_back({root, sorted_predecessors(root)});
    while (!stack.empty()) {
      Step& step = stack.back();
      if (step.next < step.predecessors.size()) {
        const uint32_t before = step.predecessors[step.next++];
        if (!done_[before]) stack.push_back({before, sorted_predecessors(before)});
        continue;
      }
      if (!done_[step.node]) order_.push_back(step.node);
      done_[step.node] = true;
      stack.pop_back();
    }
  }

  const Schedule& s_;
  std::vector<int64_t> need_, left_;
  std::vector<bool> done_;
  std::vector<uint32_t> order_;
};

}  // namespace

std::vector<uint32_t> order_by_subtrees(const Schedule& schedule, std::span<const uint32_t> by_dependence) {
  return Subtrees(schedule, by_dependence).run(by_dependence);
}

}  // namespace ge
