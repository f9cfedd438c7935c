// What a profile keeps, and that a profiled run has a sample for all that it did.
#include "executor/model_case.hpp"
#include "ge/executor/profile.hpp"

#include <algorithm>
#include <set>
#include <thread>

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

ProfileSample sample_of(uint32_t task, int64_t begin_ns = 0, int64_t end_ns = 0) {
  ProfileSample sample;
  sample.task = task;
  sample.begin_ns = begin_ns;
  sample.end_ns = end_ns;
  return sample;
}

Profile::Limits limits_of(size_t samples_per_thread, unsigned threads) {
  Profile::Limits limits;
  limits.samples_per_thread = samples_per_thread;
  limits.threads = threads;
  return limits;
}

std::vector<ProfileSample> of_kind(const Profile& profile, SampleKind kind) {
  std::vector<ProfileSample> found;
  for (const ProfileSample& sample : profile.samples())
    if (sample.kind == kind) found.push_back(sample);
  return found;
}

/// Runs odd chunks on a second thread, even ones on the caller's.
class TwoThreads final : public TaskRunner {
 public:
  unsigned threads() const noexcept override { return 2; }
  uint32_t run(uint32_t chunks, ChunkFn fn, void* context) noexcept override {
    uint32_t failed = 0, failed_there = 0;
    std::thread other([&] {
      for (uint32_t chunk = 1; chunk < chunks && failed_there == 0; chunk += 2) failed_there = fn(context, chunk);
    });
    for (uint32_t chunk = 0; chunk < chunks && failed == 0; chunk += 2) failed = fn(context, chunk);
    other.join();
    return failed != 0 ? failed : failed_there;
  }
};

}  // namespace

TEST_CASE("a full ring keeps the latest samples and counts the others", "[executor][CR-8]") {
  Profile profile(limits_of(3, 1));  // rounded up to 4
  for (uint32_t task = 0; task < 10; ++task) profile.record(sample_of(task, task));
  std::vector<uint32_t> tasks;
  for (const ProfileSample& sample : profile.samples()) tasks.push_back(sample.task);
  CHECK(tasks == std::vector<uint32_t>{6, 7, 8, 9});
  CHECK(profile.lost() == 6);
}

TEST_CASE("what happens seldom stays when the rings are full", "[executor][CR-8]") {
  Profile profile(limits_of(2, 1));
  ProfileSample load = sample_of(0);
  load.kind = SampleKind::load;
  profile.record(load);
  for (uint32_t task = 0; task < 10; ++task) profile.record(sample_of(task, 1 + task));
  CHECK(of_kind(profile, SampleKind::load).size() == 1);
  CHECK(profile.samples().size() == 3);
}

