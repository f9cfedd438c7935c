#pragma once
#include "ge/graph/graph.hpp"

#include <string>

namespace ge {

/// A line per live node in topological order, subgraphs indented below their owner:
///   %conv_1 float32[N, 64, 56, 56] = Conv(%x, %w) group=1  'conv_1'
/// Nodes that it runs after (control edges) stand behind the name: 'conv_1' after 'a', 'b'.
GE_API std::string to_text(const Graph& graph);
/// Graphviz: nodes by op, edges labelled with types, subgraphs as clusters.
GE_API std::string to_dot(const Graph& graph);

}  // namespace ge
