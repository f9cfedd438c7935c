#pragma once
#include "ge/import/onnx/draft.hpp"

namespace ge::onnx {

/// Holds every node of an upgraded graph and its subgraphs against its op's schema: the op is known, has as many
/// inputs, outputs and subgraphs as it takes, and its attributes are known, of their kind, and there where required.
/// Adds everything that does not fit to `findings`.
void check_nodes(GraphDraft& root, Diagnostics& findings);

/// Whether the node's subgraphs fit it (ONNX If, Loop): counts of inputs and outputs.
void check_subgraphs(NodeDraft& node, Diagnostics& findings);

}  // namespace ge::onnx
