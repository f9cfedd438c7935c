#pragma once
#include "ge/passes/sketch.hpp"

#include <optional>
#include <utility>
#include <vector>

/// The rules of simplify_views. Each looks at one node and finds values that its outputs are, from nearer to the graph's
/// inputs; it may add nodes for them, and changes nothing else.
namespace ge {

/// The graph as these rules see it.
struct Views {
  Graph& graph;
  const std::vector<bool>& ordered;  ///< by node: has control edges, and is not looked through

  /// How many nodes a rule looks back. Longer chains take several calls, which keeps each of them linear.
  static constexpr int max_links = 16;

  /// The producer of `ref` if it is that op, and may be looked through; else null.
  const Node* producer(OutputRef ref, std::string_view op) const {
    if (!ref) return nullptr;
    const Node& node = graph.node(ref.node);
    return node.is(op) && !ordered[ref.node.value] ? &node : nullptr;
  }
};

/// (output, what it is) for outputs of a node; empty when nothing was found.
using NewSources = std::vector<std::pair<uint32_t, OutputRef>>;

/// Reshape, Squeeze, Unsqueeze, Flatten, Identity, and Transposes that move only axes of size 1: any chain of them keeps
/// the order of elements, so it is one view of where it starts, or nothing at all.
NewSources shorten_reshapes(const Views& views, const Node& node);
/// Transpose of Transpose: one with the permutations composed, or none.
NewSources compose_transposes(const Views& views, const Node& node);
/// Slice of Slice: one Slice.
NewSources compose_slices(const Views& views, const Node& node);
/// Expand of Expand: one Expand.
NewSources compose_expands(const Views& views, const Node& node);
/// Concat of Concats along the same axis that nobody else reads: one Concat.
NewSources flatten_concat(const Views& views, const Node& node);
/// Slice (Split) of a Concat along its axis, from border to border of its parts: the part, or the Concat of these parts.
NewSources take_concat_part(const Views& views, const Node& node);
NewSources take_concat_parts(const Views& views, const Node& node);

/// Attribute perm with axes counted from the front; the reversed axes where it is absent. nullopt without a known rank.
std::optional<std::vector<int64_t>> permutation(const Graph& graph, const Node& transpose);

/// What a Slice (opset 13) takes along one axis, as it is written.
struct Cut {
  int64_t start, end, step;
};
/// By axis, counted from the front; nullopt where something is not known.
std::optional<std::vector<std::pair<size_t, Cut>>> read_slice(const Graph& graph, const Node& slice);

/// Whether the start or end of a slice lies behind any dim: "to the very end" (as inference has it).
constexpr bool beyond_any_dim(int64_t bound) { return bound == INT32_MAX || bound >= int64_t{1} << 62; }

}  // namespace ge
