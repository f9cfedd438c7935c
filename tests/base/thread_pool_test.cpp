#include "ge/base/thread_pool.hpp"

#include "ge/base/available_cpus.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

/// Counts how often each chunk runs; plain writes, so that a chunk that ran twice at once is a data race.
struct Tally {
  std::vector<int> runs;
  static uint32_t count(void* context, uint32_t chunk) noexcept {
    ++static_cast<Tally*>(context)->runs[chunk];
    return 0;
  }
};

void run_and_check(ge::TaskRunner& pool, uint32_t chunks) {
  Tally tally{std::vector<int>(chunks, 0)};
  CHECK(pool.run(chunks, Tally::count, &tally) == 0);
  CHECK(tally.runs == std::vector<int>(chunks, 1));
}

size_t process_threads() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) ++count;
  return count;
}

/// What one file of a pretended system holds.
struct FakeFile {
  std::string path, text;
};

std::optional<unsigned> quota_of(const std::vector<FakeFile>& files) {
  static int number = 0;
  const auto root = std::filesystem::temp_directory_path() / ("ge_cgroup_" + std::to_string(getpid()) + "_" + std::to_string(number++));
  for (const FakeFile& file : files) {
    std::filesystem::create_directories((root / file.path).parent_path());
    std::ofstream(root / file.path) << file.text;
  }
  const auto quota = ge::cgroup_cpu_quota(root.string());
  std::filesystem::remove_all(root);
  return quota;
}

}  // namespace

TEST_CASE("every chunk runs exactly once, whatever the number of chunks and threads", "[base][CR-12]") {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    ge::ThreadPool pool(threads);
    CHECK(pool.threads() == threads);
    for (uint32_t chunks : {0u, 1u, 2u, 3u, 7u, 8u, 9u, 64u, 1000u, 4099u}) run_and_check(pool, chunks);
    for (int again = 0; again < 300; ++again) run_and_check(pool, 5);
  }
}

TEST_CASE("a slow thread's chunks are taken over by the others", "[base][CR-12]") {
  ge::ThreadPool pool(2);
  struct Record {
    std::mutex mutex;
    std::set<std::thread::id> ids;
    std::atomic<uint32_t> done{0};
    std::atomic<bool> blocked{false};
  } record;
  const uint32_t chunks = 100;
  // Whoever comes first blocks until all other chunks are done: they can only be done by the other thread.
  const auto fn = [](void* context, uint32_t) noexcept -> uint32_t {
    auto& r = *static_cast<Record*>(context);
    if (!r.blocked.exchange(true))
      while (r.done.load() + 1 < 100) std::this_thread::yield();
    {
      std::lock_guard lock(r.mutex);
      r.ids.insert(std::this_thread::get_id());
    }
    ++r.done;
    return 0;
  };
  CHECK(pool.run(chunks, fn, &record) == 0);
  CHECK(record.done == chunks);
  CHECK(record.ids.size() == 2);
}

TEST_CASE("a failing chunk stops the handing out and its result comes back", "[base][CR-12]") {
  for (unsigned threads : {1u, 2u, 4u}) {
    ge::ThreadPool pool(threads);
    std::atomic<uint32_t> ran{0};
    const auto fn = [](void* context, uint32_t) noexcept -> uint32_t { return ++*static_cast<std::atomic<uint32_t>*>(context), 7; };
    CHECK(pool.run(100000, fn, &ran) == 7);
    CHECK(ran >= 1);
    CHECK(ran <= threads);  // at most the one that each thread had in hand
    run_and_check(pool, 100);  // the pool is as good as new
  }
}

TEST_CASE("one thread runs inline on the caller, in order", "[base][CR-12]") {
  struct Record {
    std::thread::id id = std::this_thread::get_id();
    std::vector<uint32_t> order;
    bool elsewhere = false;
  } record;
  record.order.reserve(4);
  const auto fn = [](void* context, uint32_t chunk) noexcept -> uint32_t {
    auto& r = *static_cast<Record*>(context);
    r.elsewhere |= std::this_thread::get_id() != r.id;
    r.order.push_back(chunk);
    return 0;
  };
  const size_t before = process_threads();
  ge::ThreadPool one(1);
  CHECK(process_threads() == before);
  CHECK(one.run(4, fn, &record) == 0);
  CHECK(record.order == std::vector<uint32_t>{0, 1, 2, 3});
  ge::ThreadPool four(4);
  CHECK(four.run(1, fn, &record) == 0);  // so does one chunk
  CHECK_FALSE(record.elsewhere);
}

