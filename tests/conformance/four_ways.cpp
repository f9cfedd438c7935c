#include "conformance/four_ways.hpp"

#include "ge/executor/model_manager.hpp"
#include "ge/import/onnx.hpp"
#include "ge/model/om.hpp"
#include "ge/session/compile.hpp"

#include <filesystem>
#include <functional>

namespace ge::conformance {
namespace {

/// Of the inputs' types dtype and rank stay; every dim becomes a symbol of its own, and sequences
/// and optionals lose what is said of their elements' dims.
void open_all_dims(Graph& graph) {
  for (const NodeId input : graph.inputs()) {
    TensorType type = graph.type({input, 0});
    if (!type.is_tensor()) type.shape.reset();  // elements of a sequence have dims of their own
    if (type.has_rank())
      for (Expr& dim : *type.shape) dim = graph.symbols().symbol("open", {0, INT32_MAX});
    graph.set_type({input, 0}, std::move(type));
  }
}

Compiled compile(const std::string& path, bool symbolic) {
  auto graph = import_onnx_file(path);
  if (symbolic) open_all_dims(*graph);
  return compile_graph(std::move(graph));
}

std::string text_of(const std::function<std::string()>& body) {
  try {
    return body();
  } catch (const std::exception& error) {
    return *error.what() == '\0' ? "an error without text" : error.what();
  }
}

ModelParam with(TaskRunner& runner) {
  ModelParam param;
  param.runner = &runner;
  return param;
}

/// Runs all data sets; what the first run of each gave goes to `results`.
std::string run_all(DavinciModel& model, const std::string& folder, const Judging& judging, std::vector<std::vector<Value>>& results) {
  std::string wrong;
  for (const GivenSet& set : read_given_sets(folder, model)) {
    results.push_back(run_once(model, set.inputs));
    const std::string what = judge(results.back(), set, judging);
    if (!what.empty()) wrong += (wrong.empty() ? "" : "\n") + what;
  }
  return wrong;
}

/// The same runs again: equal bit by bit, whatever lies in the memory that they work in.
std::string run_poisoned(DavinciModel& model, const std::string& folder, const std::vector<std::vector<Value>>& first) {
  for (const uint8_t byte : {0xCD, 0xFF}) {
    model.Poison(byte);
    const std::vector<GivenSet> sets = read_given_sets(folder, model);
    for (size_t s = 0; s < sets.size(); ++s) {
      const std::vector<Value> again = run_once(model, sets[s].inputs);
      for (size_t i = 0; i < again.size(); ++i)
        if (!equal(again[i], first[s][i]))
          return sets[s].name + ", output " + std::to_string(i) + ": not equal to the first run bit by bit with memory full of " + std::to_string(byte);
    }
  }
  return "";
}

}  // namespace

WayTexts run_ways(const std::string& folder, const std::string& file, const std::string& symbolic_file, const Judging& judging) {
  static ThreadPool runner(1);
  const std::string model = folder + "/model.onnx";
  WayTexts texts;
  const auto text = [&](Way way) -> std::string& { return texts[static_cast<size_t>(way)]; };
  ModelManager manager;
  Compiled compiled;
  text(Way::poisoned) = "not tried: the first run failed";
  text(Way::compiled) = text_of([&] {
    compiled = compile(model, false);
    const auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(*compiled.model, compiled.metadata_json));
    const auto instance = manager.CreateInstance(manager.LoadModelOffline(*bytes, bytes), with(runner));
    std::vector<std::vector<Value>> results;
    const std::string wrong = run_all(*instance, folder, judging, results);
    text(Way::poisoned) = judging.random.empty() ? text_of([&] { return run_poisoned(*instance, folder, results); }) : "";
    return wrong;
  });
  if (!compiled.model) {  // no other way can be tried
    for (std::string& other : texts) other = text(Way::compiled);
    return texts;
  }
  text(Way::through_file) = text_of([&] {
    write_om(file, *compiled.model, compiled.metadata_json);
    const auto instance = manager.CreateInstance(manager.LoadModelOffline(file), with(runner));
    std::vector<std::vector<Value>> results;
    return run_all(*instance, folder, judging, results);
  });
  std::filesystem::remove(file);
  text(Way::symbolic) = text_of([&] {
    const Compiled symbolic = compile(model, true);
    write_om(symbolic_file, *symbolic.model, symbolic.metadata_json);
    return std::string();
  });
  return texts;
}

}  // namespace ge::conformance
