#include "tools/measure.hpp"

#include "tools/load_model.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace ge::tools {
namespace {

void prepare(Inference& inference, const std::vector<Value>& inputs, const RunOptions& options, bool first, RunStatistics& statistics) {
  const double first_run_ms = inference.run(inputs).elapsed_ms;
  inference.keep_outputs();
  const auto allocations = inference.run(inputs, true).allocations;
  if (first) {
    statistics.first_run_ms = first_run_ms;
    statistics.allocations_per_run = allocations;
  }
  for (unsigned i = 0; i < options.warmup; ++i) inference.run(inputs);
}

std::vector<double> repeat(Inference& inference, const std::vector<Value>& inputs, const RunOptions& options, const std::atomic<bool>& stop) {
  std::vector<double> latencies;
  const double end = now_ms() + options.duration_s * 1000;
  const auto goes_on = [&] { return options.duration_s > 0 ? latencies.empty() || now_ms() < end : latencies.size() < options.iterations; };
  while (goes_on() && !stop) latencies.push_back(inference.run(inputs).elapsed_ms);
  return latencies;
}

}  // namespace

void measure(std::vector<Inference>& instances, const std::vector<Value>& inputs, const RunOptions& options, RunStatistics& statistics) {
  for (Inference& inference : instances) prepare(inference, inputs, options, &inference == instances.data(), statistics);

  std::mutex mutex;  // guards failure and statistics
  std::exception_ptr failure;
  std::atomic<bool> stop{false};
  const auto work = [&](Inference& inference) noexcept {
    try {
      const auto latencies = repeat(inference, inputs, options, stop);
      const std::lock_guard lock(mutex);
      statistics.latencies_ms.insert(statistics.latencies_ms.end(), latencies.begin(), latencies.end());
    } catch (...) {
      stop = true;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  const double start = now_ms();
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < instances.size(); ++i) others.emplace_back(work, std::ref(instances[i]));
    work(instances[0]);
  }
  statistics.wall_s = (now_ms() - start) / 1000;
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ge::tools
