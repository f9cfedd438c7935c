// What the run loop costs per task, without and with a profile: a chain of 1,000 Relus over one element. Prints the best
// and the median of 2,000 runs in nanoseconds per task.
#include "ge/executor/profile.hpp"
#include "ge/executor/static/davinci_model.hpp"
#include "ge/session/compile.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace ge;

namespace {

constexpr int tasks = 1000, runs = 2000;

std::shared_ptr<const LoadedProgram> chain() {
  auto graph = std::make_unique<Graph>("chain");
  OutputRef last = graph->add_input("x", {DType::float32, Shape{graph->symbols().constant(1)}, std::nullopt});
  for (int i = 0; i < tasks; ++i) {
    NodeSpec spec;
    spec.op = "Relu";
    spec.inputs = {last};
    spec.outputs = {"t" + std::to_string(i)};
    last = {graph->add_node(std::move(spec)), 0};
  }
  graph->set_outputs({last}, {"y"});
  CompileOptions options;
  for (const Registered& pass : passes().list()) options.disabled_passes.insert(pass.key);  // Relu(Relu(x)) is Relu(x)
  const Compiled compiled = compile_graph(std::move(graph), options);
  auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(*compiled.model, ""));
  return std::make_shared<const LoadedProgram>(OmFile::from_buffer(bytes, *bytes), std::vector<std::string>{});
}

void measure(const char* title, const std::shared_ptr<const LoadedProgram>& program, Profile* profile) {
  ThreadPool pool(1);
  ModelParam param;
  param.runner = &pool;
  param.profile = profile;
  DavinciModel model(program, param);
  const float x = 1;
  const int64_t dims[] = {1};
  const InputTensor input{&x, DType::float32, dims, sizeof x};
  float y = 0;
  std::vector<double> ns_per_task;
  for (int run = 0; run < runs; ++run) {
    std::vector<OutputTensor> outputs(1);
    outputs[0].data = &y, outputs[0].capacity_bytes = sizeof y;
    const auto start = std::chrono::steady_clock::now();
    model.NnExecute({&input, 1}, outputs);
    ns_per_task.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / tasks);
  }
  std::sort(ns_per_task.begin(), ns_per_task.end());
  std::printf("%-18s best %7.2f  median %7.2f ns per task\n", title, ns_per_task.front(), ns_per_task[runs / 2]);
}

}  // namespace

int main() {
  const auto program = chain();
  Profile profile;
  for (int round = 0; round < 3; ++round) {
    measure("without a profile", program, nullptr);
    measure("with a profile", program, &profile);
  }
}
