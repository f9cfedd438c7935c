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
  tasks_.push_back({task, static_cast<uint32_t>(args.size()), std::move(slots)});
  return at;
}

void SegmentBuilder::rewind(const Mark& mark) {
  tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(mark.tasks), tasks_.end());
  args_.resize(mark.args);
  constants_.resize(mark.constants);
  in_place_.resize(mark.in_place);
  views_.resize(mark.views);
  parts_.resize(mark.parts);
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

/// Who lives where, and the offsets of those who live in no other.
struct SegmentBuilder::Plan {
  BufferSharing sharing;
  std::vector<uint32_t> roots;  ///< of the arena
  MemoryPlan memory;
};

/// Views decided before what is written in place can be overwritten part by part, but may stand in the way of more than
/// they spare; decided after, they cannot.
enum class SegmentBuilder::Sharing : uint8_t { views_first, in_place_first, no_parts };

BufferSharing SegmentBuilder::share(const std::vector<BufferState>& buffers, Sharing way) const {
  BufferSharing sharing(buffers, position());
  if (way == Sharing::views_first) sharing.view(views_);
  sharing.write_in_place(in_place_, [&](uint32_t task, uint32_t buffer) {
    // Another slot that reads the buffer could see what was already written.
    const auto& slots = tasks_[task].slots;
    return std::count_if(slots.begin(), slots.end(), [&](const SlotUse& use) { return use.buffer == buffer; });
  });
  if (way == Sharing::in_place_first) sharing.view(views_);
  if (way != Sharing::no_parts) sharing.place(parts_);
  return sharing;
}

SegmentBuilder::Plan SegmentBuilder::plan(const std::vector<BufferState>& buffers, const BufferSharing& sharing) const {
  Plan plan{sharing, {}, {}};
  std::vector<BufferLife> lives;
  for (uint32_t b = 0; b < buffers.size(); ++b) {
    if (buffers[b].kind != AllocationKind::arena || !plan.sharing.is_root(b) || buffers[b].first == UINT32_MAX) continue;
    const auto [first, last] = plan.sharing.life(b);
    lives.push_back({buffers[b].size_bytes, first, last});
    plan.roots.push_back(b);
  }
  plan.memory = plan_memory(lives);
  return plan;
}

/// The way of sharing that gives the smallest arena; of equal ones the one that copies least.
SegmentBuilder::Plan SegmentBuilder::best_plan(const std::vector<BufferState>& buffers) const {
  if (views_.empty() && parts_.empty()) return plan(buffers, share(buffers, Sharing::no_parts));
  std::vector<BufferSharing> ways;
  for (const Sharing way : {Sharing::views_first, Sharing::in_place_first, Sharing::no_parts}) ways.push_back(share(buffers, way));
  std::stable_sort(ways.begin(), ways.end(), [](const BufferSharing& a, const BufferSharing& b) {
    return a.peak_bytes() != b.peak_bytes() ? a.peak_bytes() < b.peak_bytes() : a.parts_placed() > b.parts_placed();
  });
  Plan best = plan(buffers, ways[0]);
  for (size_t i = 1; i < ways.size() && ways[i].peak_bytes() < best.memory.arena_bytes; ++i) {
    Plan other = plan(buffers, ways[i]);
    if (other.memory.arena_bytes < best.memory.arena_bytes) best = std::move(other);
  }
  return best;
}

/// Tasks whose copies are not needed fall out, with their arguments; jumps to one lead to the task behind it.
void SegmentBuilder::append_kept_tasks(const std::vector<Address>& addresses, TaskList& list) {
  std::vector<std::pair<uint32_t, Relocation>> relocations;
  for (uint32_t t = 0; t < tasks_.size(); ++t) {
    if (std::binary_search(dropped_.begin(), dropped_.end(), t)) continue;
    const PendingTask& pending = tasks_[t];
    Task task = pending.task;
    align_to(list.args, 16);
    task.args = static_cast<uint32_t>(list.args.size());
    task.target = position_in_list(task.target);
    list.args.insert(list.args.end(), args_.begin() + pending.task.args, args_.begin() + pending.task.args + pending.args_size);
    list.tasks.push_back(task);
    for (const SlotUse& use : pending.slots) {
      const Address address = addresses[use.buffer];
      ++list.allocations[address.allocation].hits;
      relocations.push_back({address.allocation, {use.arg_offset - pending.task.args + task.args, address.offset}});
    }
  }
  std::stable_sort(relocations.begin(), relocations.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  list.relocations_first.assign(list.allocations.size() + 1, 0);
  for (const auto& [allocation, relocation] : relocations) {
    ++list.relocations_first[allocation + 1];
    list.relocations.push_back(relocation);
  }
  std::partial_sum(list.relocations_first.begin(), list.relocations_first.end(), list.relocations_first.begin());
}

TaskList SegmentBuilder::finish(std::vector<BufferState>& buffers, int64_t max_arena_bytes, std::vector<Address>& addresses) {
  TaskList list;
  const Plan plan = best_plan(buffers);
  list.arena_bytes = plan.memory.arena_bytes;
  list.arena_lower_bound_bytes = plan.memory.lower_bound_bytes;
  list.memory = {static_cast<uint32_t>(plan.roots.size()), plan.sharing.in_place(), static_cast<uint32_t>(views_.size() + parts_.size()), plan.sharing.parts_placed(), plan.memory.strategy};
  if (list.arena_bytes > max_arena_bytes)
    throw Error(ErrorCode::out_of_memory, "these sizes need " + std::to_string(list.arena_bytes) + " bytes for intermediate tensors, the limit is " +
                                              std::to_string(max_arena_bytes) + "; raise max_memory or use smaller inputs");
  std::vector<uint64_t> arena_offset(buffers.size());
  for (size_t i = 0; i < plan.roots.size(); ++i) arena_offset[plan.roots[i]] = static_cast<uint64_t>(plan.memory.offsets[i]);

  std::map<std::pair<AllocationKind, uint32_t>, uint32_t> ids;
  addresses.assign(buffers.size(), {});
  for (uint32_t b = 0; b < buffers.size(); ++b) {
    if (buffers[b].first == UINT32_MAX) continue;  // not touched in this segment
    const auto [root, offset] = plan.sharing.home(b);
    const BufferState& home = buffers[root];
    const auto [it, fresh] = ids.try_emplace({home.kind, home.index}, static_cast<uint32_t>(list.allocations.size()));
    if (fresh) list.allocations.push_back({home.kind, home.index, 0, 0});
    Allocation& allocation = list.allocations[it->second];
    addresses[b] = {it->second, (home.kind == AllocationKind::arena ? arena_offset[root] : home.offset) + static_cast<uint64_t>(offset)};
    allocation.size_bytes = std::max(allocation.size_bytes, static_cast<int64_t>(addresses[b].offset) + buffers[b].size_bytes);
  }
  dropped_ = plan.sharing.dropped_tasks();
  append_kept_tasks(addresses, list);
  list.constants = std::move(constants_);
  return list;
}

}  // namespace ge
