/// If. Where the predicate is known, the taken branch is walked in place and the other one costs nothing. Where only the
/// run knows it, both branches become tasks behind a branch task, provided that they give tensors of the same sizes; else
/// the walk is cut until the predicate is known.
#include "ge/executor/segment_walk.hpp"

namespace ge {

SegmentWalk::Step SegmentWalk::emit_branch(uint32_t op) {
  const uint32_t predicate = p_.operands_of(p_.ops[op].inputs)[0];
  const auto known = known_scalar(s_.values[predicate]);
  if (!known) {
    if (s_.values[predicate].kind != ValueKind::tensor || s_.values[predicate].count != 1)
      throw Error(ErrorCode::invalid_argument, "the predicate has shape " + dims_to_string(s_.values[predicate].dims) + ", expected one element");
    if (try_switch(op)) return Step::done;
    return cut_for_content({predicate});
  }
  Frame frame;
  frame.kind = Frame::Kind::branch;
  frame.range = p_.operands_of(p_.ops[op].bodies)[*known != 0 ? 0 : 1];
  frame.op = op;
  s_.frames.push_back(std::move(frame));
  return Step::done;
}

/// The branch's outputs become the If's.
SegmentWalk::Step SegmentWalk::finish_branch() {
  const Frame frame = std::move(s_.frames.back());
  s_.frames.pop_back();
  const auto given = p_.operands_of(p_.ranges[frame.range].outputs);
  const auto results = p_.operands_of(p_.ops[frame.op].outputs);
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i] == no_index) continue;
    ValueState state = converted(s_.values[given[i]], p_.kind_of(results[i]));
    bind_open_dims(results[i], state.dims);
    define(results[i], std::move(state));
  }
  return Step::done;
}

/// Walks a whole range in place as part of an attempt; false on a cut, and where the range contradicts these sizes: that
/// matters only if a run gets there, which an attempt cannot know.
bool SegmentWalk::run_inline(uint32_t range, uint32_t op) {
  const size_t depth = s_.frames.size();
  Frame frame;
  frame.kind = Frame::Kind::main;  // popped without further ado
  frame.range = range;
  frame.op = op;
  s_.frames.push_back(std::move(frame));
  try {
    return walk_down_to(depth) == Step::done;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) throw;
    return false;
  }
}

bool SegmentWalk::try_switch(uint32_t op) {
  Attempt attempt = begin_attempt();
  const auto give_up = [&] {
    undo(std::move(attempt));
    return false;
  };
  const auto bodies = p_.operands_of(p_.ops[op].bodies);
  const auto results = p_.operands_of(p_.ops[op].outputs);
  const uint32_t predicate = buffer_of(s_.values[p_.operands_of(p_.ops[op].inputs)[0]]);

  const BranchArgs args;
  const uint32_t branch = append_control(TaskKind::branch, std::as_bytes(std::span(&args, 1)), {{offsetof(BranchArgs, condition), predicate}}, op);
  std::vector<ValueState> merged;
  const auto walk_branch = [&](uint32_t range) {
    if (!run_inline(range, op)) return false;
    const auto given = p_.operands_of(p_.ranges[range].outputs);
    for (size_t i = 0; i < given.size(); ++i) {
      ValueState& from = s_.values[given[i]];
      if (from.kind != ValueKind::tensor) return false;
      if (merged.size() == i) {
        merged.push_back(make_value(from.dtype, from.dims));
        merged.back().buffer = new_buffer(from.size_bytes);
      }
      if (merged[i].dims != from.dims || merged[i].dtype != from.dtype) return false;
      append_copy(merged[i].buffer, buffer_of(from), from.size_bytes, op);
    }
    return true;
  };
  if (!walk_branch(bodies[0])) return give_up();
  const uint32_t jump = append_control(TaskKind::jump, {}, {}, op);
  builder_.set_target(branch, builder_.position());
  if (!walk_branch(bodies[1])) return give_up();
  builder_.set_target(jump, builder_.position());
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i] == no_index) continue;
    bind_open_dims(results[i], merged[i].dims);
    define(results[i], std::move(merged[i]));
  }
  keep(attempt);
  return true;
}

}  // namespace ge
