#pragma once
#include "ge/base/export.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace ge {

/// Runs the chunks of one task on several threads. Users may supply their own; run() must be safe to call from several
/// threads at once and from inside a chunk.
class GE_API TaskRunner {
 public:
  /// Does chunk `chunk`; 0 is success. Chunks may run at the same time.
  using ChunkFn = uint32_t (*)(void* context, uint32_t chunk) noexcept;

  virtual ~TaskRunner() = default;
  /// How many threads, the caller of run() included, may work on one task.
  virtual unsigned threads() const noexcept = 0;
  /// Calls fn(context, i) for every i in [0, chunks), each once, and returns when all are done: 0, or the nonzero result
  /// of a chunk that failed; then further chunks may be left out. Everything written by the chunks is visible to the
  /// caller afterwards.
  virtual uint32_t run(uint32_t chunks, ChunkFn fn, void* context) noexcept = 0;
};

/// The library's own TaskRunner: threads() - 1 workers and the caller.
///
/// Each thread starts with its own contiguous part of the chunks and, when that is done, takes chunks from the tail of
/// the others' parts; so a core that is busy with something else never holds up the task by more than one chunk. Workers
/// spin for some microseconds after a task (the next one usually comes at once), then sleep. Several callers share the
/// workers: each works on its own task, idle workers help any. A call from inside a chunk runs inline. No allocation
/// after construction.
class GE_API ThreadPool final : public TaskRunner {
 public:
  /// `threads` counts the caller: N starts N - 1 workers, 1 runs everything inline. 0 takes available_cpus(). Throws
  /// Error(out_of_memory) when the system does not give that many threads.
  explicit ThreadPool(unsigned threads = 0);
  /// No run() may be going on.
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned threads() const noexcept override { return threads_; }
  uint32_t run(uint32_t chunks, ChunkFn fn, void* context) noexcept override;

  /// The pool of the process, started at first use with the default number of threads and never stopped. Thread-safe.
  static ThreadPool& shared();

 private:
  struct Job;

  void work(unsigned self) noexcept;
  bool help(unsigned self) noexcept;
  bool run_chunks(Job& job, unsigned self) noexcept;
  void stop() noexcept;
  template <class Done>
  bool spin_until(Done done) const noexcept;

  static constexpr unsigned max_jobs = 8;  ///< callers served at once; more run inline

  unsigned threads_;
  int64_t spin_ns_;
  std::unique_ptr<Job[]> jobs_;
  std::atomic<uint32_t> claimed_{0};  ///< a bit per job: some caller uses it
  std::atomic<uint32_t> open_{0};     ///< a bit per job: workers may join
  alignas(64) std::atomic<uint32_t> epoch_{0};  ///< changes when a job opens: what idle workers watch
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> workers_;
};

}  // namespace ge
