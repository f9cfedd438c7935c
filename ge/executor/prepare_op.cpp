/// Asks the best kernel for an op's tasks and ties their slots to buffers:
///  1. show the kernel what is known of inputs and outputs;
///  2. settle the outputs: known without memory, views of inputs, or buffers of their own;
///  3. append the tasks, each slot naming a buffer.
#include "ge/executor/segment_walk.hpp"

#include <algorithm>

namespace ge {

/// What a kernel is shown of one op, and the types by which it is chosen.
struct SegmentWalk::Site {
  std::vector<SiteTensor> inputs, outputs;
  std::vector<DType> input_types, output_types;
  bool outputs_known = false;
};

static SiteTensor site_tensor(const ValueState& state) {
  return {true, state.dtype, state.dims, state.count, state.content ? state.content->bytes().data() : nullptr, ""};
}

SegmentWalk::Call SegmentWalk::call_of(uint32_t op) {
  const OpRow& row = p_.ops[op];
  Call call{op, p_.text_of(row.domain), p_.text_of(row.op), program_.op(op).attributes, {}, {}, {}};
  for (uint32_t value : p_.operands_of(row.inputs)) {
    call.inputs.push_back(value == no_index ? nullptr : &s_.values[value]);
    call.constants.push_back(value == no_index ? no_index : p_.values[value].constant);
  }
  for (uint32_t value : p_.operands_of(row.outputs)) call.outputs.push_back(value != no_index);
  return call;
}

SegmentWalk::Site SegmentWalk::site_of(const Call& call, const std::vector<ValueState>& outputs) const {
  Site site;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.inputs[i] != nullptr && call.inputs[i]->kind != ValueKind::tensor)
      throw Error(ErrorCode::unsupported, "input " + std::to_string(i) + " is a " + std::string(to_string(call.inputs[i]->kind)) + ", which no kernel takes");
    site.inputs.push_back(call.inputs[i] == nullptr ? SiteTensor{} : site_tensor(*call.inputs[i]));
    site.input_types.push_back(site.inputs.back().dtype);
    if (call.constants[i] == no_index) continue;
    site.inputs.back().packing = p_.text_of(p_.constants[call.constants[i]].packing);
    site.inputs.back().content = program_.constant(call.constants[i]).bytes().data();
  }
  site.outputs_known = !call.outputs.empty();
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    site.outputs.push_back(call.outputs[i] == 0 ? SiteTensor{} : site_tensor(outputs[i]));
    site.output_types.push_back(site.outputs.back().dtype);
    site.outputs_known &= call.outputs[i] == 0 || outputs[i].content != nullptr;
  }
  return site;
}

const Kernel& SegmentWalk::kernel_for(const Call& call, const Site& site) const {
  const LoadedProgram::Op& loaded = program_.op(call.row);
  const KernelQuery query{call.domain, call.op, call.attributes, site.input_types, site.output_types, target_, site.outputs_known};
  const auto supports = [&](const Kernel* k) { return k->supports == nullptr || k->supports(query); };
  const auto chosen = std::find_if(loaded.kernels.begin(), loaded.kernels.end(), supports);
  if (chosen == loaded.kernels.end()) raise_no_kernel(query, loaded.kernels);
  for (size_t i = 0; i < site.inputs.size(); ++i) {
    const std::string_view stored = site.inputs[i].packing;
    const std::string_view wanted = stored.empty() || (*chosen)->packing == nullptr ? std::string_view() : (*chosen)->packing(query, i);
    if (stored != wanted)
      throw Error(ErrorCode::corrupt_file, "input " + std::to_string(i) + " is stored with packing '" + std::string(stored) + "', but the kernel of engine '" + (*chosen)->engine +
                                               "' reads '" + std::string(wanted) + "'; compile the model again with the same engines");
  }
  return **chosen;
}

