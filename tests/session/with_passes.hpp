#pragma once
#include "executor/model_case.hpp"
#include "ge/passes/pass.hpp"
#include "ge/session/compile.hpp"

#include <cstdlib>
#include <functional>
#include <random>

namespace ge::testing {

/// How many seeds; GE_TEST_SEEDS asks for more.
inline uint32_t seeds(uint32_t usual) {
  const char* text = std::getenv("GE_TEST_SEEDS");
  return text == nullptr ? usual : static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
}

/// The passes that a compile leaves out so that only these run; the graph that no pass has touched is the reference.
inline std::set<std::string> all_but(const std::set<std::string>& wanted) {
  std::set<std::string> disabled;
  for (const Registered& pass : passes().list())
    if (!wanted.contains(pass.key)) disabled.insert(pass.key);
  return disabled;
}

/// One graph, built the same way again and again, compiled with different passes and run on the reference kernels.
class WithPasses {
 public:
  using Fill = std::function<void(GraphBuild&)>;
  explicit WithPasses(Fill fill) : fill_(std::move(fill)) {}

  std::unique_ptr<Instance> compiled(const std::set<std::string>& disabled) {
    auto graph = std::make_unique<Graph>("case");
    GraphBuild build(*graph);
    fill_(build);
    CompileOptions options;
    options.disabled_passes = disabled;
    Compiled compiled = compile_graph(std::move(graph), options);
    shown = text(*compiled.graph);
    changes.clear();
    for (const PassCount& pass : compiled.passes.passes) changes[pass.name] = pass.changes;
    return std::make_unique<Instance>(ModelCase::load(*compiled.model));
  }
  std::string shown;                      ///< the last compiled graph
  std::map<std::string, size_t> changes;  ///< by pass, of the last compile

 private:
  Fill fill_;
};

/// "" where both are equal, floats within atol + rtol * |expected| (NaN equals NaN, either zero the other), else which
/// element differs.
inline std::string difference(const std::vector<Tensor>& expected, const std::vector<Tensor>& found, double atol, double rtol) {
  for (size_t k = 0; k < expected.size(); ++k) {
    if (expected[k].dtype() != found[k].dtype() || expected[k].dims() != found[k].dims()) return "output " + std::to_string(k) + ": " + show(expected[k]) + " became " + show(found[k]);
    const auto a = expected[k].to_doubles(), b = found[k].to_doubles();
    for (size_t i = 0; a && i < a->size(); ++i) {
      const double x = (*a)[i], y = (*b)[i];
      if (x == y || (x != x && y != y) || std::abs(x - y) <= atol + rtol * std::abs(x)) continue;
      return "output " + std::to_string(k) + ", element " + std::to_string(i) + ": " + std::to_string(x) + " became " + std::to_string(y);
    }
  }
  return "";
}

}  // namespace ge::testing
