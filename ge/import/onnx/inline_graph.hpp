#pragma once
#include "ge/import/onnx/upgrade.hpp"

namespace ge::onnx {

/// Puts the nodes of a prepared subgraph of `u.node` into u.instead, with its inputs standing for `inputs` (as many) and
/// fresh names for all that it defines; constants go to the graph around. Values from outside keep their names. Returns
/// the names of the subgraph's outputs. The subgraph is left as it is.
std::vector<std::string> inline_graph(Upgrade& u, const GraphDraft& graph, const std::vector<std::string>& inputs);

}  // namespace ge::onnx
