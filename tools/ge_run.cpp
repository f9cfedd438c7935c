#include "tools/bisect_model.hpp"
#include "tools/command_line.hpp"
#include "tools/load_model.hpp"
#include "tools/measure.hpp"
#include "tools/model_inputs.hpp"
#include "tools/profiling.hpp"
#include "tools/verify.hpp"

#include "ge/model/tensor_file.hpp"

#include <cstdio>
#include <filesystem>

namespace ge::tools {
namespace {

/// NumPy's format; ONNX's for the dtypes that NumPy does not have.
void write_tensor(const std::string& path, const Tensor& tensor, const std::string& name) {
  try {
    write_npy(path + ".npy", tensor);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    write_tensor_pb(path + ".pb", tensor, name);
  }
}

/// A file for each output, or for each tensor of a sequence or an optional: "output_0_2.npy".
void write_outputs(const Inference& inference, const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (size_t i = 0; i < inference.output_count(); ++i) {
    const Value output = inference.output(i);
    const std::string path = folder + "/output_" + std::to_string(i);
    for (size_t t = 0; t < output.tensors.size(); ++t)
      write_tensor(output.kind == ValueKind::tensor ? path : path + "_" + std::to_string(t), output.tensors[t], inference.model().outputs()[i].name);
  }
}

int run(std::span<const char* const> arguments) {
  const RunOptions options = parse_run_options(arguments);
  if (options.help) {
    std::fwrite(run_help.data(), 1, run_help.size(), stdout);
    return 0;
  }
  const auto loaded = load_model(options);
  ThreadPool pool(options.threads);
  if (!options.bisect.empty()) return bisect_model(options, loaded->manager.CreateInstance(loaded->id)->inputs(), pool);
  ModelParam param;
  param.runner = &pool;
  param.max_memory_bytes = options.max_memory_bytes;
  if (options.poison) param.poison = 0xFF;  // NaN
  std::vector<Inference> instances;
  Profiling profiling(options, *loaded, pool.threads());
  for (unsigned i = 0; i < options.instances; ++i) {
    param.profile = profiling.next_instance();
    instances.emplace_back(loaded->manager.CreateInstance(loaded->id, param));
  }

  RunStatistics statistics;
  statistics.compile_ms = loaded->compile_ms;
  statistics.load_ms = loaded->load_ms;
  statistics.threads = pool.threads();
  statistics.instances = options.instances;
  if (options.verify.empty()) {
    measure(instances, make_inputs(instances[0].model().inputs(), options), options, statistics);
    if (!options.output_dir.empty()) write_outputs(instances[0], options.output_dir);
  } else {
    verify(instances[0], options, statistics);
  }
  profiling.write();
  statistics.model = instances[0].model().statistics();
  if (options.verify.empty()) std::fputs(statistics.to_text().c_str(), stdout);
  if (!options.json.empty()) write_text_file(options.json, statistics.to_json());
  return 0;
}

}  // namespace
}  // namespace ge::tools

int main(int argc, char** argv) { return ge::tools::run_program("ge-run", ge::tools::run, argc, argv); }
