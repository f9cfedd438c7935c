/// Chains of views become one view, or nothing: transposes, reshapes, slices, broadcasts, and parts put together and
/// taken apart again. The rules are those of views.hpp.
///
/// Before: Transpose(Transpose(x))                       After: x
/// Before: Reshape(Squeeze(Unsqueeze(x)))                After: Reshape(x)
/// Before: Slice(Concat(a, b)) where a ends              After: b
///
/// A rule applies only where it is proven for every run: by arithmetic, or since dims are the same expressions and
/// inference gives the new node exactly the old one's shape.
///
/// Readers first: a node whose readers have all found their values further back is passed over, so of a long chain only
/// what is read is built anew. It is left to remove_dead.
#include "ge/graph/order.hpp"
#include "ge/passes/facts.hpp"
#include "ge/passes/pass.hpp"
#include "ge/passes/views.hpp"

#include <map>

namespace ge {
namespace {

using ViewRule = NewSources (*)(const Views&, const Node&);

const std::map<std::string, std::vector<ViewRule>, std::less<>>& rules() {
  static const std::map<std::string, std::vector<ViewRule>, std::less<>> all = {
      {"Transpose", {compose_transposes, shorten_reshapes}},
      {"Reshape", {shorten_reshapes}},
      {"Squeeze", {shorten_reshapes}},
      {"Unsqueeze", {shorten_reshapes}},
      {"Flatten", {shorten_reshapes}},
      {"Slice", {take_concat_part, compose_slices}},
      {"Split", {take_concat_parts}},
      {"Expand", {compose_expands}},
      {"Concat", {flatten_concat}},
  };
  return all;
}

class Simplification {
 public:
  explicit Simplification(Graph& graph) : graph_(graph), ordered_(nodes_with_control_edges(graph)), read_(graph.node_count(), false) {}

  Patch run() {
    const std::vector<NodeId> order = topological_order(graph_);
    for (size_t i = order.size(); i-- > 0;) {
      const NodeId id = order[i];
      if (!read_[id.value] && !ordered_[id.value] && !graph_.node(id).outputs().empty()) continue;
      if (!replace(id)) mark_inputs(id);
    }
    return std::move(patch_);
  }

 private:
  /// True when nothing reads the node any more.
  bool replace(NodeId id) {
    if (ordered_[id.value] || !graph_.node(id).domain().empty()) return false;
    const auto found = rules().find(graph_.node(id).op());
    if (found == rules().end()) return false;
    const size_t before = graph_.node_count();
    for (const ViewRule rule : found->second) {
      const NewSources sources = rule({graph_, ordered_}, graph_.node(id));
      if (sources.empty()) continue;
      for (const auto& [output, source] : sources) {
        patch_.replace({id, output}, source);
        mark(source);
      }
      for (size_t added = before; added < graph_.node_count(); ++added) mark_inputs(NodeId(static_cast<uint32_t>(added)));
      if (sources.size() < read_outputs(graph_, graph_.node(id)).size()) return false;
      patch_.remove(id);
      return true;
    }
    return false;
  }
  void mark(OutputRef ref) {
    if (ref && ref.node.value < read_.size()) read_[ref.node.value] = true;
  }
  void mark_inputs(NodeId id) {
    for (OutputRef ref : graph_.node(id).inputs()) mark(ref);
  }

  Graph& graph_;
  const std::vector<bool> ordered_;  ///< by node, as is read_; nodes that rules add come after these
  std::vector<bool> read_;           ///< something that stays reads it
  Patch patch_;
};

Patch simplify_views(Graph& graph, PassContext&) { return Simplification(graph).run(); }

}  // namespace
}  // namespace ge

REGISTER_PASS("simplify_views", 50, "shortens chains of transposes, reshapes, slices, broadcasts and concatenations", ge::simplify_views);
