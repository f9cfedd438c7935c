#pragma once
#include "ge/graph/graph.hpp"

#include <memory>

namespace ge::bench {

/// A layered graph of about `nodes` nodes (subgraphs included) over a symbolic batch: 16 kinds of operators, a constant
/// for every third of them, 1 % Ifs (half decided by an input, half by a value), duplicates, identities and foldable
/// parts for the passes to find. The same `seed` gives the same graph.
std::unique_ptr<Graph> layered_graph(size_t nodes, uint32_t seed);

}  // namespace ge::bench
