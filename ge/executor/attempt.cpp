/// Attempts: a walk tries something that may turn out not to work (a branch or a body as tasks), and goes back. Every
/// change of a value, a symbol or a buffer's life is written down while an attempt is open; going back undoes them from the
/// last to the first.
#include "ge/executor/segment_walk.hpp"

namespace ge {

SegmentWalk::Attempt SegmentWalk::begin_attempt() {
  ++attempts_;
  Attempt attempt{old_values_.size(), old_symbols_.size(), s_.buffers.size(), {}, s_.held.size(), held_words_, builder_.mark(), ops_by_engine_};
  for (const Frame& frame : s_.frames) attempt.symbols_by_frame.push_back(frame.bound_symbols.size());
  return attempt;
}

void SegmentWalk::undo(Attempt&& attempt) {
  for (; old_values_.size() > attempt.values; old_values_.pop_back()) s_.values[old_values_.back().first] = std::move(old_values_.back().second);
  for (; old_symbols_.size() > attempt.symbols; old_symbols_.pop_back()) {
    const OldSymbol& old = old_symbols_.back();
    s_.bound[old.symbol] = old.bound;
    s_.symbols[old.symbol] = old.value;
  }
  s_.held.resize(attempt.held);
  held_words_ = attempt.held_words;
  s_.frames.resize(attempt.symbols_by_frame.size());
  for (size_t i = 0; i < s_.frames.size(); ++i) s_.frames[i].bound_symbols.resize(attempt.symbols_by_frame[i]);
  builder_.rewind(attempt.builder, s_.buffers);
  s_.buffers.resize(attempt.buffers);
  if (notes_.size() > builder_.position()) notes_.resize(builder_.position());
  ops_by_engine_ = std::move(attempt.ops_by_engine);
  cut_ = CutKind::none;
  cut_values_.clear();
  dynamic_outputs_.clear();
  keep(attempt);
}

/// The attempt worked. What it wrote down serves the attempts around it.
void SegmentWalk::keep(const Attempt& attempt) {
  builder_.keep(attempt.builder);
  if (--attempts_ != 0) return;
  old_values_.clear();
  old_symbols_.clear();
}

void SegmentWalk::remember_value(uint32_t value) {
  if (attempts_ != 0) old_values_.emplace_back(value, s_.values[value]);
}

void SegmentWalk::set_symbol(uint32_t symbol, bool bound, int64_t value) {
  if (attempts_ != 0) old_symbols_.push_back({symbol, s_.bound[symbol], s_.symbols[symbol]});
  s_.bound[symbol] = bound;
  s_.symbols[symbol] = value;
}

}  // namespace ge
