/// A job's life: a caller claims a slot, fills it, opens it (open_ bit, epoch_), takes chunks itself until none is left,
/// closes it, waits for the workers that are inside, and lets the slot go.
///
/// Joining is safe because a worker first counts itself in (`inside`) and then looks at the open bit, while the caller
/// first clears the bit and then looks at the count: one of the two sees the other (both are sequentially consistent).
/// Only a worker that saw the bit touches the rest of the job. So "closed and nobody inside" means that all taken chunks
/// are done.
#include "ge/base/thread_pool.hpp"

#include "ge/base/available_cpus.hpp"
#include "ge/base/error.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>

namespace ge {
namespace {

/// Set while this thread runs a chunk of any pool: a nested run() stays on the thread, so no pool waits for another.
thread_local bool in_chunk = false;

void pause_cpu() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Chunks [next, end) in one word: the owner takes from the front, thieves from the back. Within a job `next` only grows
/// and `end` only shrinks, so a compare-and-swap cannot mistake an old state for a new one.
struct alignas(64) Part {
  std::atomic<uint64_t> word{0};

  void set(uint32_t next, uint32_t end) noexcept { word.store(uint64_t{end} << 32 | next, std::memory_order_relaxed); }
  bool take(bool front, uint32_t& chunk) noexcept {
    uint64_t now = word.load(std::memory_order_relaxed);
    for (;;) {
      const auto next = static_cast<uint32_t>(now), end = static_cast<uint32_t>(now >> 32);
      if (next >= end) return false;
      chunk = front ? next : end - 1;
      const uint64_t left = front ? now + 1 : now - (uint64_t{1} << 32);
      if (word.compare_exchange_weak(now, left, std::memory_order_relaxed)) return true;
    }
  }
};

uint32_t run_inline(uint32_t chunks, TaskRunner::ChunkFn fn, void* context) noexcept {
  const bool nested = std::exchange(in_chunk, true);
  uint32_t result = 0;
  for (uint32_t chunk = 0; chunk < chunks && result == 0; ++chunk) result = fn(context, chunk);
  in_chunk = nested;
  return result;
}

}  // namespace

struct alignas(64) ThreadPool::Job {
  ChunkFn fn = nullptr;
  void* context = nullptr;
  uint32_t parts = 0;
  std::unique_ptr<Part[]> part;             ///< one per thread of the pool
  std::atomic<uint32_t> result{0};          ///< the first failure
  alignas(64) std::atomic<uint32_t> inside{0};  ///< workers that joined, or are about to find the job closed
};

ThreadPool::ThreadPool(unsigned threads) {
  const unsigned cpus = available_cpus();
  threads_ = threads == 0 ? cpus : threads;
  // More threads than CPUs: who spins keeps the one that has work from running.
  spin_ns_ = threads_ <= cpus ? 20'000 : 0;
  if (threads_ == 1) return;
  jobs_ = std::make_unique<Job[]>(max_jobs);
  for (unsigned i = 0; i < max_jobs; ++i) jobs_[i].part = std::make_unique<Part[]>(threads_);
  workers_.reserve(threads_ - 1);
  try {
    for (unsigned self = 1; self < threads_; ++self) workers_.emplace_back([this, self] { work(self); });
  } catch (const std::system_error& refusal) {
    const size_t started = workers_.size() + 1;
    stop();
    throw Error(ErrorCode::out_of_memory, "thread pool: the system gave " + std::to_string(started) + " of " + std::to_string(threads_) +
                                              " threads (" + refusal.what() + "); ask for fewer or raise the limit (ulimit -u)");
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() noexcept {
  stopping_.store(true);
  epoch_.fetch_add(1);
  epoch_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

template <class Done>
bool ThreadPool::spin_until(Done done) const noexcept {
  if (done()) return true;
  if (spin_ns_ == 0) return false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(spin_ns_);
  do {
    for (int i = 0; i < 32; ++i) {
      pause_cpu();
      if (done()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

bool ThreadPool::run_chunks(Job& job, unsigned self) noexcept {
  const uint32_t parts = job.parts;
  bool worked = false;
  in_chunk = true;
  for (uint32_t step = 0; step < parts; ++step) {
    const uint32_t at = (self + step) % parts;
    uint32_t chunk = 0;
    while (job.result.load(std::memory_order_relaxed) == 0 && job.part[at].take(at == self, chunk)) {
      worked = true;
      if (const uint32_t result = job.fn(job.context, chunk); result != 0) {
        uint32_t none = 0;
        job.result.compare_exchange_strong(none, result, std::memory_order_relaxed);
      }
    }
  }
  in_chunk = false;
  return worked;
}

bool ThreadPool::help(unsigned self) noexcept {
  bool worked = false;
  const uint32_t seen = open_.load();
  for (unsigned step = 0; seen != 0 && step < max_jobs; ++step) {
    const unsigned at = (self + step) % max_jobs;  // different workers look at different jobs first
    const uint32_t bit = 1u << at;
    if ((seen & bit) == 0) continue;
    Job& job = jobs_[at];
    job.inside.fetch_add(1);
    if (open_.load() & bit) worked |= run_chunks(job, self);
    if (job.inside.fetch_sub(1) == 1) job.inside.notify_all();
  }
  return worked;
}

void ThreadPool::work(unsigned self) noexcept {
  for (;;) {
    const uint32_t epoch = epoch_.load();
    if (stopping_.load()) return;
    if (help(self)) continue;
    // A job that opened since `epoch` was read has changed it: no wake-up is lost.
    if (!spin_until([&] { return epoch_.load(std::memory_order_relaxed) != epoch; })) epoch_.wait(epoch);
  }
}

uint32_t ThreadPool::run(uint32_t chunks, ChunkFn fn, void* context) noexcept {
  if (threads_ == 1 || chunks <= 1 || in_chunk) return run_inline(chunks, fn, context);
  uint32_t claimed = claimed_.load(), slot = 0;
  do {
    slot = static_cast<uint32_t>(std::countr_one(claimed));
    if (slot >= max_jobs) return run_inline(chunks, fn, context);
  } while (!claimed_.compare_exchange_weak(claimed, claimed | 1u << slot));

  Job& job = jobs_[slot];
  job.fn = fn;
  job.context = context;
  job.parts = std::min(chunks, threads_);
  job.result.store(0, std::memory_order_relaxed);
  const auto border = [&](uint64_t i) { return static_cast<uint32_t>(i * chunks / job.parts); };
  for (uint32_t i = 0; i < job.parts; ++i) job.part[i].set(border(i), border(i + 1));
  open_.fetch_or(1u << slot);
  epoch_.fetch_add(1);
  if (chunks >= threads_) epoch_.notify_all();
  else for (uint32_t i = 1; i < chunks; ++i) epoch_.notify_one();

  run_chunks(job, 0);
  open_.fetch_and(~(1u << slot));
  if (!spin_until([&] { return job.inside.load() == 0; }))
    for (uint32_t inside = job.inside.load(); inside != 0; inside = job.inside.load()) job.inside.wait(inside);
  const uint32_t result = job.result.load(std::memory_order_relaxed);
  claimed_.fetch_and(~(1u << slot));
  return result;
}

ThreadPool& ThreadPool::shared() {
  static ThreadPool& leaked = *new ThreadPool;  // outlives every static object that may still run something
  return leaked;
}

}  // namespace ge
