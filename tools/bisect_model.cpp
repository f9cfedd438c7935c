#include "tools/bisect_model.hpp"

#include "tools/data_sets.hpp"
#include "tools/model_inputs.hpp"
#include "tools/verify.hpp"

#include "ge/import/onnx.hpp"
#include "ge/session/bisect_passes.hpp"

#include <cstdio>

namespace ge::tools {
namespace {

/// True when no difference was found.
bool bisect_once(const RunOptions& options, const std::vector<Value>& inputs, TaskRunner& runner) {
  const GraphSource source = [&] { return import_onnx_file(options.model, {options.input_shapes}); };
  BisectOptions bisect;
  bisect.engines = options.engines;
  bisect.disabled_passes = {options.disabled_passes.begin(), options.disabled_passes.end()};
  bisect.tolerance = {options.rtol, options.atol};
  bisect.max_memory_bytes = options.max_memory_bytes;
  bisect.runner = &runner;
  const auto show = [](const auto& result) {
    std::fputs(result.to_text().c_str(), stdout);
    return result.agree();
  };
  return options.bisect == "passes" ? show(bisect_passes(source, inputs, bisect)) : show(bisect_nodes(source, inputs, bisect));
}

}  // namespace

int bisect_model(const RunOptions& options, const std::vector<PortDescription>& ports, TaskRunner& runner) {
  if (options.verify.empty()) return bisect_once(options, make_inputs(ports, options), runner) ? 0 : 1;
  for (const DataSet& set : find_data_sets(options.verify)) {
    std::printf("%s: ", set.name.c_str());
    const auto inputs = read_set_inputs(set, ports);
    if (!in_context([&] { return "bisecting with " + set.name; }, [&] { return bisect_once(options, inputs, runner); })) return 1;
  }
  return 0;
}

}  // namespace ge::tools
