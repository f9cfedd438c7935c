#include "ge/base/error.hpp"
#include "ge/executor/device/device.hpp"

#include <cstdlib>
#include <cstring>

namespace ge {
namespace {

struct KernelCall {
  RunFn run;
  const std::byte* args;
  const std::atomic<bool>* cancel;
};

bool is_set(const std::atomic<bool>* cancel) noexcept { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }

uint32_t run_chunk(void* raw, uint32_t chunk) noexcept {
  const auto& call = *static_cast<const KernelCall*>(raw);
  if (is_set(call.cancel)) return static_cast<uint32_t>(Status::cancelled);
  return static_cast<uint32_t>(call.run(call.args, chunk));
}

bool begin_loop(const LoopArgs& loop) noexcept {
  *loop.iteration = 0;
  *loop.condition = loop.first_condition == nullptr || *loop.first_condition != 0;
  return *loop.condition != 0 && (loop.trip_count == nullptr || *loop.trip_count > 0);
}

/// The body has left the next condition in place.
bool continue_loop(const LoopArgs& loop) noexcept {
  ++*loop.iteration;
  return *loop.condition != 0 && (loop.trip_count == nullptr || *loop.iteration < *loop.trip_count);
}

class CpuDevice final : public Device {
 public:
  std::string_view name() const noexcept override { return "cpu"; }

  std::byte* allocate(int64_t size_bytes) override {
    const size_t rounded = size_bytes <= 0 ? 64 : (static_cast<size_t>(size_bytes) + 63) / 64 * 64;
    void* memory = std::aligned_alloc(64, rounded);
    if (memory == nullptr) throw Error(ErrorCode::out_of_memory, "the machine has no " + std::to_string(size_bytes) + " bytes left for this run");
    return static_cast<std::byte*>(memory);
  }
  void release(std::byte* memory) noexcept override { std::free(memory); }
  void copy(std::byte* to, const std::byte* from, int64_t size_bytes) noexcept override {
    if (size_bytes > 0) std::memmove(to, from, static_cast<size_t>(size_bytes));
  }
  void fill(std::byte* to, int value, int64_t size_bytes) noexcept override {
    if (size_bytes > 0) std::memset(to, value, static_cast<size_t>(size_bytes));
  }

  RunResult execute(const TaskList& list, const std::byte* args, const RunContext& context) noexcept override {
    const auto count = static_cast<uint32_t>(list.tasks.size());
    for (uint32_t at = 0; at < count;) {
      if (is_set(context.cancel)) return {Status::cancelled, at};
      const Task& task = list.tasks[at];
      const std::byte* block = args + task.args;
      switch (task.kind) {
        case TaskKind::kernel: {
          Status status = Status::ok;
          if (task.chunks == 1) {
            status = task.run(block, 0);
          } else {
            KernelCall call{task.run, block, context.cancel};
            status = static_cast<Status>(context.runner.run(task.chunks, run_chunk, &call));
          }
          if (status != Status::ok) return {status, at};
          ++at;
          break;
        }
        case TaskKind::dynamic:
          if (const Status status = task.dynamic_run(block, *context.outputs); status != Status::ok) return {status, at};
          ++at;
          break;
        case TaskKind::jump: at = task.target; break;
        case TaskKind::branch: at = *reinterpret_cast<const BranchArgs*>(block)->condition != 0 ? at + 1 : task.target; break;
        case TaskKind::loop_begin: at = begin_loop(*reinterpret_cast<const LoopArgs*>(block)) ? at + 1 : task.target; break;
        case TaskKind::loop_end: at = continue_loop(*reinterpret_cast<const LoopArgs*>(block)) ? task.target : at + 1; break;
      }
    }
    return {};
  }
};

}  // namespace

Device& cpu_device() noexcept {
  static CpuDevice device;
  return device;
}

}  // namespace ge
