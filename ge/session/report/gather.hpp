#pragma once
#include "ge/session/report/report.hpp"

// The parts of gather_report(), each of which fills in its own part of the report.
namespace ge {

class LoadedProgram;

/// Graphs, constants, choices and op counts.
void gather_graphs(const Graph& root, const std::vector<std::string>& engines, size_t most_nodes, CompileReport& report);

/// Which kernel runs a node, and why: every kernel of its op in the order in which they are asked.
CompileReport::Choice kernel_choice(const Graph& graph, const Node& node, const std::vector<std::string>& engines);

/// The arena of the first segment for the sizes of `request.inputs`.
void gather_memory(const LoadedProgram& program, const CompileOptions& options, const ReportRequest& request, CompileReport& report);

/// Runs the program on `request.inputs`.
void gather_time(const std::shared_ptr<const LoadedProgram>& program, const CompileOptions& options, const ReportRequest& request, CompileReport& report);

}  // namespace ge
