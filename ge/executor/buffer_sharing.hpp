#pragma once
#include "ge/executor/value_state.hpp"
#include "ge/model/live_profile.hpp"

#include <span>

namespace ge {

/// Decides which buffers of a segment live in one another, once all lives are known:
///  - an output of Split or Slice as a view into the input;
///  - an output written over an input that nothing needs any more;
///  - an input of Concat made inside the output.
/// A decision is taken only if every byte keeps its content for as long as somebody reads it, and if the largest sum of
/// live bytes does not grow: that is known exactly, for the tasks are in their order and all sizes are numbers.
class BufferSharing {
 public:
  struct InPlace {
    uint32_t output, input, task;
  };
  /// `task` only copies between `inner` and the bytes of `outer` from `offset` on.
  struct Part {
    uint32_t inner, outer;
    int64_t offset;
    uint32_t task;
  };
  /// Where a buffer lives: in `root` (itself, or a buffer that lives in no other), `offset` bytes from its start.
  struct Home {
    uint32_t root;
    int64_t offset;
  };

  /// Everything at home with itself. Lives are in tasks from 0 to `tasks`. `buffers` must outlive the object.
  BufferSharing(std::span<const BufferState> buffers, uint32_t tasks);

  /// Each in the order of tasks. Views come before the others: what they make is not yet overwritten then.
  void view(std::span<const Part> parts);
  /// `reads(task, buffer)` counts the slots of the task that point to the buffer.
  template <class Reads>
  void write_in_place(std::span<const InPlace> pairs, Reads reads) {
    for (const InPlace& pair : pairs)
      if (reads(pair.task, pair.input) == 1) overwrite(pair);
  }
  void place(std::span<const Part> parts);

  Home home(uint32_t buffer) const { return homes_[buffer]; }
  bool is_root(uint32_t buffer) const { return homes_[buffer].root == buffer; }
  /// First and last task at which anything in a root is needed.
  std::pair<uint32_t, uint32_t> life(uint32_t root) const { return {groups_[root].first, groups_[root].last}; }
  /// Tasks whose copies are not needed, ascending, none twice.
  const std::vector<uint32_t>& dropped_tasks() const { return dropped_; }
  uint32_t in_place() const { return in_place_; }
  /// The largest sum of live bytes at any task.
  int64_t peak_bytes() const { return profile_.highest(); }
  uint32_t parts_placed() const { return static_cast<uint32_t>(dropped_.size()); }

 private:
  /// What lives in a root, and how long.
  struct Group {
    std::vector<uint32_t> members;
    uint32_t first, last;
  };
  bool in_arena(uint32_t buffer) const { return buffers_[buffer].kind == AllocationKind::arena && buffers_[buffer].first != UINT32_MAX; }
  bool fits(const Part& part) const;
  bool keeps_contents(uint32_t inner, uint32_t outer_root, int64_t offset, uint32_t content, uint32_t overwritten) const;
  void overwrite(const InPlace& pair);
  void place_into(uint32_t outer, std::vector<Part> parts);
  bool raises_peak(std::span<const uint32_t> inner_roots, uint32_t outer_root);
  void change_profile(std::span<const uint32_t> inner_roots, uint32_t outer_root, int sign);
  void move(uint32_t inner_root, uint32_t outer_root, int64_t offset);
  uint32_t content_of(uint32_t buffer) const;
  int64_t size_of(uint32_t root) const { return (buffers_[root].size_bytes + 63) / 64 * 64; }

  std::span<const BufferState> buffers_;
  std::vector<Home> homes_;
  std::vector<Group> groups_;                ///< by root
  mutable std::vector<uint32_t> contents_;   ///< union-find: buffers whose common bytes have the same content
  LiveProfile profile_;
  std::vector<uint32_t> dropped_;
  uint32_t in_place_ = 0;
};

}  // namespace ge
