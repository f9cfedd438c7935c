#pragma once
#include "ge/kernels/task_list.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace ge {

/// The argument block of one task list in one instance (SX-6). Slots are grouped by allocation, so that a changed base
/// rewrites just the slots that point into it; the same bases again write nothing.
class GE_API ModelArgsManager {
 public:
  /// Copies the list's block. Keeps a reference to the list, which must outlive this.
  explicit ModelArgsManager(const TaskList& list);

  /// `bases[id]`: where allocation `id` is in this run.
  void update(std::span<std::byte* const> bases) noexcept;
  const std::byte* block() const noexcept { return block_; }

  struct Counters {
    uint64_t updates = 0;          ///< calls of update()
    uint64_t changed_bases = 0;    ///< allocations whose base differed
    uint64_t slots_rewritten = 0;
  };
  const Counters& counters() const noexcept { return counters_; }

 private:
  const TaskList& list_;
  std::unique_ptr<std::byte[]> memory_;
  std::byte* block_;
  std::vector<std::byte*> active_bases_;
  Counters counters_;
};

}  // namespace ge
