/// SequenceMap: the body is walked once per element, as that of an unrolled Loop is. How many elements there are is always
/// known here, so that nothing is waited for.
#include "ge/executor/segment_walk.hpp"

namespace ge {

SegmentWalk::Step SegmentWalk::emit_map(uint32_t op) {
  const auto inputs = p_.operands_of(p_.ops[op].inputs);
  Frame frame;
  frame.kind = Frame::Kind::map;
  frame.range = p_.operands_of(p_.ops[op].bodies)[0];
  frame.op = op;
  frame.next = p_.ranges[frame.range].ops.count;  // next_element decides whether there is a first one
  frame.iteration = -1;
  const size_t own = p_.operands_of(p_.ranges[frame.range].inputs).size();
  for (size_t i = 0; i < own; ++i) {
    const ValueState& value = s_.values[inputs[i]];
    if (is_optional(value.kind) || (i == 0 && value.kind != ValueKind::sequence))
      throw Error(ErrorCode::corrupt_file, "input " + std::to_string(i) + " is a " + std::string(to_string(value.kind)) + ", expected a sequence" + (i == 0 ? "" : " or a tensor"));
    if (value.packed) throw Error(ErrorCode::corrupt_file, "a constant that is packed for a kernel is read as a plain tensor; compile the model again");
    if (value.kind == ValueKind::tensor) continue;
    const auto length = static_cast<int64_t>(value.held.size());
    if (i == 0) frame.trip_count = length;
    if (length != frame.trip_count)
      throw Error(ErrorCode::invalid_argument, "input " + std::to_string(i) + " has " + std::to_string(length) + " elements, expected " + std::to_string(frame.trip_count) + " as input 0");
  }
  frame.scans.resize(p_.operands_of(p_.ops[op].outputs).size());
  s_.frames.push_back(std::move(frame));
  return Step::done;
}

/// Takes the results of the element that the body is done with, and begins with the next one.
SegmentWalk::Step SegmentWalk::next_element() {
  Frame& frame = s_.frames.back();
  const RangeRow& range = p_.ranges[frame.range];
  const auto given = p_.operands_of(range.outputs), own = p_.operands_of(range.inputs);
  for (size_t i = 0; i < frame.scans.size() && frame.iteration >= 0; ++i) {
    const ValueState& result = s_.values[given[i]];
    if (result.kind != ValueKind::tensor) throw Error(ErrorCode::invalid_argument, "the body gives a " + std::string(to_string(result.kind)) + ", expected tensors");
    frame.scans[i].push_back(result);
  }
  for (uint32_t symbol : frame.bound_symbols) set_symbol(symbol, false, s_.symbols[symbol]);
  frame.bound_symbols.clear();
  if (++frame.iteration == frame.trip_count) {
    finish_map();
    return Step::done;
  }
  if (++iterations_ > options_.max_tasks)
    throw Error(ErrorCode::out_of_memory, "more than " + std::to_string(options_.max_tasks) + " iterations of unrolled loops in one run");
  const auto inputs = p_.operands_of(p_.ops[frame.op].inputs);
  const auto element = static_cast<size_t>(frame.iteration);
  frame.next = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    const ValueState& value = s_.values[inputs[i]];
    ValueState taken = value.kind == ValueKind::tensor ? value : s_.held[value.held[element]];
    bind_open_dims(own[i], taken.dims);
    define(own[i], std::move(taken));
  }
  return Step::done;
}

void SegmentWalk::finish_map() {
  Frame frame = std::move(s_.frames.back());
  s_.frames.pop_back();
  const auto results = p_.operands_of(p_.ops[frame.op].outputs);
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i] == no_index) continue;
    ValueState sequence = empty_composite(ValueKind::sequence, p_.dtype_of(results[i]));
    for (ValueState& element : frame.scans[i]) {
      if (element.dtype != sequence.dtype) throw Error(ErrorCode::corrupt_file, "the body gives another dtype than the model file says; compile the model again");
      sequence.held.push_back(hold(std::move(element)));
    }
    define(results[i], converted(std::move(sequence), p_.kind_of(results[i])));
  }
}

}  // namespace ge
