#include "fuzz/limited_run.hpp"

#include "ge/executor/static/davinci_model.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace ge::fuzz {
namespace {

/// Cancels a run that takes too long.
class Deadline {
 public:
  Deadline(DavinciModel& model, std::chrono::milliseconds limit)
      : thread_([this, &model, limit] {
          std::unique_lock lock(mutex_);
          // Again and again: a cancel that comes before the run begins is forgotten by it.
          for (auto wait = limit; !done_.wait_for(lock, wait, [this] { return ended_; }); wait = std::chrono::milliseconds(10)) model.Cancel();
        }) {}
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    done_.notify_all();
    thread_.join();
  }
  Deadline(const Deadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool ended_ = false;
  std::thread thread_;
};

/// Zeros (empty strings) for an input; none where even these dims are too much.
Tensor zeros_for(const PortDescription& port, const int64_t* open_dims, size_t& next) {
  std::vector<int64_t> dims = port.rank_known ? port.dims : std::vector<int64_t>{-1, -1};
  for (int64_t& dim : dims)
    if (dim < 0) dim = open_dims[next++ % 4];
  const auto count = element_count(dims);
  const auto bytes = count ? bytes_for(port.dtype, *count) : std::nullopt;
  if (!bytes || *bytes > run_memory_bytes) throw Error(ErrorCode::out_of_memory, "input '" + port.name + "' is too large for a fuzz run");
  if (port.dtype == DType::string) return Tensor::strings(dims, std::vector<std::string>(static_cast<size_t>(*count)));
  return Tensor::zeros(port.dtype, dims);
}

void run_once(DavinciModel& model, const int64_t* open_dims) {
  std::vector<Tensor> tensors;
  std::vector<InputTensor> views;
  std::vector<InputValue> inputs;
  size_t next = 0;
  for (const PortDescription& port : model.inputs()) tensors.push_back(zeros_for(port, open_dims, next));
  // Twice, for sequences.
  for (const Tensor& t : tensors) views.insert(views.end(), 2, {t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())});
  for (size_t i = 0; i < tensors.size(); ++i)
    inputs.push_back({std::span(views).subspan(2 * i, held_by(model.inputs()[i].kind) == ValueKind::sequence ? 2 : 1)});
  std::vector<OutputValue> outputs(model.outputs().size());
  const Deadline deadline(model, std::chrono::seconds(1));
  model.NnExecute(inputs, outputs);
}

}  // namespace

void run_limited(std::shared_ptr<const LoadedProgram> program) {
  static ThreadPool inline_runner(1);
  ModelParam param;
  param.runner = &inline_runner;
  param.max_memory_bytes = run_memory_bytes;
  param.max_cached_segments = 64;
  param.poison = true;
  DavinciModel model(std::move(program), param);
  static constexpr int64_t ones[4] = {1, 1, 1, 1}, mixed[4] = {2, 3, 1, 2};
  try {
    run_once(model, ones);
  } catch (const Error&) {
    // Some models refuse dims of 1; the other sizes decide.
  }
  run_once(model, mixed);
}

}  // namespace ge::fuzz
