#pragma once
#include "ge/import/onnx/draft.hpp"

namespace ge::onnx {

/// Takes a draft as read. Gives, for it and all subgraphs: Constant nodes moved to `constants`, every value defined
/// once, every name that is read defined here or outside, `captures` filled, nodes sorted (producers first; as written
/// where that is valid). What is wrong is added to `findings`.
void prepare(GraphDraft& root, GrowthLimit& growth, Diagnostics& findings);

/// The value of a Constant node (ONNX Constant, opsets 1 to 25), or a finding and nothing.
std::optional<Tensor> constant_value(const NodeDraft& node, Diagnostics& findings);

/// Sorts nodes so that what they and their subgraphs read comes first; a cycle becomes a finding.
void sort_nodes(GraphDraft& graph, Diagnostics& findings);

}  // namespace ge::onnx
