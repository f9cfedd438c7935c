#include "tools/load_model.hpp"

#include "ge/session/compile.hpp"

#include <chrono>

namespace ge::tools {
namespace {

std::vector<std::byte> compile_to_bytes(const RunOptions& options) {
  CompileOptions compile;
  compile.import.input_shapes = options.input_shapes;
  compile.disabled_passes = {options.disabled_passes.begin(), options.disabled_passes.end()};
  compile.engines = options.engines;
  compile.max_memory_bytes = options.max_memory_bytes;
  const Compiled compiled = compile_file(options.model, compile);
  return write_om_bytes(*compiled.model, compiled.metadata_json);
}

}  // namespace

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::unique_ptr<LoadedModel> load_model(const RunOptions& options) {
  auto model = std::make_unique<LoadedModel>();
  LoadOptions load;
  load.engines = options.engines;
  if (!options.compiles()) {
    const double start = now_ms();
    model->id = model->manager.LoadModelOffline(options.model, load);
    model->start_ms = start;
    model->load_ms = now_ms() - start;
    return model;
  }
  const double start = now_ms();
  const auto bytes = std::make_shared<const std::vector<std::byte>>(compile_to_bytes(options));
  const double compiled = now_ms();
  model->id = model->manager.LoadModelOffline(*bytes, bytes, load);
  model->start_ms = start;
  model->compile_ms = compiled - start;
  model->load_ms = now_ms() - compiled;
  return model;
}

}  // namespace ge::tools
