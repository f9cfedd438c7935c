#pragma once
#include "ge/kernels/task.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace ge {

/// Where an address lives. A compiled address is (allocation, offset); no numeric addresses exist before a run (SX-5).
enum class AllocationKind : uint8_t {
  weights,          ///< the model file's weights section
  string_constant,  ///< StringRefs of constant row `index`
  list_constants,   ///< bytes that belong to the task list
  arena,            ///< the planned feature map of this list
  input,            ///< model input `index`
  output,           ///< model output `index`
  kept,             ///< buffer `index` that outlives one segment of a run
  string_pool,      ///< the running instance's StringPool
};

/// A region that tasks point into; its position in TaskList::allocations is the allocation id.
struct Allocation {
  AllocationKind kind = AllocationKind::arena;
  uint32_t index = 0;
  int64_t size_bytes = 0;
  uint64_t hits = 0;  ///< argument slots that point into it
};

/// One pointer of the argument block: `slot` bytes from its start, to be set to base + offset.
struct Relocation {
  uint32_t slot = 0;
  uint64_t offset = 0;
};

enum class TaskKind : uint8_t {
  kernel,      ///< run chunks of `run`
  dynamic,     ///< run `dynamic_run` with an output allocator
  jump,        ///< go to `target`
  branch,      ///< args: BranchArgs; go to `target` when the condition is false
  loop_begin,  ///< args: LoopArgs; start counting; go to `target` when there is no first iteration
  loop_end,    ///< args: LoopArgs; count; go to `target` (the first task of the body) for another iteration
};

struct Task {
  union {
    RunFn run = nullptr;
    DynamicRunFn dynamic_run;
  };
  uint32_t args = 0;    ///< bytes from the start of the argument block
  uint32_t chunks = 1;
  TaskKind kind = TaskKind::kernel;
  uint32_t target = 0;  ///< task index
  uint32_t op = 0;      ///< row of the program's ops, for messages and profiles
};

struct BranchArgs {
  const uint8_t* condition = nullptr;
};
/// ONNX Loop: runs while the condition holds and fewer than the trip count iterations are done.
struct LoopArgs {
  int64_t* iteration = nullptr;
  uint8_t* condition = nullptr;
  const int64_t* trip_count = nullptr;      ///< null: no limit
  const uint8_t* first_condition = nullptr; ///< loop_begin: null means true
};

/// What the planning of one list's memory came to.
struct MemoryStatistics {
  uint32_t buffers = 0;        ///< planned: what is left after sharing
  uint32_t in_place = 0;       ///< outputs written over an input
  uint32_t parts = 0;          ///< copies of Concat, Split and Slice that could perhaps be left out
  uint32_t parts_placed = 0;   ///< those that were: the part lives inside the whole
  std::string_view strategy;   ///< of the placement that won
};

/// What instantiate makes of a program for given dims: tasks in order, one contiguous argument block, and which slots
/// of it point where, grouped by allocation, so that a changed base rewrites just its slots (SX-6). Immutable.
struct TaskList {
  std::vector<Task> tasks;
  std::vector<std::byte> args;                   ///< template of the block; aligned to 16 where it is copied
  std::vector<Allocation> allocations;
  std::vector<Relocation> relocations;           ///< sorted by allocation
  std::vector<uint32_t> relocations_first;       ///< by allocation id, one more than there are allocations
  std::vector<std::byte> constants;              ///< list_constants; entries at multiples of 64
  int64_t arena_bytes = 0;
  int64_t arena_lower_bound_bytes = 0;           ///< largest sum of live sizes at any task, after sharing
  MemoryStatistics memory;
};

}  // namespace ge
