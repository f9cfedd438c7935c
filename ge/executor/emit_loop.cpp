/// Loop, in one of two forms:
///  - static: the body is walked once between a loop_begin and a loop_end task; carried values live in buffers of their
///    own. Needs: all carried values are tensors of sizes that do not change, nothing in the body cuts, and, where
///    iterations are collected, the trip count is known and the condition stays true;
///  - unrolled: the body is walked once per iteration, with the condition known (a cut where only the run knows it).
#include "ge/executor/scan_store.hpp"
#include "ge/executor/segment_walk.hpp"

#include <algorithm>
#include <cstddef>

namespace ge {

SegmentWalk::Step SegmentWalk::emit_loop(uint32_t op) {
  if (try_static_loop(op)) return Step::done;
  return begin_unrolled_loop(op);
}

bool SegmentWalk::try_static_loop(uint32_t op) {
  Attempt attempt = begin_attempt();
  const auto give_up = [&] {
    undo(std::move(attempt));
    return false;
  };
  const auto inputs = p_.operands_of(p_.ops[op].inputs);
  const auto results = p_.operands_of(p_.ops[op].outputs);
  const uint32_t range = p_.operands_of(p_.ops[op].bodies)[0];
  const auto own = p_.operands_of(p_.ranges[range].inputs);
  const auto given = p_.operands_of(p_.ranges[range].outputs);
  const size_t carried = own.size() - 2;

  const auto trips = inputs[0] == no_index ? std::nullopt : known_scalar(s_.values[inputs[0]]);
  const bool starts_true = inputs[1] == no_index || known_scalar(s_.values[inputs[1]]).value_or(0) != 0;
  const bool collects = results.size() > carried;
  if (collects && (!trips || !starts_true)) return give_up();

  std::vector<ValueState> state(2 + carried);
  state[0] = make_value(DType::int64, {});
  state[1] = make_value(DType::boolean, {});
  for (size_t i = 0; i < carried; ++i) {
    const ValueState& first = s_.values[inputs[2 + i]];
    if (first.kind != ValueKind::tensor || p_.kind_of(own[2 + i]) != ValueKind::tensor) return give_up();
    state[2 + i] = make_value(first.dtype, first.dims);
  }
  for (size_t i = 0; i < state.size(); ++i) {
    state[i].buffer = new_buffer(state[i].size_bytes);
    if (i >= 2) append_copy(state[i].buffer, buffer_of(s_.values[inputs[i]]), state[i].size_bytes, op);
  }
  const LoopArgs args;
  const auto loop_task = [&](TaskKind kind) {
    std::vector<SegmentBuilder::SlotUse> slots{{offsetof(LoopArgs, iteration), state[0].buffer}, {offsetof(LoopArgs, condition), state[1].buffer}};
    if (inputs[0] != no_index) slots.push_back({offsetof(LoopArgs, trip_count), buffer_of(s_.values[inputs[0]])});
    if (inputs[1] != no_index && kind == TaskKind::loop_begin) slots.push_back({offsetof(LoopArgs, first_condition), buffer_of(s_.values[inputs[1]])});
    return append_control(kind, std::as_bytes(std::span(&args, 1)), std::move(slots), op);
  };
  const uint32_t begin = loop_task(TaskKind::loop_begin);
  const uint32_t body = builder_.position();
  for (size_t i = 0; i < own.size(); ++i) {
    bind_open_dims(own[i], state[i].dims);
    define(own[i], state[i]);
  }
  if (!run_inline(range, op)) return give_up();

  if (collects) {
    const auto stays = known_scalar(s_.values[given[0]]);
    if (given[0] != own[1] && stays.value_or(0) == 0) return give_up();
  }
  for (size_t i = 0; i < carried; ++i)
    if (s_.values[given[1 + i]].kind != ValueKind::tensor || s_.values[given[1 + i]].dims != state[2 + i].dims) return give_up();

  std::vector<ValueState> scans;
  for (size_t i = carried; i < results.size(); ++i) {
    ValueState& slice = s_.values[given[1 + i]];
    if (slice.kind != ValueKind::tensor) return give_up();
    std::vector<int64_t> dims = slice.dims;
    dims.insert(dims.begin(), std::max<int64_t>(*trips, 0));
    scans.push_back(make_value(slice.dtype, std::move(dims)));
    scans.back().buffer = new_buffer(scans.back().size_bytes);
    const ScanStoreArgs store = scan_store_args(slice);
    Task task;
    task.run = run_scan_store;
    task.op = op;
    builder_.append(task, std::as_bytes(std::span(&store, 1)),
                    {{offsetof(ScanStoreArgs, from), buffer_of(slice)}, {offsetof(ScanStoreArgs, to), scans.back().buffer}, {offsetof(ScanStoreArgs, iteration), state[0].buffer}}, s_.buffers);
  }
  // Carried outputs that sit in a carried buffer are saved first, so that an exchange (a, b = b, a) copies old values.
  std::vector<uint32_t> from(1 + carried);
  for (size_t i = 0; i < from.size(); ++i) {
    from[i] = buffer_of(s_.values[given[i]]);
    const bool shared = std::any_of(state.begin(), state.end(), [&](const ValueState& s) { return s.buffer == from[i]; });
    if (!shared || from[i] == state[1 + i].buffer) continue;
    const uint32_t saved = new_buffer(state[1 + i].size_bytes);
    append_copy(saved, from[i], state[1 + i].size_bytes, op);
    from[i] = saved;
  }
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] != state[1 + i].buffer) append_copy(state[1 + i].buffer, from[i], state[1 + i].size_bytes, op);
  const uint32_t end = loop_task(TaskKind::loop_end);
  builder_.set_target(end, body);
  builder_.set_target(begin, builder_.position());
  builder_.extend_over_loop(begin, end, s_.buffers);
  for (const ValueState& scan : scans) s_.buffers[scan.buffer].first = std::min(s_.buffers[scan.buffer].first, begin);
  for (const ValueState& scan : scans) s_.buffers[scan.buffer].last = std::max(s_.buffers[scan.buffer].last, end);

  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i] == no_index) continue;
    ValueState out = i < carried ? state[2 + i] : scans[i - carried];
    bind_open_dims(results[i], out.dims);
    define(results[i], std::move(out));
  }
  return true;
}

