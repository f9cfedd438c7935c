#pragma once
#include "ge/base/value.hpp"
#include "ge/executor/tensor_io.hpp"
#include "ge/graph/graph.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ge {

class TaskRunner;

/// What a graph is run with.
struct RunGraphOptions {
  std::vector<std::string> engines;      ///< empty: all that are linked in
  TaskRunner* runner = nullptr;          ///< null: ThreadPool::shared()
  int64_t max_memory_bytes = INT64_MAX;
};

/// Plans a graph as it is, with no pass over it but expand_functions (of ops that no kernel runs), and runs it once; gives
/// copies of its outputs. Throws Error.
GE_API std::vector<Value> run_graph(std::unique_ptr<Graph> graph, const std::vector<Value>& inputs, const RunGraphOptions& options);

/// A copy of what a run gave, strings included.
GE_API Tensor to_tensor(const OutputTensor& output);
/// The same of an output of that kind.
GE_API Value to_value(const OutputValue& output, ValueKind kind);

}  // namespace ge
