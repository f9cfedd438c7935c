#pragma once
#include "tools/run_options.hpp"

#include "ge/executor/model_manager.hpp"

namespace ge::tools {

/// A loaded model and how long it took.
struct LoadedModel {
  ModelManager manager;
  uint32_t id = 0;
  double start_ms = 0;    ///< when it began, by now_ms()
  double compile_ms = 0;  ///< 0 for a model file
  double load_ms = 0;     ///< mapping and checking the model file
};

/// Loads a model file; compiles an .onnx in memory and loads the result in the same way. Throws Error.
std::unique_ptr<LoadedModel> load_model(const RunOptions& options);

/// Milliseconds on a clock that never goes back.
double now_ms();

}  // namespace ge::tools
