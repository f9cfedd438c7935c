#pragma once
#include "ge/executor/buffer_sharing.hpp"
#include "ge/executor/instantiation.hpp"
#include "ge/kernels/kernel.hpp"

#include <algorithm>
#include <span>

namespace ge {

/// Collects the tasks of one segment with symbolic slots (buffers, not addresses), and turns them into a TaskList once
/// all lives are known. What an attempt appended can be taken back.
class SegmentBuilder {
 public:
  struct SlotUse {
    uint32_t arg_offset;  ///< in the segment's argument block
    uint32_t buffer;
  };
  struct PendingTask {
    Task task;
    uint32_t args_size;
    std::vector<SlotUse> slots;
  };

  /// Position of the next task.
  uint32_t position() const { return static_cast<uint32_t>(tasks_.size()); }
  /// All that was appended so far, to go back to. An attempt changes nothing before its mark.
  struct Mark {
    size_t tasks, args, constants, in_place, views, parts;
  };
  Mark mark() const { return {tasks_.size(), args_.size(), constants_.size(), in_place_.size(), views_.size(), parts_.size()}; }
  void rewind(const Mark& mark);
  /// Appends a task with its argument block; slots name buffers, whose lives are extended to this task.
  uint32_t append(Task task, std::span<const std::byte> args, std::vector<SlotUse> slots, std::vector<BufferState>& buffers);
  void set_target(uint32_t task, uint32_t target) { tasks_[task].task.target = target; }
  /// Bytes that the task list owns; returns their offset.
  uint64_t add_constant(std::span<const std::byte> bytes);
  /// The output buffer may be the input buffer when the input is not needed after `task`.
  void may_overwrite(uint32_t output, uint32_t input, uint32_t task) { in_place_.push_back({output, input, task}); }
  /// `task` only copies `inner`, an output, from `offset` bytes into `outer`: a view could take its place.
  void may_view(uint32_t inner, uint32_t outer, int64_t offset, uint32_t task) { views_.push_back({inner, outer, offset, task}); }
  /// `task` only copies all of `inner` to `offset` bytes into `outer`: `inner` could be made there.
  void may_place(uint32_t inner, uint32_t outer, int64_t offset, uint32_t task) { parts_.push_back({inner, outer, offset, task}); }
  /// Buffers that lived before `begin` and are touched since then stay untouched to `end` (a loop's body may run again).
  void extend_over_loop(uint32_t begin, uint32_t end, std::vector<BufferState>& buffers) const;
  /// A buffer that is read by something outside the tasks at the end of the segment.
  void keep_to_end(uint32_t buffer, std::vector<BufferState>& buffers) const;

  /// Plans the arena, assigns allocations, resolves slots to relocations. `addresses[b]` gives (allocation, offset) of
  /// buffer b afterwards. Throws Error(out_of_memory) when the arena would exceed `max_arena_bytes`.
  struct Address {
    uint32_t allocation = UINT32_MAX;
    uint64_t offset = 0;
  };
  TaskList finish(std::vector<BufferState>& buffers, int64_t max_arena_bytes, std::vector<Address>& addresses);

  /// After finish(): positions of the tasks that the list does not have, since their copies are not needed. Ascending.
  const std::vector<uint32_t>& dropped_tasks() const { return dropped_; }
  /// Where the task at a position came to be, or, when it was dropped, the one behind it.
  uint32_t position_in_list(uint32_t position) const {
    return position - static_cast<uint32_t>(std::lower_bound(dropped_.begin(), dropped_.end(), position) - dropped_.begin());
  }

  bool empty() const { return tasks_.empty(); }

 private:
  struct Plan;
  enum class Sharing : uint8_t;
  BufferSharing share(const std::vector<BufferState>& buffers, Sharing way) const;
  Plan plan(const std::vector<BufferState>& buffers, const BufferSharing& sharing) const;
  Plan best_plan(const std::vector<BufferState>& buffers) const;
  void append_kept_tasks(const std::vector<Address>& addresses, TaskList& list);

  std::vector<PendingTask> tasks_;
  std::vector<std::byte> args_;
  std::vector<std::byte> constants_;
  std::vector<BufferSharing::InPlace> in_place_;
  std::vector<BufferSharing::Part> views_, parts_;
  std::vector<uint32_t> dropped_;
};

}  // namespace ge
