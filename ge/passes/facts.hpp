#pragma once
#include "ge/graph/graph.hpp"

#include <optional>
#include <vector>

/// What several passes ask about a graph before they change it.
namespace ge {

/// Whether something runs before or after the node for another reason than its values. Passes leave such nodes alone:
/// without them the order of their neighbours would be lost.
bool has_control_edges(const Graph& graph, const Node& node);

/// The same for all nodes, by id, in one walk: for passes that ask it of producers, which may have very many readers.
std::vector<bool> nodes_with_control_edges(const Graph& graph);

/// Which outputs of the node somebody reads, ascending.
std::vector<uint32_t> read_outputs(const Graph& graph, const Node& node);

/// The elements of an integer or bool value that is the same in every run: a Const, or inferred to be constant.
std::optional<std::vector<int64_t>> known_ints(const Graph& graph, OutputRef ref);

/// Both ranks are known and all dims are the same expressions.
bool same_shape(const Graph& graph, OutputRef a, OutputRef b);

/// Whether every element is `value`; for float types a zero must have the same sign. False for an empty tensor and for
/// types that do not widen to double.
bool is_filled_with(const Tensor& tensor, double value);

}  // namespace ge
