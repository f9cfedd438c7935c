#pragma once
#include "ge/session/compile.hpp"

namespace ge {

/// Writes what one stage gave as readable files; does nothing without a folder.
class StageDump {
 public:
  StageDump(std::string folder, CompileStage stage) : folder_(std::move(folder)), stage_(stage) {}
  /// "N_stage.txt": notes, then the graph as text; "N_stage.dot".
  void graph(const Graph& graph, const std::string& notes) const;
  /// "N_plan.txt": the program, and, where all sizes are known, its task list and memory.
  void program(const GeModel& model, const CompileOptions& options) const;

 private:
  void write(const std::string& ending, const std::string& text) const;
  std::string folder_;
  CompileStage stage_;
};

class StageDumper {
 public:
  explicit StageDumper(std::string folder) : folder_(std::move(folder)) {}
  StageDump at(CompileStage stage) const { return {folder_, stage}; }

 private:
  std::string folder_;
};

}  // namespace ge
