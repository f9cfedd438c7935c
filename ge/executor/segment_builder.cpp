#include "ge/executor/segment_builder.hpp"

#include "ge/base/error.hpp"
#include "ge/model/memory_plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace ge {
namespace {

void align_to(std::vector<std::byte>& block, size_t alignment) { block.resize((block.size() + alignment - 1) / alignment * alignment); }

void touch(BufferState& buffer, uint32_t task) {
  buffer.first = std::min(buffer.first, task);
  buffer.last = std::max(buffer.last, task);
}

}  // namespace

uint32_t SegmentBuilder::append(Task task, std::span<const std::byte> args, std::vector<SlotUse> slots, std::vector<BufferState>& buffers) {
  if (args_.size() + args.size() > UINT32_MAX - 64) throw Error(ErrorCode::out_of_memory, "the arguments of one segment exceed 4 GiB");
  align_to(args_, 16);
  task.args = static_cast<uint32_t>(args_.size());
  args_.insert(args_.end(), args.begin(), args.end());
  const uint32_t at = position();
  for (SlotUse& use : slots) {
    use.arg_offset += task.args;
    touch(buffers[use.buffer], at);
  }
  tasks_.push_back({task, std::move(slots)});
  return at;
}

void SegmentBuilder::rewind(const Mark& mark) {
  tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(mark.tasks), tasks_.end());
  args_.resize(mark.args);
  constants_.resize(mark.constants);
  in_place_.resize(mark.in_place);
}

uint64_t SegmentBuilder::add_constant(std::span<const std::byte> bytes) {
  align_to(constants_, 64);
  const uint64_t offset = constants_.size();
  constants_.insert(constants_.end(), bytes.begin(), bytes.end());
  return offset;
}

void SegmentBuilder::extend_over_loop(uint32_t begin, uint32_t end, std::vector<BufferState>& buffers) const {
  for (uint32_t i = begin; i < tasks_.size() && i <= end; ++i)
    for (const SlotUse& use : tasks_[i].slots)
      if (buffers[use.buffer].first < begin) touch(buffers[use.buffer], end);
}

void SegmentBuilder::keep_to_end(uint32_t buffer, std::vector<BufferState>& buffers) const { touch(buffers[buffer], position()); }

/// Lets an output take its input's place where nothing needs the input any more. Returns the buffer that each buffer
/// lives in (itself, or the head of its chain).
std::vector<uint32_t> SegmentBuilder::share_buffers(std::vector<BufferState>& buffers) const {
  std::vector<uint32_t> head(buffers.size());
  std::iota(head.begin(), head.end(), 0u);
  for (const InPlace& pair : in_place_) {
    const uint32_t input = head[pair.input];
    BufferState& in = buffers[input];
    BufferState& out = buffers[pair.output];
    const bool input_ends = in.kind == AllocationKind::arena && in.last == pair.task;
    const bool output_starts = out.kind == AllocationKind::arena && out.first == pair.task;
    if (head[pair.output] != pair.output || input == pair.output || !input_ends || !output_starts || in.size_bytes < out.size_bytes) continue;
    // Only one slot of the task may read the input: another reading could see what was already written.
    const auto& slots = tasks_[pair.task].slots;
    const auto reads = std::count_if(slots.begin(), slots.end(), [&](const SlotUse& use) { return head[use.buffer] == input; });
    if (reads != 1) continue;
    head[pair.output] = input;
    in.last = std::max(in.last, out.last);
  }
  return head;
}

TaskList SegmentBuilder::finish(std::vector<BufferState>& buffers, int64_t max_arena_bytes, std::vector<Address>& addresses) {
  TaskList list;
  const std::vector<uint32_t> head = share_buffers(buffers);

  std::vector<BufferLife> lives;
  std::vector<uint32_t> planned;
  for (uint32_t b = 0; b < buffers.size(); ++b) {
    if (buffers[b].kind != AllocationKind::arena || head[b] != b || buffers[b].first == UINT32_MAX) continue;
    lives.push_back({buffers[b].size_bytes, buffers[b].first, buffers[b].last});
    planned.push_back(b);
  }
  const MemoryPlan plan = plan_memory(lives);
  if (plan.arena_bytes > max_arena_bytes)
    throw Error(ErrorCode::out_of_memory, "these sizes need " + std::to_string(plan.arena_bytes) + " bytes for intermediate tensors, the limit is " +
                                              std::to_string(max_arena_bytes) + "; raise max_memory or use smaller inputs");
  list.arena_bytes = plan.arena_bytes;
  list.arena_lower_bound_bytes = plan.lower_bound_bytes;
  std::vector<uint64_t> arena_offset(buffers.size());
  for (size_t i = 0; i < planned.size(); ++i) arena_offset[planned[i]] = static_cast<uint64_t>(plan.offsets[i]);

  std::map<std::pair<AllocationKind, uint32_t>, uint32_t> ids;
  addresses.assign(buffers.size(), {});
  for (uint32_t b = 0; b < buffers.size(); ++b) {
    const BufferState& buffer = buffers[b];
    if (buffer.first == UINT32_MAX) continue;  // not touched in this segment
    const auto [it, fresh] = ids.try_emplace({buffer.kind, buffer.index}, static_cast<uint32_t>(list.allocations.size()));
    if (fresh) list.allocations.push_back({buffer.kind, buffer.index, 0, 0});
    Allocation& allocation = list.allocations[it->second];
    addresses[b] = {it->second, buffer.kind == AllocationKind::arena ? arena_offset[head[b]] : buffer.offset};
    allocation.size_bytes = std::max(allocation.size_bytes, static_cast<int64_t>(addresses[b].offset) + buffer.size_bytes);
  }

  std::vector<std::pair<uint32_t, Relocation>> relocations;
  for (const PendingTask& pending : tasks_) {
    list.tasks.push_back(pending.task);
    for (const SlotUse& use : pending.slots) {
      const Address address = addresses[use.buffer];
      ++list.allocations[address.allocation].hits;
      relocations.push_back({address.allocation, {use.arg_offset, address.offset}});
    }
  }
  std::stable_sort(relocations.begin(), relocations.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  list.relocations_first.assign(list.allocations.size() + 1, 0);
  for (const auto& [allocation, relocation] : relocations) {
    ++list.relocations_first[allocation + 1];
    list.relocations.push_back(relocation);
  }
  std::partial_sum(list.relocations_first.begin(), list.relocations_first.end(), list.relocations_first.begin());
  list.args = std::move(args_);
  list.constants = std::move(constants_);
  return list;
}

}  // namespace ge
