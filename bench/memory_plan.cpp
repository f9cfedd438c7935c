// What planning makes of models: for each file buffers, lower bound, arena, their ratio, strategy, copies left out, and
// the time to instantiate (sizes, kernels' preparation and plan together) and to plan.
//
//   memory_plan MODEL.onnx[=DATA_SET_FOLDER] …
//
// Input sizes come from the folder's input_I.pb, else from the model; a dim that neither gives is 1. A program with
// several segments is run once, on the folder's tensors or on zeros, and each segment has its row.
#include "ge/executor/static/davinci_model.hpp"
#include "ge/model/tensor_file.hpp"
#include "ge/session/compile.hpp"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace ge;

namespace {

double now_ms() { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<Tensor> make_inputs(const DavinciModel& model, const std::string& folder) {
  std::vector<Tensor> inputs;
  const auto ports = model.inputs();
  for (size_t i = 0; i < ports.size(); ++i) {
    const std::string path = folder + "/input_" + std::to_string(i) + ".pb";
    if (!folder.empty() && std::filesystem::exists(path)) {
      inputs.push_back(read_tensor_pb(path));
      continue;
    }
    std::vector<int64_t> dims;
    for (int64_t dim : ports[i].dims) dims.push_back(dim < 0 ? 1 : dim);
    inputs.push_back(Tensor::zeros(ports[i].dtype, dims));
  }
  return inputs;
}

/// The elements that decide sizes, as a run takes them.
std::vector<int64_t> elements(const LoadedProgram& program, const std::vector<Tensor>& inputs) {
  std::vector<int64_t> found;
  for (uint32_t symbol : program.element_symbols()) {
    const SymbolRow& row = program.program().symbols[symbol];
    found.push_back(inputs.at(row.input).to_ints()->at(row.position));
  }
  return found;
}

void print_row(const std::string& name, const Instantiation& plan, double ms) {
  const TaskList& list = plan.list;
  const double ratio = list.arena_lower_bound_bytes > 0 ? static_cast<double>(list.arena_bytes) / static_cast<double>(list.arena_lower_bound_bytes) : 1;
  std::printf("%-28s %6zu %7u %8u %6u/%-5u %12lld %12lld %7.4f  %-11s %8.2f\n", name.c_str(), list.tasks.size(), list.memory.buffers, list.memory.in_place, list.memory.parts_placed,
              list.memory.parts, static_cast<long long>(list.arena_lower_bound_bytes), static_cast<long long>(list.arena_bytes), ratio, std::string(list.memory.strategy).c_str(), ms);
}

void run_segments(const std::string& name, const std::shared_ptr<const LoadedProgram>& program, const std::vector<Tensor>& inputs) {
  ModelParam param;
  int segment = 0;
  param.on_segment = [&](const Instantiation& plan) { print_row(name + " #" + std::to_string(segment++), plan, 0); };
  DavinciModel model(program, param);
  std::vector<InputTensor> in;
  for (const Tensor& t : inputs) in.push_back({t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())});
  std::vector<OutputTensor> out(model.outputs().size());
  model.NnExecute(in, out);
}

void plan_model(const std::string& argument) {
  const size_t equals = argument.find('=');
  const std::string path = argument.substr(0, equals), folder = equals == std::string::npos ? "" : argument.substr(equals + 1);
  const std::filesystem::path file(path);
  const std::string name = file.stem() == "model" ? file.parent_path().filename().string() : file.stem().string();
  const Compiled compiled = compile_onnx(path, {});
  const auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(*compiled.model, ""));
  const auto program = std::make_shared<const LoadedProgram>(OmFile::from_buffer(bytes, *bytes), std::vector<std::string>{});
  const std::vector<Tensor> inputs = make_inputs(DavinciModel(program), folder);
  RunSizes sizes;
  for (const Tensor& t : inputs) sizes.input_dims.push_back(t.dims());
  sizes.elements = elements(*program, inputs);
  const double start = now_ms();
  const auto plan = instantiate(*program, {}, sizes);
  const double took = now_ms() - start;
  if (plan->cut == CutKind::none) print_row(name, *plan, took);
  else run_segments(name, program, inputs);
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("%-28s %6s %7s %8s %12s %12s %12s %7s  %-11s %8s\n", "model", "tasks", "buffers", "in place", "copies saved", "lower bound", "arena", "ratio", "strategy", "ms");
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    try {
      plan_model(argv[i]);
    } catch (const std::exception& error) {
      std::printf("%s: %s\n", argv[i], error.what());
      failed = 1;
    }
  }
  return failed;
}