/// Known, view of an input, or a buffer of its own. A view of a value that has no memory yet stays without memory too.
void SegmentWalk::settle_outputs(const Call& call, const TaskBuilder& tasks, std::vector<ValueState>& outputs) {
  std::vector<uint8_t> settled(outputs.size());
  for (uint32_t i : tasks.known_outputs) settled[i] = 1;
  for (const auto& alias : tasks.aliases) {
    ValueState& source = *call.inputs[alias.input];
    ValueState& view = outputs[alias.output];
    if (!source.content || source.buffer != UINT32_MAX) view.buffer = buffer_of(source);
    if (source.content && !view.content)
      view.content = std::make_shared<const Tensor>(source.content->dtype(), view.dims, source.content->bytes(), source.content);
    settled[alias.output] = 1;
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    if (call.outputs[i] != 0 && !settled[i] && outputs[i].defined) {
      outputs[i].buffer = new_buffer(outputs[i].size_bytes);
      s_.buffers.back().plain = true;
    }
}

/// Buffers for the workspaces, constants and the string pool that the tasks name.
SegmentWalk::Extras SegmentWalk::extra_buffers(const TaskBuilder& tasks) {
  Extras extras;
  for (int64_t size : tasks.workspaces) extras.workspaces.push_back(new_buffer(size));
  for (const auto& bytes : tasks.constants) {
    extras.constants.push_back(new_buffer(static_cast<int64_t>(bytes.size())));
    s_.buffers.back().kind = AllocationKind::list_constants;
    s_.buffers.back().offset = builder_.add_constant(bytes);
  }
  const auto uses_strings = [](const TaskBuilder::Draft& draft) {
    return std::any_of(draft.slots.begin(), draft.slots.end(), [](const Slot& slot) { return slot.kind == SlotKind::string_pool; });
  };
  if (std::any_of(tasks.drafts.begin(), tasks.drafts.end(), uses_strings)) {
    extras.string_pool = new_buffer(0);
    s_.buffers.back().kind = AllocationKind::string_pool;
  }
  return extras;
}

uint32_t SegmentWalk::append_draft(const Call& call, const TaskBuilder::Draft& draft, const Extras& extras, const std::vector<ValueState>& outputs) {
  std::vector<SegmentBuilder::SlotUse> slots;
  for (const Slot& slot : draft.slots) {
    uint32_t buffer = UINT32_MAX;
    switch (slot.kind) {
      case SlotKind::input: {
        ValueState& value = *call.inputs[slot.index];
        buffer = value.packed ? value.buffer : buffer_of(value);
        break;
      }
      case SlotKind::output: buffer = outputs[slot.index].buffer; break;
      case SlotKind::workspace: buffer = extras.workspaces[slot.index]; break;
      case SlotKind::constant: buffer = extras.constants[slot.index]; break;
      case SlotKind::string_pool: buffer = extras.string_pool; break;
    }
    if (buffer == UINT32_MAX) throw Error(ErrorCode::internal, "its kernel binds a slot that has no memory");
    slots.push_back({slot.arg_offset, buffer});
  }
  Task task;
  task.op = call.row;
  task.chunks = draft.chunks;
  if (draft.dynamic_run != nullptr) task.kind = TaskKind::dynamic, task.dynamic_run = draft.dynamic_run;
  else task.run = draft.run;
  return builder_.append(task, draft.args, std::move(slots), s_.buffers);
}

/// The op's tasks are the last ones; copies and control tasks before them have no notes.
void SegmentWalk::keep_notes(uint32_t first_task, const TaskNote& note) {
  notes_.resize(first_task);
  notes_.resize(builder_.position(), note);
}

/// Makes the tasks and settles the outputs; `dynamic`: the kernel finds their dims in the run.
void SegmentWalk::append_tasks(const Call& call, std::vector<ValueState>& outputs, bool dynamic) {
  if (builder_.position() > options_.max_tasks)
    throw Error(ErrorCode::out_of_memory, "more than " + std::to_string(options_.max_tasks) + " tasks in one run; is a loop's trip count too large?");
  const Site site = site_of(call, outputs);
  const Kernel& kernel = kernel_for(call, site);
  TaskBuilder tasks;
  // An op that gives no element has nothing to do: its other axes may be huge, and no kernel shall count through them.
  const bool gives_nothing = !dynamic && std::all_of(outputs.begin(), outputs.end(), [](const ValueState& output) { return !output.defined || output.count == 0; });
  if (!gives_nothing) kernel.prepare({call.domain, call.op, p_.text_of(p_.ops[call.row].name), call.attributes, site.inputs, site.outputs, target_}, tasks);
  ++ops_by_engine_[kernel.engine];
  const TaskNote note = options_.keep_notes ? make_note(kernel, site.inputs, site.outputs) : TaskNote{};

  settle_outputs(call, tasks, outputs);
  const Extras extras = extra_buffers(tasks);
  const uint32_t first_task = builder_.position();
  for (const TaskBuilder::Draft& draft : tasks.drafts) append_draft(call, draft, extras, outputs);
  if (options_.keep_notes) keep_notes(first_task, note);
  // Several tasks of one op may read an input again after its place was overwritten.
  if (tasks.drafts.size() == 1)
    for (const auto& pair : tasks.in_place)
      if (call.inputs[pair.input] != nullptr && call.inputs[pair.input]->buffer != UINT32_MAX)
        builder_.may_overwrite(outputs[pair.output].buffer, call.inputs[pair.input]->buffer, first_task);
  for (const auto& part : tasks.outputs_in_inputs) builder_.may_view(outputs[part.output].buffer, buffer_of(*call.inputs[part.input]), part.byte_offset, first_task + part.draft);
  for (const auto& part : tasks.inputs_in_outputs) builder_.may_place(buffer_of(*call.inputs[part.input]), outputs[part.output].buffer, part.byte_offset, first_task + part.draft);
  if (dynamic && (tasks.drafts.empty() || tasks.drafts.back().dynamic_run == nullptr))
    throw Error(ErrorCode::internal, "the output sizes of this op depend on its values, but its kernel has no dynamic form");
}

void SegmentWalk::prepare(uint32_t op, std::vector<ValueState>& outputs, bool dynamic) {
  const auto results = p_.operands_of(p_.ops[op].outputs);
  append_tasks(call_of(op), outputs, dynamic);
  if (dynamic) {
    cut_ = CutKind::dims;
    for (size_t i = 0; i < results.size(); ++i) dynamic_outputs_.push_back({results[i], UINT32_MAX, outputs[i].dtype});
    return;
  }
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i] != no_index) define(results[i], std::move(outputs[i]));
}

}  // namespace ge
