// A run never sees what an earlier one, or nobody, left in memory. (Public bugs of this kind: the first run is wrong and
// later ones are right; outputs hold memory that nobody wrote; two runs in a row differ.)
#include "executor/random_graph.hpp"
#include "executor/model_case.hpp"

#include <set>

using namespace ge;
using namespace ge::testing;

namespace {

/// The CPU, whose memory is full of one byte: when it is given out and before each run. Notes what else it is filled with.
class PoisonedDevice final : public Device {
 public:
  explicit PoisonedDevice(int byte) : byte_(byte) {}
  std::string_view name() const noexcept override { return "poisoned"; }
  std::byte* allocate(int64_t size_bytes) override {
    std::byte* memory = cpu_device().allocate(size_bytes);
    std::memset(memory, byte_, static_cast<size_t>(size_bytes));
    return memory;
  }
  void release(std::byte* memory) noexcept override { cpu_device().release(memory); }
  void copy(std::byte* to, const std::byte* from, int64_t size_bytes) noexcept override { cpu_device().copy(to, from, size_bytes); }
  void fill(std::byte* to, int value, int64_t size_bytes) noexcept override {
    asked.push_back(value);
    std::memset(to, byte_, static_cast<size_t>(size_bytes));
  }
  RunResult execute(const TaskList& list, const std::byte* args, const RunContext& context) noexcept override { return cpu_device().execute(list, args, context); }

  std::vector<int> asked;

 private:
  int byte_;
};

void check_seed(uint32_t seed, DType dtype) {
  INFO("seed " << seed << ", " << to_string(dtype));
  ModelCase c;
  RandomGraph random(seed, dtype, false);
  random.fill(c);
  const auto small = std::vector<Tensor>{random.vector(3), random.vector(3), Tensor::scalar(2)};
  const auto large = std::vector<Tensor>{random.vector(8), random.vector(8), Tensor::scalar(1)};
  std::vector<Tensor> first;
  for (const int byte : {0xFF, 0xCD, 0x00}) {  // 0xFF: NaN
    INFO("memory full of " << byte);
    PoisonedDevice device(byte);
    ModelParam param;
    param.device = &device;
    const auto model = c.instance(param);
    for (int run = 1; run <= 5; ++run) {
      INFO("run " << run);
      const auto found = model->run(small);
      if (first.empty()) first = found;
      CHECK(found == first);
      if (run == 3) model->run(large);  // other sizes, another arena
    }
  }
}

}  // namespace

TEST_CASE("the fifth run equals the first, whatever bytes memory holds", "[executor][CR-9][SX-3]") {
  for (uint32_t seed = 3001; seed <= 3060; ++seed)
    for (const DType dtype : {DType::float32, DType::int64}) check_seed(seed, dtype);
}

TEST_CASE("the byte that working memory is filled with can change between runs, and filling can end", "[executor][CR-9]") {
  ModelCase c;
  RandomGraph random(3001, DType::float32, false);
  random.fill(c);
  PoisonedDevice device(0xFF);
  ModelParam param;
  param.device = &device;
  DavinciModel model(c.program(), param);
  const auto inputs = std::vector<Tensor>{random.vector(3), random.vector(3), Tensor::scalar(2)};
  const auto filled_with = [&] {
    device.asked.clear();
    std::vector<InputTensor> in;
    for (const Tensor& t : inputs) in.push_back(given(t));
    std::vector<OutputTensor> out(model.outputs().size());
    model.NnExecute(in, out);
    return std::set<int>(device.asked.begin(), device.asked.end());
  };
  CHECK(filled_with().empty());
  model.Poison(0xCD);
  CHECK(filled_with() == std::set<int>{0xCD});
  model.Poison(0x11);
  CHECK(filled_with() == std::set<int>{0x11});
  model.Poison(std::nullopt);
  CHECK(filled_with().empty());
}