SegmentWalk::Step SegmentWalk::begin_unrolled_loop(uint32_t op) {
  const auto inputs = p_.operands_of(p_.ops[op].inputs);
  std::vector<uint32_t> missing;
  for (size_t i = 0; i < 2; ++i)
    if (inputs[i] != no_index && !known_scalar(s_.values[inputs[i]])) missing.push_back(inputs[i]);
  if (!missing.empty()) return cut_for_content(std::move(missing));

  Frame frame;
  frame.kind = Frame::Kind::loop;
  frame.range = p_.operands_of(p_.ops[op].bodies)[0];
  frame.op = op;
  frame.next = p_.ranges[frame.range].ops.count;  // next_iteration decides whether there is a first one
  frame.body_done = true;
  frame.iteration = -1;
  frame.trip_count = inputs[0] == no_index ? INT64_MAX : *known_scalar(s_.values[inputs[0]]);
  const size_t carried = p_.operands_of(p_.ranges[frame.range].inputs).size() - 2;
  for (size_t i = 0; i < carried; ++i) frame.carried.push_back(s_.values[inputs[2 + i]]);
  frame.scans.resize(p_.operands_of(p_.ops[op].outputs).size() - carried);
  s_.frames.push_back(std::move(frame));
  return Step::done;
}

/// Takes the results of the iteration that just ended.
SegmentWalk::Step SegmentWalk::finish_iteration() {
  Frame& frame = s_.frames.back();
  const auto given = p_.operands_of(p_.ranges[frame.range].outputs);
  const size_t carried = frame.carried.size();
  for (size_t i = 0; i < carried; ++i) frame.carried[i] = s_.values[given[1 + i]];
  for (size_t i = 0; i < frame.scans.size(); ++i) frame.scans[i].push_back(s_.values[given[1 + carried + i]]);
  frame.body_done = true;
  return Step::done;
}

SegmentWalk::Step SegmentWalk::next_iteration() {
  Frame& frame = s_.frames.back();
  const auto own = p_.operands_of(p_.ranges[frame.range].inputs);
  bool goes_on = true;
  if (frame.iteration < 0) {
    const uint32_t first = p_.operands_of(p_.ops[frame.op].inputs)[1];
    goes_on = first == no_index || *known_scalar(s_.values[first]) != 0;
  } else {
    const uint32_t condition = p_.operands_of(p_.ranges[frame.range].outputs)[0];
    const auto known = known_scalar(s_.values[condition]);
    if (!known) return cut_for_content({condition});
    goes_on = *known != 0;
  }
  if (!goes_on || frame.iteration + 1 >= frame.trip_count) {
    finish_unrolled_loop();
    return Step::done;
  }
  // An iteration may have no task at all (shape arithmetic), so that the limit on tasks alone would not end the walk.
  if (++iterations_ > options_.max_tasks)
    throw Error(ErrorCode::out_of_memory, "more than " + std::to_string(options_.max_tasks) + " iterations of unrolled loops in one run; is a loop's trip count too large?");
  ++frame.iteration;
  for (uint32_t symbol : frame.bound_symbols) set_symbol(symbol, false, s_.symbols[symbol]);
  frame.bound_symbols.clear();
  ValueState iteration = make_value(DType::int64, {}), condition = make_value(DType::boolean, {});
  iteration.content = std::make_shared<const Tensor>(Tensor::scalar(frame.iteration));
  const uint8_t yes = 1;
  condition.content = std::make_shared<const Tensor>(Tensor::from<uint8_t>(DType::boolean, {}, std::span(&yes, 1)));
  frame.body_done = false;
  frame.next = 0;
  std::vector<ValueState> values{std::move(iteration), std::move(condition)};
  values.insert(values.end(), frame.carried.begin(), frame.carried.end());
  for (size_t i = 0; i < own.size(); ++i) {
    values[i] = converted(std::move(values[i]), p_.kind_of(own[i]));
    bind_open_dims(own[i], values[i].dims);
    define(own[i], std::move(values[i]));
  }
  return Step::done;
}

