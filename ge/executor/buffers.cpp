#include "ge/executor/segment_walk.hpp"

#include <cstring>

namespace ge {
namespace {

struct CopyArgs {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  int64_t size_bytes = 0;
  int64_t to_offset = 0;
};

Status run_copy(const void* raw, uint32_t) noexcept {
  const auto& args = *static_cast<const CopyArgs*>(raw);
  if (args.size_bytes > 0) std::memmove(args.to + args.to_offset, args.from, static_cast<size_t>(args.size_bytes));
  return Status::ok;
}

}  // namespace

uint32_t SegmentWalk::new_buffer(int64_t size_bytes) {
  BufferState buffer;
  buffer.size_bytes = size_bytes;
  s_.buffers.push_back(buffer);
  return static_cast<uint32_t>(s_.buffers.size() - 1);
}

/// The buffer of a value; a value of which only the content is known gets its bytes among the list's constants.
uint32_t SegmentWalk::buffer_of(ValueState& value) {
  if (value.packed)
    throw Error(ErrorCode::corrupt_file, "a constant that is packed for a kernel is read as a plain tensor; compile the model again");
  if (value.buffer != UINT32_MAX) return value.buffer;
  if (!value.content) throw Error(ErrorCode::internal, "a value is read that nothing has written");
  if (&value >= s_.values.data() && &value < s_.values.data() + s_.values.size()) remember_value(static_cast<uint32_t>(&value - s_.values.data()));
  value.buffer = new_buffer(value.size_bytes);
  BufferState& buffer = s_.buffers[value.buffer];
  buffer.kind = AllocationKind::list_constants;
  buffer.offset = builder_.add_constant(value.content->bytes());
  return value.buffer;
}

void SegmentWalk::append_copy(uint32_t to, uint32_t from, int64_t size_bytes, uint32_t op, int64_t to_offset) {
  CopyArgs args;
  args.size_bytes = size_bytes;
  args.to_offset = to_offset;
  Task task;
  task.run = run_copy;
  task.op = op;
  builder_.append(task, std::as_bytes(std::span(&args, 1)), {{offsetof(CopyArgs, from), from}, {offsetof(CopyArgs, to), to}}, s_.buffers);
}

uint32_t SegmentWalk::append_control(TaskKind kind, std::span<const std::byte> args, std::vector<SegmentBuilder::SlotUse> slots, uint32_t op) {
  Task task;
  task.kind = kind;
  task.op = op;
  return builder_.append(task, args, std::move(slots), s_.buffers);
}

std::optional<int64_t> SegmentWalk::known_scalar(const ValueState& value) const {
  if (!value.content) return std::nullopt;
  const auto ints = value.content->to_ints();
  if (!ints || ints->size() != 1) return std::nullopt;
  return (*ints)[0];
}

}  // namespace ge