TEST_CASE("a call from inside a chunk runs inline and does not deadlock", "[base][CR-12]") {
  ge::ThreadPool pool(4), other(3);
  struct Record {
    ge::ThreadPool* pools[2];
    std::atomic<uint32_t> inner{0};
    std::atomic<bool> elsewhere{false};
  } record{{&pool, &other}};
  struct Inner {
    Record* record;
    std::thread::id id;
  };
  const auto fn = [](void* context, uint32_t chunk) noexcept -> uint32_t {
    Inner inner{static_cast<Record*>(context), std::this_thread::get_id()};
    return inner.record->pools[chunk % 2]->run(10, [](void* c, uint32_t) noexcept -> uint32_t {
      auto& i = *static_cast<Inner*>(c);
      ++i.record->inner;
      if (std::this_thread::get_id() != i.id) i.record->elsewhere = true;
      return 0;
    }, &inner);
  };
  CHECK(pool.run(50, fn, &record) == 0);
  CHECK(record.inner == 500);
  CHECK_FALSE(record.elsewhere.load());
}

TEST_CASE("several callers share one pool", "[base][CR-12]") {
  ge::ThreadPool pool(3);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 12; ++caller)  // more than the pool serves at once
    callers.emplace_back([&] {
      for (uint32_t i = 0; i < 200; ++i) {
        Tally tally{std::vector<int>(2 + i % 40, 0)};
        if (pool.run(static_cast<uint32_t>(tally.runs.size()), Tally::count, &tally) != 0) ++wrong;
        for (int runs : tally.runs) wrong += runs != 1;
      }
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("a pool of N has N - 1 workers beside the caller, and takes them with it", "[base][CR-12]") {
  const size_t before = process_threads();
  {
    ge::ThreadPool pool(5);
    CHECK(process_threads() == before + 4);
    run_and_check(pool, 1000);
    CHECK(process_threads() == before + 4);
  }
  CHECK(process_threads() == before);
}

TEST_CASE("the default is the number of CPUs that this process may use", "[base][CR-12]") {
  CHECK(ge::available_cpus() >= 1);
  CHECK(ge::ThreadPool().threads() == ge::available_cpus());
  CHECK(&ge::ThreadPool::shared() == &ge::ThreadPool::shared());
  run_and_check(ge::ThreadPool::shared(), 100);
}

TEST_CASE("cgroup quotas of both versions are read and rounded up", "[base][CR-12]") {
  CHECK(quota_of({}) == std::nullopt);
  CHECK(quota_of({{"proc/self/cgroup", "0::/a/b\n"}, {"sys/fs/cgroup/a/b/cpu.max", "max 100000\n"}}) == std::nullopt);
  CHECK(quota_of({{"proc/self/cgroup", "0::/a/b\n"}, {"sys/fs/cgroup/a/b/cpu.max", "150000 100000\n"}}) == 2u);
  CHECK(quota_of({{"proc/self/cgroup", "0::/a/b\n"}, {"sys/fs/cgroup/a/b/cpu.max", "300000 100000\n"}, {"sys/fs/cgroup/a/cpu.max", "50000 100000\n"}}) == 1u);
  CHECK(quota_of({{"proc/self/cgroup", "0::/not/there\n"}, {"sys/fs/cgroup/cpu.max", "400000 100000\n"}}) == 4u);
  const std::string v1 = "11:memory:/x\n4:cpu,cpuacct:/x\n0::/\n";
  CHECK(quota_of({{"proc/self/cgroup", v1}, {"sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "250000\n"}, {"sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n"}}) == 3u);
  CHECK(quota_of({{"proc/self/cgroup", v1}, {"sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n"}, {"sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n"}}) == std::nullopt);
}