/// The dims that the slices of a loop without iterations would have had in the first one: from the program, else by
/// walking the body once and forgetting it. What neither tells is 0.
std::vector<std::vector<int64_t>> SegmentWalk::slice_dims_without_iteration(const Frame& frame) {
  const RangeRow& range = p_.ranges[frame.range];
  const auto given = p_.operands_of(range.outputs).subspan(1 + frame.carried.size());
  std::vector<std::vector<int64_t>> dims;
  bool all_known = true;
  for (uint32_t value : given) {
    const ValueRow& row = p_.values[value];
    dims.emplace_back();
    all_known &= (row.flags & value_rank_known) != 0;
    for (uint32_t expression : p_.operands_of(row.dims)) {
      const auto dim = evaluate(expression);
      all_known &= dim.has_value();
      dims.back().push_back(std::max<int64_t>(dim.value_or(0), 0));
    }
  }
  if (all_known) return dims;
  Attempt attempt = begin_attempt();
  const auto own = p_.operands_of(range.inputs);
  std::vector<ValueState> values{make_value(DType::int64, {}), make_value(DType::boolean, {})};
  values.insert(values.end(), frame.carried.begin(), frame.carried.end());
  for (size_t i = 0; i < own.size(); ++i) {
    if (i < 2) values[i].buffer = new_buffer(values[i].size_bytes);
    values[i] = converted(std::move(values[i]), p_.kind_of(own[i]));
    bind_open_dims(own[i], values[i].dims);
    define(own[i], std::move(values[i]));
  }
  if (run_inline(frame.range, frame.op))
    for (size_t i = 0; i < given.size(); ++i) dims[i] = s_.values[given[i]].dims;
  undo(std::move(attempt));
  return dims;
}

void SegmentWalk::finish_unrolled_loop() {
  Frame frame = std::move(s_.frames.back());
  s_.frames.pop_back();
  for (uint32_t symbol : frame.bound_symbols) set_symbol(symbol, false, s_.symbols[symbol]);
  const auto results = p_.operands_of(p_.ops[frame.op].outputs);
  std::vector<std::vector<int64_t>> empty_dims;
  if (frame.iteration < 0 && !frame.scans.empty()) empty_dims = slice_dims_without_iteration(frame);
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i] == no_index) continue;
    ValueState out;
    if (i < frame.carried.size()) {
      out = converted(std::move(frame.carried[i]), p_.kind_of(results[i]));
    } else {
      auto& slices = frame.scans[i - frame.carried.size()];
      std::vector<int64_t> dims = slices.empty() ? empty_dims[i - frame.carried.size()] : slices[0].dims;
      dims.insert(dims.begin(), static_cast<int64_t>(slices.size()));
      out = make_value(static_cast<DType>(p_.values[results[i]].dtype), std::move(dims));
      out.buffer = new_buffer(out.size_bytes);
      s_.buffers.back().plain = true;
      int64_t offset = 0, number = 0;
      for (ValueState& slice : slices) {
        if (slice.kind != ValueKind::tensor) throw Error(ErrorCode::invalid_argument, "scan output " + std::to_string(i) + " is a " + std::string(to_string(slice.kind)) + ", expected tensors");
        if (slice.dims != slices[0].dims)
          throw Error(ErrorCode::invalid_argument, "scan output " + std::to_string(i) + " has shape " + dims_to_string(slices[0].dims) + " in the first iteration and " + dims_to_string(slice.dims) + " in a later one");
        if (!ends_with_a_byte(slice)) {
          const ScanStoreArgs store = scan_store_args(slice, number++);
          Task task;
          task.op = frame.op;
          task.run = run_scan_store;
          builder_.append(task, std::as_bytes(std::span(&store, 1)), {{offsetof(ScanStoreArgs, from), buffer_of(slice)}, {offsetof(ScanStoreArgs, to), out.buffer}}, s_.buffers);
          continue;
        }
        builder_.may_place(buffer_of(slice), out.buffer, offset, builder_.position());
        append_copy(out.buffer, buffer_of(slice), slice.size_bytes, frame.op, offset);
        offset += slice.size_bytes;
      }
    }
    bind_open_dims(results[i], out.dims);
    define(results[i], std::move(out));
  }
}

}  // namespace ge
