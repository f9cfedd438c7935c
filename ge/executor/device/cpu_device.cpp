#include "ge/base/error.hpp"
#include "ge/executor/device/device.hpp"
#include "ge/executor/profile.hpp"

#include <cstdlib>
#include <cstring>

namespace ge {
namespace {

/// The run loop is compiled once for each of these two; which one runs is chosen once per task list.
struct NoRecorder {
  int64_t begin() const noexcept { return 0; }
  void end_chunk(const Task&, uint32_t, uint32_t, int64_t) const noexcept {}
  void end_task(const Task&, uint32_t, int64_t) const noexcept {}
};

class ProfileRecorder {
 public:
  ProfileRecorder(Profile& profile, uint32_t segment) : profile_(profile), segment_(segment) {}
  int64_t begin() const noexcept { return Profile::now_ns(); }
  void end_chunk(const Task& task, uint32_t at, uint32_t chunk, int64_t begin_ns) const noexcept { end(SampleKind::chunk, task, at, chunk, begin_ns); }
  void end_task(const Task& task, uint32_t at, int64_t begin_ns) const noexcept { end(SampleKind::task, task, at, task.chunks, begin_ns); }

 private:
  void end(SampleKind kind, const Task& task, uint32_t at, uint32_t chunk, int64_t begin_ns) const noexcept {
    ProfileSample sample;
    sample.begin_ns = begin_ns;
    sample.end_ns = Profile::now_ns();
    sample.segment = segment_;
    sample.task = at;
    sample.op = task.op;
    sample.chunk = chunk;
    sample.kind = kind;
    profile_.record(sample);
  }
  Profile& profile_;
  uint32_t segment_;
};

bool is_set(const std::atomic<bool>* cancel) noexcept { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }

template <class Recorder>
struct KernelCall {
  const Task& task;
  uint32_t at;
  const std::byte* args;
  const std::atomic<bool>* cancel;
  const Recorder& recorder;
};

template <class Recorder>
uint32_t run_chunk(void* raw, uint32_t chunk) noexcept {
  const auto& call = *static_cast<const KernelCall<Recorder>*>(raw);
  if (is_set(call.cancel)) return static_cast<uint32_t>(Status::cancelled);
  const int64_t begin_ns = call.recorder.begin();
  const Status status = call.task.run(call.args, chunk);
  call.recorder.end_chunk(call.task, call.at, chunk, begin_ns);
  return static_cast<uint32_t>(status);
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

/// Runs all tasks in order, following jumps.
template <class Recorder>
RunResult run_list(const TaskList& list, const std::byte* args, const RunContext& context, const Recorder& recorder) noexcept {
  const auto count = static_cast<uint32_t>(list.tasks.size());
  for (uint32_t at = 0; at < count;) {
    if (is_set(context.cancel)) return {Status::cancelled, at};
    const Task& task = list.tasks[at];
    const std::byte* block = args + task.args;
    const uint32_t here = at;
    Status status = Status::ok;
    const int64_t begin_ns = recorder.begin();
    switch (task.kind) {
      case TaskKind::kernel:
        if (task.chunks == 1) {
          status = task.run(block, 0);
        } else {
          KernelCall<Recorder> call{task, at, block, context.cancel, recorder};
          status = static_cast<Status>(context.runner.run(task.chunks, run_chunk<Recorder>, &call));
        }
        ++at;
        break;
      case TaskKind::dynamic:
        status = task.dynamic_run(block, *context.outputs);
        ++at;
        break;
      case TaskKind::jump: at = task.target; break;
      case TaskKind::branch: at = *reinterpret_cast<const BranchArgs*>(block)->condition != 0 ? at + 1 : task.target; break;
      case TaskKind::loop_begin: at = begin_loop(*reinterpret_cast<const LoopArgs*>(block)) ? at + 1 : task.target; break;
      case TaskKind::loop_end: at = continue_loop(*reinterpret_cast<const LoopArgs*>(block)) ? task.target : at + 1; break;
    }
    recorder.end_task(task, here, begin_ns);
    if (status != Status::ok) return {status, here};
  }
  return {};
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
    if (context.profile != nullptr) return run_list(list, args, context, ProfileRecorder(*context.profile, context.profile_segment));
    return run_list(list, args, context, NoRecorder{});
  }
};

}  // namespace

Device& cpu_device() noexcept {
  static CpuDevice device;
  return device;
}

}  // namespace ge
