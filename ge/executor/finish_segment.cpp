/// Ends a segment: model outputs get their places, what later segments need moves out of the arena, memory is planned.
#include "ge/executor/segment_walk.hpp"

#include <algorithm>

namespace ge {

/// An output whose buffer is still the arena's and nobody else's becomes the caller's memory. Whatever cannot (an input,
/// a constant, a value given twice, a view) is copied in the last segment.
void SegmentWalk::place_output(Instantiation& out, uint32_t output, uint32_t tensor, ValueState& value) {
  uint8_t& placed = s_.outputs_placed[output].at(tensor);
  if (placed != 0) return;
  const bool own = value.buffer != UINT32_MAX && s_.buffers[value.buffer].kind == AllocationKind::arena && s_.buffers[value.buffer].size_bytes == value.size_bytes;
  if (!own && cut_ != CutKind::none) return;
  const uint32_t slot = p_.kind_of(p_.outputs[output].value) == ValueKind::tensor ? output : static_cast<uint32_t>(p_.outputs.size()) + s_.output_slots++;
  if (own) {
    s_.buffers[value.buffer].kind = AllocationKind::output;
    s_.buffers[value.buffer].index = slot;
  } else {
    const uint32_t from = buffer_of(value);
    const uint32_t to = new_buffer(value.size_bytes);
    s_.buffers[to].kind = AllocationKind::output;
    s_.buffers[to].index = slot;
    append_copy(to, from, value.size_bytes, UINT32_MAX);
  }
  placed = 1;
  out.outputs.push_back({output, tensor, slot, value.dtype, value.dims, value.size_bytes});
}

void SegmentWalk::place_outputs(Instantiation& out) {
  for (uint32_t k = 0; k < p_.outputs.size(); ++k) {
    ValueState& value = s_.values[p_.outputs[k].value];
    if (!value.defined) continue;
    if (value.kind != p_.kind_of(p_.outputs[k].value)) throw Error(ErrorCode::corrupt_file, "output " + std::to_string(k) + " is of another kind than the model file says");
    uint32_t tensors = 0;
    for_each_tensor(s_.held, value, [&](const ValueState&) { ++tensors; });
    if (value.kind != ValueKind::tensor && s_.outputs_placed[k].size() <= tensors) {
      // One mark more than tensors says that the length is known.
      const bool nothing = is_optional(value.kind) && value.held.empty();
      out.output_lengths.push_back({k, nothing ? -1 : static_cast<int64_t>(tensors)});
      s_.outputs_placed[k].resize(size_t{tensors} + 1);
    } else if (s_.outputs_placed[k].empty()) {
      s_.outputs_placed[k].resize(1);
    }
    uint32_t tensor = 0;
    for_each_tensor(s_.held, value, [&](ValueState& part) { place_output(out, k, tensor++, part); });
  }
}

/// By buffer: something behind this point may read it.
std::vector<uint8_t> SegmentWalk::live_buffers() const {
  std::vector<uint8_t> live(s_.buffers.size());
  const auto mark = [&](const ValueState& whole) {
    for_each_tensor(s_.held, whole, [&](const ValueState& value) {
      if (value.defined && value.buffer != UINT32_MAX) live[value.buffer] = 1;
    });
  };
  for (const Frame& frame : s_.frames) {
    const bool repeats = frame.kind == Frame::Kind::loop || frame.kind == Frame::Kind::map;
    if (frame.kind == Frame::Kind::map)  // the elements still to come
      for (uint32_t value : p_.operands_of(p_.ops[frame.op].inputs))
        if (value != no_index) mark(s_.values[value]);
    for (const auto& [value, last] : program_.uses(frame.range))
      if (repeats || last == UINT32_MAX || last >= frame.next) mark(s_.values[value]);
    for (const ValueState& value : frame.carried) mark(value);
    for (const auto& slices : frame.scans)
      for (const ValueState& value : slices) mark(value);
  }
  return live;
}

void SegmentWalk::keep_live_buffers(Instantiation& out) {
  const std::vector<uint8_t> live = live_buffers();
  std::vector<uint8_t> in_use = s_.kept_in_use;
  size_t from = 0;  // none before it is free
  const auto free_slot = [&] {
    const auto it = std::find(in_use.begin() + static_cast<std::ptrdiff_t>(from), in_use.end(), 0);
    const auto slot = static_cast<uint32_t>(it - in_use.begin());
    if (it == in_use.end()) in_use.push_back(1);
    else *it = 1;
    from = size_t{slot} + 1;
    return slot;
  };
  for (uint32_t b = 0; b < s_.buffers.size(); ++b) {
    BufferState& buffer = s_.buffers[b];
    if (!live[b] || buffer.kind != AllocationKind::arena) continue;
    buffer.kind = AllocationKind::kept;
    buffer.index = free_slot();
    out.kept.push_back({buffer.index, buffer.size_bytes});
  }
  for (DynamicOutput& dynamic : dynamic_outputs_) dynamic.kept_slot = free_slot();

  // A slot is free for the next segment once nothing behind this one reads it.
  in_use.assign(in_use.size(), 0);
  for (uint32_t b = 0; b < s_.buffers.size(); ++b)
    if (live[b] && s_.buffers[b].kind == AllocationKind::kept) in_use[s_.buffers[b].index] = 1;
  for (const DynamicOutput& dynamic : dynamic_outputs_) in_use[dynamic.kept_slot] = 1;
  s_.kept_in_use = std::move(in_use);
}

/// Drops what belongs to this segment alone from the state that the next one starts with.
static void forget_segment(InstantiationState& state, const std::vector<uint8_t>& live) {
  std::vector<uint32_t> renamed(state.buffers.size(), UINT32_MAX);
  std::vector<BufferState> kept;
  for (uint32_t b = 0; b < state.buffers.size(); ++b) {
    BufferState buffer = state.buffers[b];
    const bool lasts = live[b] ? buffer.kind != AllocationKind::list_constants : buffer.kind == AllocationKind::weights || buffer.kind == AllocationKind::input ||
                                     buffer.kind == AllocationKind::string_constant || buffer.kind == AllocationKind::output;
    if (!lasts) continue;
    renamed[b] = static_cast<uint32_t>(kept.size());
    buffer.first = UINT32_MAX, buffer.last = 0;
    kept.push_back(buffer);
  }
  const auto rename = [&](ValueState& value) {
    if (value.buffer == UINT32_MAX) return;
    value.buffer = renamed[value.buffer];
    if (value.buffer == UINT32_MAX && !value.content) value = {};  // nothing reads it any more
  };
  for_each_value(state, rename);
  for (ValueState& value : state.held) rename(value);
  state.buffers = std::move(kept);
  collect_held(state);
}

std::vector<PlacedBuffer> SegmentWalk::placement(const TaskList& list, const std::vector<SegmentBuilder::Address>& addresses) const {
  std::vector<std::vector<uint32_t>> values(s_.buffers.size());
  for (uint32_t v = 0; v < s_.values.size(); ++v)
    for_each_tensor(s_.held, s_.values[v], [&](const ValueState& value) {
      if (value.defined && value.buffer != UINT32_MAX && (values[value.buffer].empty() || values[value.buffer].back() != v)) values[value.buffer].push_back(v);
    });
  std::vector<PlacedBuffer> placed;
  for (uint32_t b = 0; b < s_.buffers.size(); ++b) {
    const BufferState& buffer = s_.buffers[b];
    if (addresses[b].allocation != UINT32_MAX && list.allocations[addresses[b].allocation].kind == AllocationKind::arena)
      placed.push_back({addresses[b].offset, buffer.size_bytes, builder_.position_in_list(buffer.first), builder_.position_in_list(buffer.last), std::move(values[b])});
  }
  return placed;
}

std::unique_ptr<Instantiation> SegmentWalk::finish() {
  auto out = std::make_unique<Instantiation>();
  out->cut = cut_;
  place_outputs(*out);
  if (cut_ != CutKind::none) keep_live_buffers(*out);
  for (uint32_t value : cut_values_) builder_.keep_to_end(buffer_of(s_.values[value]), s_.buffers);
  for (const DynamicOutput& dynamic : dynamic_outputs_) out->dynamic_outputs.push_back(dynamic);

  std::vector<SegmentBuilder::Address> addresses;
  out->list = builder_.finish(s_.buffers, options_.max_memory_bytes, addresses);
  if (options_.keep_placement) out->placed = placement(out->list, addresses);
  for (uint32_t value : cut_values_) {
    const ValueState& state = s_.values[value];
    out->cut_values.push_back({value, state.dtype, state.dims, state.size_bytes, addresses[state.buffer].allocation, addresses[state.buffer].offset});
  }
  if (options_.keep_notes) {
    notes_.resize(builder_.position());
    const auto& dropped = builder_.dropped_tasks();
    for (uint32_t t = 0; t < notes_.size(); ++t)
      if (!std::binary_search(dropped.begin(), dropped.end(), t)) out->notes.push_back(std::move(notes_[t]));
    notes_.clear();
  }
  for (const auto& [engine, count] : ops_by_engine_) out->ops_by_engine.emplace_back(engine, count);
  if (cut_ != CutKind::none) {
    const std::vector<uint8_t> live = live_buffers();
    forget_segment(s_, live);
    out->after = std::move(s_);
  }
  return out;
}

}  // namespace ge
