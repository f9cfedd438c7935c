// Several instances of one file, one instance on several threads, cancelling.
#include "executor/model_case.hpp"

#include <atomic>
#include <chrono>
#include <thread>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

namespace {

/// Counts up until Cancel: the condition never becomes false.
std::unique_ptr<Instance> endless() {
  ModelCase c;
  const OutputRef x = c.input("x", {1});
  c.outputs({c.loop({}, {}, {x}, {}, [](GraphBuild& b, Refs in) {
    const OutputRef next = b.op("Add", {in[2], b.scalar(1)});
    return Refs{b.op("Greater", {b.op("ReduceSum", {next}, attributes({{"keepdims", int64_t{0}}})), b.scalar(-1)}), next};
  })});
  return c.instance();
}

}  // namespace

TEST_CASE("Cancel from another thread ends a run, and the next one runs", "[executor][SX-18]") {
  const auto model = endless();
  for (int round = 0; round < 3; ++round) {
    std::atomic<bool> done{false};
    std::thread canceller([&] {  // a Cancel before the run has begun does not count
      while (!done) model->model.Cancel(), std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    CHECK_THAT(model->refusal({floats({1}, {0})}), Contains("cancelled"));
    done = true;
    canceller.join();
    CHECK(model->code == ErrorCode::run_failed);
    CHECK(model->shown({floats({1}, {-10})}) == "float32[1] -9");  // ends by itself
  }
}

TEST_CASE("a second run at the same time is refused", "[executor][SX-7]") {
  const auto model = endless();
  std::atomic<bool> refused{false};
  std::thread other([&] {
    while (!refused) {
      std::vector<OutputTensor> out(1);
      const Tensor x = floats({1}, {-10});
      try {
        model->model.NnExecute(std::vector<InputTensor>{given(x)}, out);
      } catch (const Error& error) {
        refused = std::string(error.what()).find("running already") != std::string::npos;
      }
    }
    model->model.Cancel();
  });
  for (std::string text; !refused;) text = model->refusal({floats({1}, {0})});
  other.join();
  CHECK(model->shown({floats({1}, {-10})}) == "float32[1] -9");
}

TEST_CASE("instances of one file run at the same time", "[executor][SX-7][CR-9]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"});
  const OutputRef y = c.loop(c.constant(Tensor::scalar(20)), {}, {x}, {}, [](GraphBuild& b, Refs in) {
    return Refs{in[1], b.op("Add", {b.op("Mul", {in[2], b.scalar(0.5f)}), b.scalar(1)})};
  });
  const OutputRef at = c.op("Reshape", {c.op("NonZero", {x}), c.ints({-1})});
  c.outputs({y, c.op("Gather", {y, at}), c.op("Cast", {at}, attributes({{"to", int64_t{8}}}))});
  const auto program = c.program();

  const auto input_of = [](int64_t n) {
    std::vector<float> values;
    for (int64_t i = 0; i < n; ++i) values.push_back(static_cast<float>(i % 3));
    return floats({n}, values);
  };
  std::vector<std::string> expected;
  Instance alone(program);
  for (int64_t n = 1; n < 8; ++n) expected.push_back(alone.shown({input_of(5000 * n)}));

  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Instance own(program);
      for (int round = 0; round < 4; ++round)
        for (int64_t n = 1; n < 8; ++n) {
          const auto k = static_cast<size_t>((n + t) % 7);
          wrong += own.shown({input_of(5000 * (static_cast<int64_t>(k) + 1))}) != expected[k];
        }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("instances go on after their file is unloaded", "[executor][SX-1]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  c.outputs({c.op("Add", {x, c.filled({2}, 4)})});
  auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(c.build(), ""));
  ModelManager manager;
  const uint32_t id = manager.LoadModelOffline(*bytes, bytes), other = manager.LoadModelOffline(*bytes, bytes);
  CHECK(id != other);
  const auto instance = manager.CreateInstance(id);
  CHECK(instance->inputs().size() == 1);
  CHECK(instance->inputs()[0].text == "float32[2]");
  bytes.reset();
  manager.UnloadModel(id);
  manager.UnloadModel(other);
  CHECK_THROWS_WITH(manager.CreateInstance(id), Contains("no model with id"));
  CHECK_THROWS_WITH(manager.UnloadModel(id), Contains("no model with id"));
  const Tensor in = floats({2}, {1, 2});
  std::vector<OutputTensor> out(1);
  instance->NnExecute(std::vector<InputTensor>{given(in)}, out);
  CHECK(show(taken(out[0])) == "float32[2] 5 6");
}

TEST_CASE("the number of threads does not change a result", "[executor][CR-9]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N", 64}), w = c.input("w", {64, 32});
  const OutputRef y = c.op("Softmax", {c.op("MatMul", {c.op("Tanh", {x}), w})});
  c.outputs({y, c.op("ReduceSum", {y}, attributes({{"keepdims", int64_t{0}}}))});
  std::vector<float> a(300 * 64), b(64 * 32);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 101) / 37 - 1;
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 89) / 41 - 1;
  std::vector<std::vector<Tensor>> results;
  for (unsigned threads : {1u, 2u, 3u}) {
    ThreadPool pool(threads);
    ModelParam param;
    param.runner = &pool;
    const auto model = c.instance(param);
    for (int round = 0; round < 2; ++round) results.push_back(model->run({floats({300, 64}, a), floats({64, 32}, b)}));
  }
  for (const auto& result : results) CHECK(result == results[0]);
}
