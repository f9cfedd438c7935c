#pragma once
#include "ge/graph/graph.hpp"

#include <cstddef>
#include <string>
#include <string_view>

// Takes: a JSON file that says about nodes what their model file cannot: stage level, stream label, engine, scopes,
//   control edges, variables (docs/attributes.md).
// Gives: the same graph with these attributes and edges.
// Next file: ge/graph/infer.hpp
namespace ge {

/// What an attribute file changed.
struct AttributeFileResult {
  size_t attributes = 0, control_edges = 0;
  bool names_engines = false;  ///< some node has an "_engine"
};

/// Sets the attributes on nodes of the root and its subgraphs, by node name:
///   {"nodes": {"conv1": {"_stage_level": 1, "_stream_label": "s1"}}, "control_edges": [["conv1", "conv7"]]}
/// Values are written as in a graph's JSON (docs/json.md). Throws Error(invalid_model), with nothing changed, with all
/// findings: nodes that are not there (with names that are close), attributes that do not begin with "_" or are of the
/// wrong kind, edges between graphs. Control edges that close a circle throw too; the graph is then of no use.
GE_API AttributeFileResult set_attributes(Graph& root, std::string_view json_text);
/// Throws Error(io) when the file cannot be read.
GE_API AttributeFileResult set_attributes_from_file(Graph& root, const std::string& path);

}  // namespace ge
