// The second run of sizes that were seen before allocates nothing.
#include "executor/model_case.hpp"
#include "ge/executor/profile.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int64_t> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Every way to new and delete in this program.
// GCC sees through the pair below and takes free() for the wrong partner of the new that it replaces.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif
void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) { return counted(size, static_cast<std::size_t>(alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return counted(size, static_cast<std::size_t>(alignment)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return counted(size, alignof(std::max_align_t));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept { return operator new(size, nothrow); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

/// The CPU, counting what it gives away.
class CountingDevice final : public Device {
 public:
  std::string_view name() const noexcept override { return "counting"; }
  std::byte* allocate(int64_t size_bytes) override { return ++given_away, cpu_device().allocate(size_bytes); }
  void release(std::byte* memory) noexcept override { cpu_device().release(memory); }
  void copy(std::byte* to, const std::byte* from, int64_t size_bytes) noexcept override { cpu_device().copy(to, from, size_bytes); }
  void fill(std::byte* to, int value, int64_t size_bytes) noexcept override { cpu_device().fill(to, value, size_bytes); }
  RunResult execute(const TaskList& list, const std::byte* args, const RunContext& context) noexcept override { return cpu_device().execute(list, args, context); }
  int64_t given_away = 0;
};

/// Allocations of the third run of each input, after two runs of each; outputs are the caller's.
int64_t allocations_when_known(ModelCase& c, const std::vector<std::vector<Tensor>>& sets, bool profiled = false) {
  CountingDevice device;
  Profile profile;  // recording allocates nothing either
  ModelParam param;
  param.device = &device;
  if (profiled) param.profile = &profile;
  const auto model = c.instance(param);
  std::vector<std::vector<std::byte>> memory(model->model.outputs().size(), std::vector<std::byte>(1 << 16));
  std::vector<std::vector<InputTensor>> inputs;
  for (const auto& set : sets) {
    inputs.emplace_back();
    for (const Tensor& t : set) inputs.back().push_back(given(t));
  }
  int64_t count = 0;
  for (int round = 0; round < 3; ++round)
    for (const auto& in : inputs) {
      std::vector<OutputTensor> out(memory.size());
      for (size_t i = 0; i < out.size(); ++i) out[i].data = memory[i].data(), out[i].capacity_bytes = 1 << 16;
      const int64_t before = allocations + device.given_away;
      model->model.NnExecute(in, out);
      if (round == 2) count += allocations + device.given_away - before;
    }
  return count;
}

}  // namespace

TEST_CASE("the counter counts", "[executor]") {
  const int64_t before = allocations;
  auto* volatile number = new int(1);
  delete number;
  CHECK(allocations == before + 1);
}

TEST_CASE("known sizes of an open model run without allocating", "[executor][SX-3][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N", 8}), w = c.input("w", {8, 8});
  c.outputs({c.op("Softmax", {c.op("MatMul", {c.op("Relu", {c.op("Add", {x, x})}), w})}), c.op("Shape", {x}), x});
  std::vector<std::vector<Tensor>> sets;
  for (int64_t n : {1, 60, 7}) sets.push_back({Tensor::zeros(DType::float32, {n, 8}), Tensor::zeros(DType::float32, {8, 8})});
  for (bool profiled : {false, true}) CHECK(allocations_when_known(c, sets, profiled) == 0);
}

TEST_CASE("known segments run without allocating", "[executor][SX-17][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"});
  const OutputRef at = c.op("Reshape", {c.op("NonZero", {x}), c.ints({-1})});
  const OutputRef picked = c.op("Gather", {x, at});
  const OutputRef grown = c.loop(c.constant(Tensor::scalar(INT64_MAX)), {}, {picked}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef next = b.op("Mul", {in[2], in[2]});
    return Refs{b.op("Less", {b.op("ReduceSum", {next}, attributes({{"keepdims", int64_t{0}}})), b.scalar(1000)}), next, in[2]};
  });
  const OutputRef chosen = c.branch(
      c.op("Greater", {c.op("ReduceSum", {grown}, attributes({{"keepdims", int64_t{0}}})), c.scalar(0)}), {picked}, [](GraphBuild& b, Refs in) { return Refs{b.op("Neg", {in[0]})}; },
      [](GraphBuild&, Refs in) { return Refs{in[0]}; });
  c.outputs({grown, c.second(grown), chosen});
  for (bool profiled : {false, true}) CHECK(allocations_when_known(c, {{floats({4}, {0, 2, 3, 0})}, {floats({3}, {5, 6, 7})}, {floats({1}, {2})}}, profiled) == 0);
}

TEST_CASE("strings run without allocating", "[executor][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"}, DType::int64);
  c.outputs({c.op("Cast", {c.op("Cast", {x}, attributes({{"to", int64_t{8}}}))}, attributes({{"to", int64_t{7}}}))});
  CHECK(allocations_when_known(c, {{int64s({2}, {123456789012, -5})}, {int64s({1}, {0})}}) == 0);
}

TEST_CASE("known lengths of sequences run without allocating", "[executor][SX-17][SX-18]") {
  ModelCase c;
  const OutputRef s = c.graph.add_input("s", {DType::float32, std::nullopt, std::nullopt, ValueKind::sequence});
  const OutputRef o = c.graph.add_input("o", {DType::float32, std::nullopt, std::nullopt, ValueKind::optional}), x = c.input("x", {2});
  c.outputs({c.op("SequenceInsert", {s, c.op("Neg", {x})}), c.op("OptionalHasElement", {o}), o});
  CountingDevice device;
  ModelParam param;
  param.device = &device;
  const auto model = c.instance(param);
  const std::vector<Tensor> tensors{floats({2}, {1, 2}), floats({1}, {3})};
  const InputTensor views[] = {given(tensors[0]), given(tensors[1])};
  std::vector<OutputValue> outputs(3);
  int64_t count = 0;
  for (int round = 0; round < 3; ++round)
    for (size_t length : {2, 0, 1}) {
      const InputValue inputs[] = {{std::span(views).first(length)}, {std::span(views).first(length % 2), length % 2 != 0}, {std::span(views).first(1)}};
      const int64_t before = allocations + device.given_away;
      model->model.NnExecute(inputs, outputs);
      if (round == 2) count += allocations + device.given_away - before;
      CHECK(outputs[0].tensors.size() == length + 1);
      CHECK(outputs[2].present == (length == 1));
    }
  CHECK(count == 0);
}
