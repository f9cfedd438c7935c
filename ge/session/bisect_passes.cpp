#include "ge/session/bisect_passes.hpp"

#include "ge/session/compile.hpp"
#include "ge/session/run_graph.hpp"

#include <algorithm>

namespace ge {
namespace {

std::vector<std::string> passes_in_order() {
  std::vector<std::string> names;
  for (const Registered& pass : passes().list()) names.push_back(pass.key);
  // The list is sorted by name.
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) { return passes().at(a).order < passes().at(b).order; });
  return names;
}

std::string first_difference(const std::vector<Value>& got, const std::vector<Value>& expected, Tolerance tolerance) {
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::string text = describe_difference(got[i], expected[i], tolerance);
    if (!text.empty()) return "output " + std::to_string(i) + ": " + text;
  }
  return "";
}

}  // namespace

PassBisectResult bisect_passes(const GraphSource& source, const std::vector<Value>& inputs, const BisectOptions& options) {
  PassBisectResult result;
  const auto reference = in_context([] { return std::string("running the reference"); },
                                    [&] { return run_graph(source(), inputs, {options.reference_engines, options.runner, options.max_memory_bytes}); });
  const auto all = passes_in_order();
  for (const std::string& pass : all)
    if (!options.disabled_passes.contains(pass)) result.passes.push_back(pass);

  CompileOptions compile;
  compile.engines = options.engines;
  compile.max_memory_bytes = options.max_memory_bytes;
  compile.stop_after = CompileStage::passes;
  compile.disabled_passes = {all.begin(), all.end()};
  for (size_t steps = 0; steps <= result.passes.size(); ++steps) {
    if (steps > 0) compile.disabled_passes.erase(result.passes[steps - 1]);
    const auto describe = [&] { return "running with " + (steps == 0 ? "no pass" : "the passes up to '" + result.passes[steps - 1] + "'"); };
    const auto got = in_context(describe, [&] { return run_graph(compile_graph(source(), compile).graph, inputs, {options.engines, options.runner, options.max_memory_bytes}); });
    result.text = first_difference(got, reference, options.tolerance);
    if (result.text.empty()) continue;
    result.steps = steps;
    break;
  }
  return result;
}

std::string PassBisectResult::to_text() const {
  if (!steps) return "no difference after any of " + std::to_string(passes.size()) + " passes\n";
  if (*steps == 0) return "the results differ with no pass at all; the kernels differ\n  " + text + "\n  --bisect=nodes names the node\n";
  std::string text_of_result = "first difference: pass '" + passes[*steps - 1] + "'\n  " + text + "\n  the results agree with ";
  if (*steps == 1) return text_of_result + "no pass\n";
  text_of_result += *steps == 2 ? "the pass" : "the passes";
  for (size_t i = 0; i + 1 < *steps; ++i) text_of_result += (i == 0 ? " " : ", ") + passes[i];
  return text_of_result + " alone\n";
}

}  // namespace ge
