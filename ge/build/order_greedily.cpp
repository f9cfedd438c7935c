#include "ge/build/schedule.hpp"

#include <queue>

namespace ge {
namespace {

class Greedy {
 public:
  Greedy(const Schedule& schedule, Tie tie) : s_(schedule), tie_(tie), remaining_(schedule.storage_count()), sums_(remaining_.size()) {
    for (uint32_t storage = 0; storage < remaining_.size(); ++storage) remaining_[storage] = s_.reader_count(storage), sums_[storage] = s_.reader_sum(storage);
  }

  std::vector<uint32_t> run() {
    std::vector<uint32_t> order;
    pending_.resize(s_.node_count());
    state_.resize(s_.node_count());
    for (uint32_t node = 0; node < s_.node_count(); ++node) {
      if (!s_.live(node)) continue;
      pending_[node] = static_cast<uint32_t>(s_.predecessors(node).size());
      if (pending_[node] == 0) push(node);
    }
    while (!ready_.empty()) {
      const Entry entry = ready_.top();
      ready_.pop();
      if (state_[entry.node] == State::done || entry.cost != cost(entry.node)) continue;  // an entry of lower cost was pushed
      state_[entry.node] = State::done;
      order.push_back(entry.node);
      finish(entry.node);
    }
    return order;
  }

 private:
  enum class State : uint8_t { waiting, ready, done };
  struct Entry {
    int64_t cost;
    int64_t rank;
    uint32_t node;
    bool operator<(const Entry& other) const { return cost != other.cost ? cost > other.cost : rank > other.rank; }
  };

  /// Bytes taken less bytes given back. Falls while others finish with what the node reads.
  int64_t cost(uint32_t node) const {
    int64_t sum = 0;
    for (uint32_t storage : s_.made_by(node))
      if (s_.reader_count(storage) > 0 || s_.lasts(storage)) sum += s_.bytes(storage);
    for (uint32_t storage : s_.read_by(node))
      if (remaining_[storage] == 1 && !s_.lasts(storage)) sum -= s_.bytes(storage);
    return sum;
  }
  void push(uint32_t node) {
    if (state_[node] == State::waiting) state_[node] = State::ready;
    ready_.push({cost(node), tie_ == Tie::by_id ? int64_t{node} : -++clock_, node});
  }
  void finish(uint32_t node) {
    for (uint32_t storage : s_.read_by(node)) {
      sums_[storage] -= node;
      if (--remaining_[storage] != 1 || s_.lasts(storage)) continue;
      const auto last = static_cast<uint32_t>(sums_[storage]);
      if (state_[last] == State::ready) push(last);
    }
    for (uint32_t next : s_.successors(node))
      if (s_.live(next) && --pending_[next] == 0) push(next);
  }

  const Schedule& s_;
  const Tie tie_;
  std::vector<uint32_t> remaining_, pending_;
  std::vector<uint64_t> sums_;
  std::vector<State> state_;
  std::priority_queue<Entry> ready_;
  int64_t clock_ = 0;
};

}  // namespace

std::vector<uint32_t> order_greedily(const Schedule& schedule, Tie tie) { return Greedy(schedule, tie).run(); }

}  // namespace ge
