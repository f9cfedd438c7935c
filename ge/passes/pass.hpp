#pragma once
#include "ge/base/registry.hpp"
#include "ge/graph/evaluator.hpp"
#include "ge/graph/graph.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ge {

/// What a pass may use beside the graph.
struct PassContext {
  ConstantEvaluator* evaluator = nullptr;      ///< null: nothing can be run, so nothing is folded
  int64_t fold_limit_bytes = int64_t{4} << 20; ///< a folded tensor may be this large, or as large as what it replaces
  size_t matches = 0;  ///< a pass that looks for a formula or an op adds how many its patch replaces
  int64_t fold_growth_bytes = int64_t{64} << 20; ///< all folded tensors may add so much to the constants; used up as they do
  double fold_work = 2e9;                      ///< folding_work() of all nodes that are folded; used up as they are
  /// Whether a linked kernel of the engines in use runs the node; empty: none runs any.
  std::function<bool(const Graph& graph, const Node& node)> has_kernel{};
  /// A node that expand_functions could not take apart, and why. It tries again when other passes found out more, but
  /// not for ever: what it builds in vain is for others to remove.
  struct NotExpanded {
    GraphId graph;  ///< none: the root
    NodeId node;
    std::string why;
    int tries = 0;
  };
  std::vector<NotExpanded> not_expanded{};
};

/// A pass looks at one graph (a root or a subgraph; types are inferred) and returns what to change; it may add nodes,
/// which change nothing until the patch makes something read them. The runner applies the patch, counts it, infers and
/// verifies again, and calls the pass until it returns an empty patch.
using PassFn = Patch (*)(Graph& graph, PassContext& context);

struct Pass {
  int order = 0;  ///< passes run by ascending order, then name
  PassFn run = nullptr;
};
GE_DECLARE_REGISTRY(passes, Pass);

}  // namespace ge

/// REGISTER_PASS("remove_dead", 90, "removes nodes that no output needs", remove_dead);
#define REGISTER_PASS(name, order, doc, fn) GE_REGISTER(::ge::passes, name, doc, ::ge::Pass{order, fn})
