#pragma once
#include "ge/passes/pass.hpp"

#include <functional>
#include <set>
#include <string>

namespace ge {

struct PassOptions {
  std::set<std::string> disabled;       ///< names; an unknown one is an Error(unknown_name) that lists the passes
  bool verify = true;                   ///< verify the graph before the first and after every pass that changed it
  int max_rounds = 8;                   ///< the whole sequence repeats until nothing changes or this many times
  /// Called after every pass that changed something, e.g. to dump; may be empty.
  std::function<void(const std::string& pass, const Graph& graph)> after;
};

/// One line of the report.
struct PassCount {
  std::string name;
  size_t changes = 0;    ///< what apply() counted
  size_t runs = 0;
  int64_t elapsed_ns = 0;
  bool disabled = false;
  size_t matches = 0;    ///< formulas recognised, by passes that count them
};

struct GE_API PassReport {
  std::vector<PassCount> passes;
  std::string dump() const;
};

/// Takes:      an inferred root graph.
/// Gives:      the same graph, optimised and inferred again, and what each pass changed.
/// Invariants: graph outputs keep their names, order and values; subgraph outputs too.
/// Next:       ge/build/build_program.hpp
GE_API PassReport run_passes(Graph& root, PassContext& context, const PassOptions& options);

}  // namespace ge
