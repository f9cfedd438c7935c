// The report's memory map against what any correct map satisfies, for random graphs.
#include "executor/random_graph.hpp"
#include "ge/session/report/report.hpp"
#include "support/catch.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

using Memory = CompileReport::Memory;
using Buffer = Memory::Buffer;

int64_t rounded(const Buffer& b) { return (b.size_bytes + 63) / 64 * 64; }

bool alive_together(const Buffer& a, const Buffer& b) { return a.first <= b.last && b.first <= a.last; }
bool bytes_overlap(const Buffer& a, const Buffer& b) {
  return a.size_bytes > 0 && b.size_bytes > 0 && a.offset < b.offset + static_cast<uint64_t>(b.size_bytes) && b.offset < a.offset + static_cast<uint64_t>(a.size_bytes);
}

/// By task, one behind the last included: the sum of live buffers that lie in no other.
std::vector<int64_t> live_bytes(const Memory& memory) {
  std::vector<int64_t> sums(memory.task_count + 1);
  for (size_t task = 0; task < sums.size(); ++task)
    for (const Buffer& b : memory.buffers)
      if (b.inside < 0 && b.first <= task && task <= b.last) sums[task] += rounded(b);
  return sums;
}

void check_map(const Memory& memory) {
  uint64_t end = 0;
  for (const Buffer& b : memory.buffers) {
    CHECK(b.first <= b.last);
    CHECK(b.last <= memory.task_count);
    CHECK_FALSE(b.names.empty());
    end = std::max(end, b.offset + static_cast<uint64_t>(rounded(b)));
    if (b.inside < 0) {
      for (const Buffer& other : memory.buffers)
        if (&other != &b && other.inside < 0) CHECK_FALSE((alive_together(b, other) && bytes_overlap(b, other)));
    } else {
      const Buffer& whole = memory.buffers[static_cast<size_t>(b.inside)];
      CHECK(whole.inside < 0);
      CHECK(whole.offset <= b.offset);
      CHECK(b.offset + static_cast<uint64_t>(b.size_bytes) <= whole.offset + static_cast<uint64_t>(whole.size_bytes));
      CHECK((whole.first <= b.first && b.last <= whole.last));
    }
  }
  CHECK(static_cast<int64_t>(end) == memory.arena_bytes);
  const std::vector<int64_t> sums = live_bytes(memory);
  const auto most = std::max_element(sums.begin(), sums.end());
  CHECK(*most == memory.lower_bound_bytes);
  CHECK(memory.peak_task == most - sums.begin());
}

Memory memory_of(std::unique_ptr<Graph> graph, std::vector<Tensor> inputs, size_t most_buffers = 20'000) {
  const Compiled compiled = compile_graph(std::move(graph));
  ReportRequest request;
  request.inputs = std::move(inputs);
  request.most_runs = 0;
  request.most_buffers = most_buffers;
  return gather_report(compiled, {}, request).memory;
}

}  // namespace

TEST_CASE("the memory map's buffers never overlap while they live, and their peak is the lower bound", "[session][CR-8]") {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    RandomGraph random(seed, seed % 2 == 0 ? DType::float32 : DType::int64, seed % 3 == 0);
    auto graph = std::make_unique<Graph>("random");
    GraphBuild b(*graph);
    random.fill(b);
    const int64_t n = 1 + random.below(40);
    const Memory memory = memory_of(std::move(graph), {random.vector(n), random.vector(n), Tensor::scalar(random.below(4))});
    INFO(memory.why_none);
    REQUIRE(memory.why_none.empty());
    check_map(memory);
  }
}

TEST_CASE("a chain written in place is one buffer with its tensors inside", "[session][CR-8]") {
  auto graph = std::make_unique<Graph>("chain");
  GraphBuild b(*graph);
  const OutputRef x = b.input("x", {16});
  OutputRef y = x;
  for (int i = 0; i < 3; ++i) y = b.op("Exp", {y});
  b.outputs({b.op("Add", {y, x})});
  const std::vector<float> values(16, 0);
  const Memory memory = memory_of(std::move(graph), {Tensor::from<float>(DType::float32, {16}, std::span<const float>(values))});
  check_map(memory);
  CHECK(memory.arena_bytes == 64);
  CHECK(memory.lower_bound_bytes == 64);
  REQUIRE(memory.buffers.size() == 3);  // the last op writes the output itself
  CHECK(memory.buffers[0].inside == -1);
  CHECK(memory.buffers[0].first == 0);
  CHECK(memory.buffers[0].last == 3);
  CHECK(memory.buffers[1].inside == 0);
  CHECK(memory.buffers[2].inside == 0);
}

TEST_CASE("of many buffers the largest are shown, and the note counts the others", "[session][CR-8]") {
  auto graph = std::make_unique<Graph>("two sizes");
  GraphBuild b(*graph);
  const OutputRef small = b.op("MatMul", {b.input("s", {2, 2}), b.input("t", {2, 2})}), large = b.op("MatMul", {b.input("x", {9, 9}), b.input("y", {9, 9})});
  b.outputs({b.op("ReduceSum", {small}), b.op("ReduceSum", {large})});
  const auto ones = [](int64_t n) { return Tensor::zeros(DType::float32, {n, n}); };
  const Memory memory = memory_of(std::move(graph), {ones(2), ones(2), ones(9), ones(9)}, 1);
  REQUIRE(memory.buffers.size() == 1);
  CHECK(memory.buffers[0].size_bytes == 324);
  CHECK_THAT(memory.note, Contains("1 largest of 2"));
}
