// How the whole compile grows: a generated layered graph goes through the builder, inference, passes, program, model
// file, load and first run; seconds per stage, time per node, peak memory. Then a hub with many readers is rewired.
//
//   scale [NODES ...]      default: 100000 1000000
#include "bench/layered_graph.hpp"
#include "ge/executor/model_manager.hpp"
#include "ge/session/compile.hpp"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace ge;

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }

double peak_gib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1 << 20);
}

class Stages {
 public:
  void begin(const std::string& name) {
    end();
    name_ = name;
    start_ = std::chrono::steady_clock::now();
  }
  void end() {
    if (!name_.empty()) std::printf("  %-12s %8.3f s   peak memory so far %5.2f GiB\n", name_.c_str(), seconds_since(start_), peak_gib()), std::fflush(stdout);
    name_.clear();
  }

 private:
  std::string name_;
  std::chrono::steady_clock::time_point start_;
};

size_t all_nodes(const Graph& root) {
  size_t count = root.live_node_count();
  for (uint32_t i = 0; i < root.subgraph_count(); ++i) count += root.subgraph(GraphId(i)).live_node_count();
  return count;
}

void run_first(const std::string& path, Stages& stages) {
  ModelManager manager;
  stages.begin("load");
  const auto model = manager.CreateInstance(manager.LoadModelOffline(path));
  stages.begin("first run");
  const std::vector<int64_t> dims{4, 8};
  const std::vector<float> ones(32, 1.0f);
  const uint8_t flag = 1;
  std::vector<InputTensor> inputs;
  for (const PortDescription& port : model->inputs()) {
    if (port.name == "flag") inputs.push_back({&flag, DType::boolean, {}, 1});
    else inputs.push_back({ones.data(), DType::float32, dims, 128});
  }
  std::vector<OutputTensor> outputs(model->outputs().size());
  model->NnExecute(inputs, outputs);
  stages.begin("second run");
  model->NnExecute(inputs, outputs);
  stages.end();
  const auto statistics = model->statistics();
  std::printf("  %zu tasks in %zu segments; arena %.1f KiB, lower bound %.1f KiB\n", statistics.tasks_last_run, statistics.segments_last_run,
              static_cast<double>(statistics.arena_bytes) / 1024, static_cast<double>(statistics.arena_lower_bound_bytes) / 1024);
}

/// Seconds per node of the graph as built.
double measure(size_t nodes) {
  std::printf("%zu nodes asked for\n", nodes);
  const auto start = std::chrono::steady_clock::now();
  Stages stages;
  stages.begin("build");
  auto graph = bench::layered_graph(nodes, 1);
  stages.end();
  const size_t built = all_nodes(*graph);
  CompileOptions options;
  options.progress = [&](CompileStage stage) { stages.begin(std::string(stage_names()[static_cast<size_t>(stage)])); };
  const Compiled compiled = compile_graph(std::move(graph), options);
  stages.begin("write");
  const std::string path = (std::filesystem::temp_directory_path() / ("ge-scale-" + std::to_string(nodes) + ".om")).string();
  write_om(path, *compiled.model, compiled.metadata_json);
  stages.end();
  run_first(path, stages);
  const double seconds = seconds_since(start);
  std::filesystem::remove(path);
  std::fputs(compiled.passes.dump().c_str(), stdout);
  std::printf("  built %zu nodes, %zu subgraphs; %zu ops in the program; all: %.2f s, %.2f us per node, peak %.2f GiB\n", built,
              compiled.graph->subgraph_count(), compiled.model->tables.ops.size(), seconds, seconds * 1e6 / static_cast<double>(built), peak_gib());
  return seconds / static_cast<double>(built);
}

/// One value with many readers is replaced by another: milliseconds.
void rewire_hub(size_t readers) {
  Graph graph("hub");
  const TensorType type{DType::float32, Shape{graph.symbols().constant(4)}, std::nullopt};
  const OutputRef x = graph.add_input("x", type), y = graph.add_input("y", type);
  std::vector<OutputRef> outputs;
  std::vector<std::string> names;
  for (size_t i = 0; i < readers; ++i) {
    NodeSpec spec;
    spec.op = "Relu", spec.inputs = {x}, spec.outputs = {"t" + std::to_string(i)};
    outputs.push_back({graph.add_node(std::move(spec)), 0});
    names.push_back("o" + std::to_string(i));
  }
  graph.set_outputs(outputs, names);
  double best = 1e9;
  for (int repeat = 0; repeat < 6; ++repeat) {
    Patch patch;
    if (repeat % 2 == 0) patch.replace(x, y);
    else patch.replace(y, x);
    const auto start = std::chrono::steady_clock::now();
    graph.apply(patch);
    best = std::min(best, seconds_since(start));
  }
  std::printf("hub with %zu readers rewired in %.1f ms (best of 6; budget 50 ms)\n", readers, best * 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {100000, 1000000};
  rewire_hub(100000);
  std::vector<double> per_node;
  for (size_t nodes : sizes) per_node.push_back(measure(nodes));
  if (per_node.size() > 1) std::printf("time per node, last size / first: %.2f (budget 2)\n", per_node.back() / per_node.front());
}
