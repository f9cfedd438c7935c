#pragma once
#include "ge/graph/graph.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

// Takes: the readable form of the IR (docs/json.md).
// Gives: the graph that was written: names, order, types, constants and control edges as they were. Removed nodes,
//   subgraphs that no node owns and symbols that nothing uses are not written.
// Invariants: text → graph → text is the same text; graph → text → graph is the same graph.
// Next file: ge/graph/infer.hpp
namespace ge {

struct JsonLimits {
  /// Reading, the graph included, may take 4 × the text + 64 MiB, and this much more. Graphs of a million small nodes
  /// need it: a node of the IR takes more than its line.
  size_t more_bytes = 0;
};

/// The text of a root graph: one node a line, UTF-8. Throws Error(invalid_argument) for a graph that is no root.
GE_API std::string export_json(const Graph& graph);
/// Writes the text beside `path` first, then puts it in its place. Throws Error(io).
GE_API void export_json_file(const Graph& graph, const std::string& path);

/// Throws Error(invalid_model) with all findings, each with its place ("graphs[0].nodes[3].inputs[0]", or line and
/// column where the text is no JSON), and Error(out_of_memory) when the limit is passed. The graph is verified.
GE_API std::unique_ptr<Graph> import_json(std::string_view text, const JsonLimits& limits = {});
/// Throws Error(io) when the file cannot be read.
GE_API std::unique_ptr<Graph> import_json_file(const std::string& path, const JsonLimits& limits = {});

}  // namespace ge
