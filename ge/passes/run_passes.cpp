#include "ge/passes/run_passes.hpp"

#include "ge/base/log.hpp"
#include "ge/graph/changes.hpp"
#include "ge/graph/infer.hpp"
#include "ge/graph/verify.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace ge {

GE_DEFINE_REGISTRY(passes, Pass, "pass")

namespace {

/// A pass that is still not done after so many calls on one graph waits for the next round.
constexpr int max_calls = 64;

struct NamedPass {
  std::string name;
  Pass pass;
};

std::vector<NamedPass> in_order() {
  std::vector<NamedPass> all;
  for (const Registered& item : passes().list()) all.push_back({item.key, passes().at(item.key)});
  // The list is sorted by name.
  std::stable_sort(all.begin(), all.end(), [](const NamedPass& a, const NamedPass& b) { return a.pass.order < b.pass.order; });
  return all;
}

/// The graph and the subgraphs that its live nodes own, innermost first: what an inner graph gives up (a capture that
/// it no longer reads) its owner sees in the same sweep.
void collect_live(Graph& graph, std::vector<Graph*>& into) {
  for (NodeId id : graph.subgraph_owners())
    for (GraphId sub : graph.node(id).subgraphs()) collect_live(graph.subgraph(sub), into);
  into.push_back(&graph);
}

class Runner {
 public:
  Runner(Graph& root, PassContext& context, const PassOptions& options) : root_(root), context_(context), options_(options), inference_(root) {
    take_changes(root);  // what came before is inferred
  }

  /// One pass over all graphs, again over those that it changed, until it changes nothing; true when it changed something.
  bool sweep(const NamedPass& pass, PassCount& count) {
    const size_t before = count.changes;
    const auto start = std::chrono::steady_clock::now();
    std::vector<Graph*> graphs;
    collect_live(root_, graphs);
    for (int call = 0; call < max_calls && !graphs.empty(); ++call) {
      std::erase_if(graphs, [&](Graph* graph) { return !changes(*graph, pass, count); });
      if (!graphs.empty()) in_context([&] { return "running pass '" + pass.name + "' on graph '" + root_.name() + "'"; }, [&] { follow(); });
    }
    count.elapsed_ns += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
    if (count.changes == before) return false;
    if (options_.after) options_.after(pass.name, root_);
    return true;
  }

 private:
  /// One call of the pass on one graph; true when it changed something.
  bool changes(Graph& graph, const NamedPass& pass, PassCount& count) {
    return in_context([&] { return "running pass '" + pass.name + "' on graph '" + graph.name() + "'"; }, [&] {
      // Inputs of subgraphs are not a patch's to remove: a pass removes them itself, and they are counted here.
      const size_t inputs = root_.inputs_removed();
      context_.matches = 0;
      const Patch patch = pass.pass.run(graph, context_);
      ++count.runs;
      const size_t changes = graph.apply(patch) + (root_.inputs_removed() - inputs);
      count.changes += changes;
      if (changes != 0) count.matches += context_.matches;
      return changes != 0;
    });
  }

  void follow() {
    const GraphChanges changes = take_changes(root_);
    if (options_.verify) verify(root_, changes);
    inference_.update(changes);
  }

  Graph& root_;
  PassContext& context_;
  const PassOptions& options_;
  Inference inference_;
};

}  // namespace

PassReport run_passes(Graph& root, PassContext& context, const PassOptions& options) {
  for (const std::string& name : options.disabled) passes().at(name);
  const std::vector<NamedPass> all = in_order();
  PassReport report;
  for (const NamedPass& pass : all) report.passes.push_back({pass.name, 0, 0, 0, options.disabled.contains(pass.name)});
  if (options.verify) verify(root);

  Runner runner(root, context, options);
  // A pass that changed nothing need not look again before something is changed.
  std::vector<size_t> seen(all.size(), SIZE_MAX);
  size_t revision = 0;
  bool changed = true;
  for (int round = 0; changed && round < options.max_rounds; ++round) {
    changed = false;
    for (size_t i = 0; i < all.size(); ++i) {
      if (report.passes[i].disabled || seen[i] == revision) continue;
      if (runner.sweep(all[i], report.passes[i])) changed = true, ++revision;
      else seen[i] = revision;
    }
  }
  if (options.verify && revision != 0) verify(root);
  if (changed && options.max_rounds > 0)
    log_debug("graph '" + root.name() + "': passes still change it after " + std::to_string(options.max_rounds) + " rounds");
  return report;
}

std::string PassReport::dump() const {
  std::string text;
  for (const PassCount& pass : passes) {
    char line[160];
    if (pass.disabled)
      std::snprintf(line, sizeof line, "%-28s disabled", pass.name.c_str());
    else
      std::snprintf(line, sizeof line, "%-28s %8zu changes %6zu runs %10.3f ms", pass.name.c_str(), pass.changes, pass.runs,
                    static_cast<double>(pass.elapsed_ns) * 1e-6);
    text += line;
    if (pass.matches > 0) text += " " + std::to_string(pass.matches) + " matches";
    text += "\n";
  }
  return text;
}

}  // namespace ge
