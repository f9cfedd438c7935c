#pragma once
#include "executor/model_case.hpp"
#include "ge/session/compile.hpp"

namespace ge::testing {

/// An instance of the model that `build(b)` builds, compiled with all passes that `options` leaves on.
template <class Build>
std::unique_ptr<Instance> compiled(Build build, const CompileOptions& options = {}) {
  auto graph = std::make_unique<Graph>("case");
  GraphBuild b(*graph);
  build(b);
  const Compiled result = compile_graph(std::move(graph), options);
  return std::make_unique<Instance>(ModelCase::load(*result.model));
}

/// All passes off.
inline CompileOptions no_passes() {
  CompileOptions options;
  for (const Registered& item : passes().list()) options.disabled_passes.insert(item.key);
  return options;
}

}  // namespace ge::testing
