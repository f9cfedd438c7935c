#pragma once
#include "ge/graph/graph.hpp"
#include "ge/import/onnx/draft.hpp"

namespace ge::onnx {

/// Builds an IR graph from an upgraded draft without findings. Subgraphs are closed:
///  - a captured constant becomes a Const of the subgraph that reads it, sharing its bytes;
///  - any other captured value becomes an input of the owning node, after its own ones, and a Data node of each of its
///    subgraphs; a subgraph that only passes a value on to its own subgraphs takes it in the same way.
/// `types` are those of the root's inputs.
std::unique_ptr<Graph> build_graph(const GraphDraft& root, std::vector<TensorType> types, std::unique_ptr<Graph> graph);

}  // namespace ge::onnx
