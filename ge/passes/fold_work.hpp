#pragma once
#include "ge/graph/graph.hpp"

#include <span>

namespace ge {

/// About how many elements a node reads, writes and multiplies for these inputs (absent ones are default tensors) and
/// its inferred outputs: what folding it costs. An upper bound for the ops whose work is more than linear; saturates.
/// Outputs of unknown size count nothing.
double folding_work(const Node& node, std::span<const Tensor> inputs);

}  // namespace ge
