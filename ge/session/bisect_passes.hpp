#pragma once
#include "ge/session/bisect.hpp"

namespace ge {

struct GE_API PassBisectResult {
  std::vector<std::string> passes;  ///< those that were switched on one after the other, in the order in which they run
  /// Differs with the first `steps` of them; 0: with none of them, so the kernels under test differ.
  std::optional<size_t> steps;
  std::string text;                 ///< output, element, both values

  bool agree() const { return !steps; }
  std::string to_text() const;
};

/// Names the pass that first changes the results: the model is run under test with no pass, the first pass, the first two, …
/// and its outputs are compared with those of a plain run (reference engine, no passes). As bisect_nodes().
GE_API PassBisectResult bisect_passes(const GraphSource& source, const std::vector<Value>& inputs, const BisectOptions& options);

}  // namespace ge
