#pragma once
#include "ge/graph/graph.hpp"
#include "ge/import/onnx.hpp"
#include "ge/model/program.hpp"
#include "ge/passes/run_passes.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ge {

/// The walk, in order. `gears`, `split` and `lower` have nothing to do yet: a compile passes through them unchanged.
enum class CompileStage { import, infer, passes, gears, split, lower, plan, model };
GE_API const std::vector<std::string_view>& stage_names();
/// Throws Error(unknown_name) that lists the stages.
GE_API CompileStage stage_from_name(std::string_view name);

struct CompileOptions {
  ImportOptions import;
  std::string attribute_file;  ///< ge/import/attribute_file.hpp; "" for none
  std::set<std::string> disabled_passes;
  bool verify_passes = true;
  int64_t fold_limit_bytes = int64_t{4} << 20;
  int64_t max_memory_bytes = INT64_MAX;
  std::vector<std::string> engines;
  std::optional<CompileStage> stop_after;
  std::string dump_folder;  ///< where each stage writes "N_stage.txt" (graphs also "N_stage.dot"); "" for no dumps
  std::function<void(CompileStage)> progress;  ///< called when a stage begins
};

/// What a compile gives. `model` is empty when it stopped before `plan`.
struct Compiled {
  std::unique_ptr<Graph> graph;
  PassReport passes;
  size_t imported_ops = 0;    ///< as op_count() of the graph before the passes
  std::optional<GeModel> model;
  std::string metadata_json;  ///< options, inputs and outputs, pass counts; for the model file's readable section
};

/// Nodes that compute (no inputs, constants, outputs), those of owned subgraphs included.
GE_API size_t op_count(const Graph& graph);

/// import → infer → passes → (gears → split → lower →) plan. Throws Error with the stage as context.
GE_API Compiled compile_onnx(const std::string& path, const CompileOptions& options = {});
/// The same for a graph in its JSON form (ge/import/json.hpp). Takes no input shapes: the document's Data nodes say them.
GE_API Compiled compile_json(const std::string& path, const CompileOptions& options = {});
/// compile_json for a path that ends in ".json", else compile_onnx.
GE_API Compiled compile_file(const std::string& path, const CompileOptions& options = {});
/// The same for a graph built or imported elsewhere.
GE_API Compiled compile_graph(std::unique_ptr<Graph> graph, const CompileOptions& options = {});

}  // namespace ge
