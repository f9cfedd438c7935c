/// What sequences and optionals hold, and how much memory that is. Each op makes a list of its own and the old ones stay
/// behind, so that a short loop over a long sequence would fill any memory: what no value leads to any more is dropped as
/// soon as it is as much as the rest, and the rest is limited.
#include "ge/executor/segment_walk.hpp"

namespace ge {
namespace {

/// In words of 4 bytes: 256 MiB. A short file can say a chain of sequences, each one element longer than the one before.
constexpr size_t most_held = size_t{1} << 26;
/// A value that is held, with the memory of its dims, beside the words of its list.
constexpr size_t words_of_value = 64;
constexpr size_t least_growth = size_t{1} << 20;

}  // namespace

void collect_held(InstantiationState& state) {
  if (state.held.empty()) return;
  std::vector<uint32_t> renamed(state.held.size(), UINT32_MAX);
  std::vector<ValueState> kept;
  const auto keep = [&](uint32_t& id, const auto& self) -> void {
    if (renamed[id] == UINT32_MAX) {
      ValueState value = std::move(state.held[id]);
      for (uint32_t& inner : value.held) self(inner, self);
      renamed[id] = static_cast<uint32_t>(kept.size());
      kept.push_back(std::move(value));
    }
    id = renamed[id];
  };
  for_each_value(state, [&](ValueState& value) {
    for (uint32_t& id : value.held) keep(id, keep);
  });
  state.held = std::move(kept);
}

uint32_t SegmentWalk::hold(ValueState value) {
  add_held(words_of_value + value.held.size());
  s_.held.push_back(std::move(value));
  return static_cast<uint32_t>(s_.held.size() - 1);
}

void SegmentWalk::add_held(size_t words) {
  held_words_ += words;
  if (held_words_ > most_held)
    throw Error(ErrorCode::out_of_memory, "the sequences and optionals of one run hold more than " + std::to_string(most_held / words_of_value) + " values or " +
                                              std::to_string(most_held) + " references to them; use shorter sequences");
}

/// Counts anew, without what nothing leads to.
void SegmentWalk::count_held() {
  held_words_ = words_of_value * s_.held.size();
  for (const ValueState& value : s_.held) held_words_ += value.held.size();
  for_each_value(s_, [&](const ValueState& value) { held_words_ += value.held.size(); });
  held_words_after_collection_ = held_words_;
}

/// An attempt has written down what it may go back to: nothing is dropped meanwhile.
void SegmentWalk::collect_held_if_grown() {
  if (attempts_ != 0 || held_words_ < held_words_after_collection_ * 2 + s_.values.size() + least_growth) return;
  collect_held(s_);
  count_held();
}

}  // namespace ge
