#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ge::tools {

/// What ge-run is asked to do.
struct RunOptions {
  bool help = false;
  std::string model;
  std::map<std::string, std::string> input_files;           ///< by input name; the others get random elements
  std::map<std::string, std::vector<int64_t>> input_shapes;
  unsigned iterations = 10, warmup = 1;
  double duration_s = 0;                                    ///< > 0: run that long instead of `iterations`
  unsigned threads = 0;                                     ///< 0: what the machine gives
  unsigned instances = 1;
  std::string json, output_dir;
  std::string profile;                                      ///< file for a trace of all runs; "" for none
  std::string verify;                                       ///< folder in ONNX's test layout; "" to measure instead
  double rtol = 1e-3, atol = 1e-5;
  unsigned runs_per_set = 1;
  std::string dump_outputs;
  std::string bisect;                                       ///< "nodes" or "passes"; "" to run the model
  bool poison = false;
  std::vector<std::string> engines, disabled_passes;
  int64_t max_memory_bytes = INT64_MAX;

  bool compiles() const { return model.ends_with(".onnx") || model.ends_with(".json"); }
};

extern const std::string_view run_help;

/// Throws UsageError.
RunOptions parse_run_options(std::span<const char* const> arguments);

}  // namespace ge::tools
