#pragma once
#include "ge/executor/device/budget_device.hpp"
#include "ge/executor/instantiation_cache.hpp"
#include "ge/executor/static/io_binding.hpp"
#include "ge/executor/string_arena.hpp"
#include "ge/executor/tensor_io.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ge {

/// What an instance is given at construction.
struct ModelParam {
  TaskRunner* runner = nullptr;           ///< null: ThreadPool::shared(); must outlive the instance
  Device* device = nullptr;               ///< null: cpu_device()
  Target target;
  int64_t max_memory_bytes = INT64_MAX;   ///< for all tensors that the instance holds: intermediate, kept, lent outputs, copied inputs
  size_t max_cached_sizes = 64;           ///< instantiations kept, least recently used out first
  size_t max_cached_segments = 4096;
  std::function<void(const Instantiation&)> on_segment;  ///< told of each segment when it is made
  Profile* profile = nullptr;             ///< of this instance alone; must outlive it; null: nothing is measured
  std::optional<uint8_t> poison;          ///< as Poison() does, from the first run on
};

/// An instance of a loaded model: runs task lists and nothing else (SX-17). Owns its parts: the cache of
/// instantiations, argument blocks, arena, kept buffers and lent outputs; shares program and weights with other
/// instances. One inference at a time: a second concurrent call is refused. Second run of sizes seen before: no
/// instantiation, and no allocation where the caller gives the output memory.
class GE_API DavinciModel {
 public:
  explicit DavinciModel(std::shared_ptr<const LoadedProgram> program, ModelParam param = {});
  ~DavinciModel();
  DavinciModel(const DavinciModel&) = delete;
  DavinciModel& operator=(const DavinciModel&) = delete;

  const std::string& name() const;
  const std::vector<PortDescription>& inputs() const { return io_.inputs(); }
  const std::vector<PortDescription>& outputs() const { return io_.outputs(); }

  /// Runs once on the caller's thread and the runner's, and waits. Throws Error: invalid_argument (inputs that
  /// contradict the model, output memory too small or overlapping an input), run_failed (naming the node),
  /// out_of_memory. After an error the instance stays usable.
  void NnExecute(std::span<const InputTensor> inputs, std::span<OutputTensor> outputs);
  /// The same for models whose inputs or outputs may be sequences or optionals (PortDescription::kind); it takes others too.
  void NnExecute(std::span<const InputValue> inputs, std::span<OutputValue> outputs);

  /// Makes a running NnExecute end with Error(run_failed) before its next task, chunk of a task or, while it
  /// instantiates, op. Any thread.
  void Cancel() noexcept { cancel_.store(true, std::memory_order_relaxed); }

  /// Fills the memory that intermediate results live in with this byte before each run from now on, and the arena before
  /// each segment, so that a task which reads what nothing wrote is found: 0xFF makes every float NaN. nullopt: as it
  /// comes. Not while a run goes on.
  void Poison(std::optional<uint8_t> byte) { param_.poison = byte; }

  struct Statistics {
    InstantiationCache::Counters cache;
    uint64_t instantiations = 0;       ///< segments made since construction
    uint64_t runs = 0;
    uint64_t slots_rewritten = 0;      ///< in the last run
    uint64_t inputs_copied = 0;        ///< in the last run: not aligned enough to be used in place
    size_t segments_last_run = 0;
    size_t tasks_last_run = 0;
    int64_t arena_bytes = 0;           ///< largest of the last run's segments
    int64_t arena_lower_bound_bytes = 0;
    int64_t weights_bytes = 0;
    std::vector<std::pair<std::string, uint64_t>> ops_by_engine;  ///< of the last run
  };
  Statistics statistics() const;

 private:
  class Running;
  class DynamicOutputs;

  /// Where a run's outputs are described: as tensors, or as values.
  struct Outputs {
    std::span<OutputTensor> tensors;
    std::span<OutputValue> values;
    OutputTensor& at(const SegmentOutput& output) const { return values.empty() ? tensors[output.output] : values[output.output].tensors[output.tensor]; }
  };
  void execute(std::span<const InputTensor> inputs, std::span<const int64_t> lengths, Outputs outputs);
  void check_outputs(size_t count) const;
  Segment& first_segment(std::span<const InputTensor> inputs, std::span<const int64_t> lengths);
  Segment& next_segment(Segment& segment);
  InstantiateOptions instantiate_options() const;
  Segment& enter_profile(Segment& segment) const;
  Segment& keep_next(Segment& segment, std::unique_ptr<Instantiation> next);
  void run_segment(Segment& segment, Outputs outputs);
  std::byte* base_of(const Allocation& allocation, const TaskList& list);
  void raise_failure(const Segment& segment, RunResult result) const;

  std::shared_ptr<const LoadedProgram> program_;
  ModelParam param_;
  BudgetDevice device_;
  IoBinding io_;
  InstantiationCache cache_;
  DeviceBuffer arena_;
  std::vector<DeviceBuffer> kept_;
  std::vector<int64_t> key_, last_key_;
  std::vector<InputTensor> flat_inputs_;  ///< of a run that is given values
  std::vector<int64_t> lengths_;
  std::string next_key_;
  std::vector<std::byte*> bases_;
  std::vector<std::vector<int64_t>> dynamic_dims_;
  StringArena strings_;
  std::atomic<bool> busy_{false}, cancel_{false};
  uint64_t instantiations_ = 0, runs_ = 0, slots_rewritten_ = 0;
  size_t segments_last_run_ = 0, tasks_last_run_ = 0;
  int64_t arena_bytes_ = 0, arena_lower_bound_ = 0;
  std::vector<std::pair<std::string_view, uint64_t>> ops_by_engine_;  ///< of the last run
  std::unique_ptr<Segment> transient_;  ///< the present segment, where the cache is full
};

}  // namespace ge