TEST_CASE("each thread has a ring; samples of too many threads are counted as lost", "[executor][CR-8]") {
  Profile profile(limits_of(1024, 3));
  std::vector<std::thread> threads;
  std::atomic<int> ready{0};
  for (uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      ++ready;
      while (ready < 4) std::this_thread::yield();
      for (uint32_t i = 0; i < 500; ++i) profile.record(sample_of(t, i));
      while (ready < 8) ready += ready < 8, std::this_thread::yield();  // no thread's id is used again
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(profile.workers() == 3);
  CHECK(profile.samples().size() == 1500);
  CHECK(profile.lost() == 500);
  std::map<uint16_t, std::set<uint32_t>> by_worker;
  for (const ProfileSample& sample : profile.samples()) by_worker[sample.worker].insert(sample.task);
  for (const auto& [worker, tasks] : by_worker) CHECK(tasks.size() == 1);
}

TEST_CASE("samples come by begin, and of equal begins the longer first", "[executor][CR-8]") {
  Profile profile;
  profile.record(sample_of(0, 5, 6));
  profile.record(sample_of(1, 5, 9));
  profile.record(sample_of(2, 1, 2));
  std::vector<uint32_t> tasks;
  for (const ProfileSample& sample : profile.samples()) tasks.push_back(sample.task);
  CHECK(tasks == std::vector<uint32_t>{2, 1, 0});
}

TEST_CASE("a profiled run has a sample for each task and chunk, inside its segment and run", "[executor][CR-8]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N", 64}), w = c.input("w", {64, 64});
  c.outputs({c.op("Softmax", {c.op("MatMul", {c.op("Tanh", {x}), w})})});
  TwoThreads runner;
  Profile profile;
  ModelParam param;
  param.runner = &runner;
  const auto plain = c.instance(param);
  param.profile = &profile;
  const auto model = c.instance(param);
  const std::vector<Tensor> inputs{Tensor::zeros(DType::float32, {2000, 64}), Tensor::zeros(DType::float32, {64, 64})};
  CHECK(model->run(inputs) == plain->run(inputs));
  model->run(inputs);

  const auto runs = of_kind(profile, SampleKind::run), segments = of_kind(profile, SampleKind::segment), tasks = of_kind(profile, SampleKind::task);
  CHECK(of_kind(profile, SampleKind::instantiate).size() == 1);
  REQUIRE(runs.size() == 2);
  REQUIRE(segments.size() == 2);
  REQUIRE(tasks.size() == 2 * model->model.statistics().tasks_last_run);
  const auto inside = [](const ProfileSample& outer, const ProfileSample& inner) { return outer.begin_ns <= inner.begin_ns && inner.end_ns <= outer.end_ns; };
  for (uint32_t run : {0u, 1u}) CHECK((runs[run].run == run + 1 && inside(runs[run], segments[run])));
  std::set<std::string> ops;
  for (const ProfileSample& task : tasks) {
    CHECK(inside(segments[task.run - 1], task));
    CHECK(task.worker == 0);
    std::multiset<uint32_t> chunks;
    for (const ProfileSample& chunk : of_kind(profile, SampleKind::chunk)) {
      if (chunk.run != task.run || chunk.task != task.task) continue;
      chunks.insert(chunk.chunk);
      CHECK(inside(task, chunk));
      CHECK(chunk.op == task.op);
      CHECK((chunk.worker == 0) == (chunk.chunk % 2 == 0));
    }
    CHECK(chunks.size() == (task.chunk == 1 ? 0 : task.chunk));
    CHECK(std::set<uint32_t>(chunks.begin(), chunks.end()).size() == chunks.size());
    const TaskNote* note = profile.note_of(task);
    REQUIRE(note != nullptr);
    REQUIRE(note->kernel != nullptr);
    ops.insert(note->kernel->op + " " + note->inputs + " -> " + note->outputs);
  }
  CHECK(ops == std::set<std::string>{"Tanh float32[2000, 64] -> float32[2000, 64]", "MatMul float32[2000, 64], float32[64, 64] -> float32[2000, 64]",
                                     "Softmax float32[2000, 64] -> float32[2000, 64]"});
  CHECK(of_kind(profile, SampleKind::chunk).size() > 4);
  CHECK(profile.lost() == 0);

  const auto times = profile.times_by_op();
  REQUIRE(times.size() == 3);
  CHECK(std::is_sorted(times.begin(), times.end(), [](const OpTime& a, const OpTime& b) { return a.total_ns > b.total_ns; }));
  for (const OpTime& time : times) CHECK((time.tasks == 2 && time.kernel != nullptr));
}

TEST_CASE("a run in several segments has its instantiations, bodies and copies in the profile", "[executor][CR-8][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"});
  const OutputRef at = c.op("Reshape", {c.op("NonZero", {x}), c.ints({-1})});
  const OutputRef grown = c.loop(c.constant(Tensor::scalar(INT64_MAX)), {}, {c.op("Gather", {x, at})}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef next = b.op("Mul", {in[2], in[2]});
    return Refs{b.op("Less", {b.op("ReduceSum", {next}, attributes({{"keepdims", int64_t{0}}})), b.scalar(1000)}), next};
  });
  c.outputs({grown, x});
  Profile profile;
  ModelParam param;
  param.profile = &profile;
  const auto model = c.instance(param);
  for (int run = 0; run < 2; ++run) model->run({floats({4}, {0, 2, 3, 0})});
  CHECK(of_kind(profile, SampleKind::instantiate).size() == model->instantiations());
  REQUIRE(model->instantiations() > 1);
  CHECK(of_kind(profile, SampleKind::segment).size() == 2 * model->segments());

  // 2, 3 → 4, 9 → 16, 81 → 256, 6561: three times through the body, twice.
  std::map<std::string, uint64_t> tasks;
  uint64_t copies = 0;
  for (const OpTime& time : profile.times_by_op()) tasks[std::string(c.program()->program().text_of(c.program()->program().ops[time.op].op))] += time.tasks;
  for (const ProfileSample& sample : of_kind(profile, SampleKind::task)) copies += sample.op == UINT32_MAX;
  CHECK(tasks["NonZero"] == 2);
  CHECK(tasks["Mul"] == 6);
  CHECK(copies == 2);
}

TEST_CASE("a run that fails is in the profile too", "[executor][CR-8]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2}, DType::int64), y = c.input("y", {2}, DType::int64);
  c.outputs({c.op("Neg", {c.op("Div", {x, y})})});
  Profile profile;
  ModelParam param;
  param.profile = &profile;
  const auto model = c.instance(param);
  CHECK(model->refusal({int64s({2}, {1, 2}), int64s({2}, {1, 0})}).find("division by zero") != std::string::npos);
  CHECK(of_kind(profile, SampleKind::run).size() == 1);
  REQUIRE(of_kind(profile, SampleKind::task).size() == 1);
  CHECK(profile.note_of(of_kind(profile, SampleKind::task)[0])->kernel->op == "Div");
}
