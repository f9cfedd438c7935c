#pragma once
#include "ge/session/compile.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ge {

/// What one compile gave, as plain data: what the page of ge-atc --report shows (CR-8). Texts come from model files and
/// may be any bytes. `why_none` in a part says why that part is empty; "" where it is not.
struct CompileReport {
  struct Port {
    std::string name, type;  ///< type as in to_string(TensorType), with symbolic dims
  };
  struct Stage {
    std::string name;
    double elapsed_ms = 0;
  };
  struct Pass {
    std::string name;
    uint64_t runs = 0, changes = 0;
    std::optional<uint64_t> matches;  ///< where passes count them
    double elapsed_ms = 0;
    bool disabled = false;
  };
  /// What became of one kernel when a node's kernel was chosen.
  enum class Verdict : uint8_t {
    chosen,
    not_needed,     ///< stands behind the chosen one
    not_supported,  ///< refuses the node's types or attributes
    not_allowed,    ///< its engine is left out by an option
  };
  struct Candidate {
    std::string engine, variant;
    Verdict verdict = Verdict::not_needed;
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };
  using Choice = std::vector<Candidate>;  ///< in the order in which the kernels are asked

  struct Input {
    int32_t node = -1;       ///< of the same graph; -1: a constant, or absent
    uint32_t output = 0;
    int32_t constant = -1;   ///< row of `constants`; -1 with node -1: absent
  };
  enum class NodeKind : uint8_t { op, input, output };
  struct Node {
    NodeKind kind = NodeKind::op;
    std::string name, op;    ///< as in the source model; op with its domain
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<Input> inputs;
    std::vector<Port> outputs;
    std::vector<int32_t> after;        ///< control edges
    std::vector<uint32_t> subgraphs;   ///< rows of `graphs`
    int32_t choice = -1;               ///< row of `choices`; -1: runs no kernel
  };
  struct Graph {
    std::string name;
    int32_t owner_graph = -1, owner_node = -1;
    std::vector<Node> nodes;           ///< in topological order; empty when they are left out
  };
  struct Constant {
    std::string name, type, value;     ///< value: of a scalar
    int64_t size_bytes = 0;
  };

  /// The arena over the tasks of one segment.
  struct Memory {
    struct Buffer {
      uint64_t offset = 0;
      int64_t size_bytes = 0;
      uint32_t first = 0, last = 0;    ///< tasks
      std::vector<std::string> names;  ///< tensors, or what the scratch memory is for
      int32_t inside = -1;             ///< the buffer that it lies in while that lives (written in place, or a part of it)
    };
    std::string why_none;
    std::string note;                  ///< what the map does not show; "" when nothing
    int64_t arena_bytes = 0, lower_bound_bytes = 0;
    uint32_t peak_task = 0;            ///< the first at which the sizes of live buffers have their largest sum
    uint64_t task_count = 0;
    std::vector<int32_t> tasks;        ///< rows of `ops`, -1: copies an output; empty when there are too many
    std::vector<Buffer> buffers;
  };
  /// What runs of the compiled model took.
  struct Time {
    /// One node, or all nodes of one op and kernel; tasks and time of all runs together.
    struct Row {
      std::string name, op;            ///< name: empty for all nodes of an op, and where an output is copied
      std::string kernel;              ///< engine, and variant where it has one
      uint64_t nodes = 1, tasks = 0;
      double total_ms = 0;
    };
    std::string why_none;
    std::string note;
    unsigned runs = 0;
    double median_ms = 0;              ///< of one run
    std::vector<Row> by_op, by_node;   ///< the slowest first; by_node: not more than ReportRequest::most_nodes
  };

  std::string model, version;
  std::vector<Port> inputs, outputs;
  std::string shapes;                  ///< input sizes that `memory` and `time` are for
  uint64_t imported_ops = 0, compiled_ops = 0;
  int64_t constant_bytes = 0, file_bytes = 0;  ///< file_bytes 0: no file was written
  std::vector<Stage> stages;
  std::vector<Pass> passes;
  std::vector<std::string> engines;    ///< what --engines allows; empty: all

  std::vector<Graph> graphs;           ///< the root first
  std::vector<Constant> constants;
  std::vector<Choice> choices;
  std::vector<std::pair<std::string, uint64_t>> op_counts;  ///< over all graphs, the most frequent first
  std::string nodes_left_out;          ///< why `graphs` has no nodes; "" when it has them

  std::vector<std::pair<std::string, std::string>> ops;     ///< name and op of the program's rows; empty when they are too many
  Memory memory;
  Time time;
};

/// What a report needs beside the compile itself.
struct ReportRequest {
  std::string model;                         ///< how the page calls the model: its path
  std::string model_file;                    ///< the file written by the compile; "" when there is none
  std::vector<CompileReport::Stage> stages;
  std::vector<Tensor> inputs;                ///< for runs: one for each model input
  std::string no_inputs_because;             ///< why there are none; "" when they are there
  unsigned most_runs = 10;                   ///< of the model; 0 runs nothing
  double enough_ms = 2000;                   ///< no further run starts after this time
  size_t most_nodes = 20'000;                ///< a larger graph is told by op counts; also rows of times by node
  size_t most_buffers = 20'000;              ///< the largest buffers are shown
};

/// Looks at a compile and, where inputs are given, at an instantiation and some runs for their sizes. What cannot be
/// shown, a run that fails included, is said in the report. Throws Error only where `model_file` cannot be read.
GE_API CompileReport gather_report(const Compiled& compiled, const CompileOptions& options, const ReportRequest& request);

/// The report as one line of JSON without '<', so that it can stand inside an HTML script element. Bytes that are no
/// UTF-8 become U+FFFD.
GE_API std::string to_json(const CompileReport& report);

/// One HTML page that needs nothing else: no network, no other file.
GE_API std::string report_page(const CompileReport& report);

}  // namespace ge
