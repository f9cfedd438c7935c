#pragma once
#include "ge/base/tensor_difference.hpp"
#include "ge/graph/graph.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ge {

class TaskRunner;

/// Makes the source graph anew, the same each time: bisecting compiles it several times.
using GraphSource = std::function<std::unique_ptr<Graph>()>;

struct BisectOptions {
  std::vector<std::string> engines;         ///< under test; empty: all that are linked in
  std::set<std::string> disabled_passes;    ///< under test
  std::vector<std::string> reference_engines{"reference"};
  Tolerance tolerance;
  int64_t batch_bytes = int64_t{256} << 20; ///< of tensors looked at in one run, on each side
  int64_t max_memory_bytes = INT64_MAX;     ///< for one run
  TaskRunner* runner = nullptr;             ///< null: ThreadPool::shared()
};

/// The first node whose value differs.
struct GE_API NodeDifference {
  struct Input {
    std::string tensor;
    enum class Kind { given, compared, vanished } kind = Kind::given;  ///< given: an input or a constant of the model
    double largest_error = 0;  ///< compared; 0 for what is compared exactly
  };
  std::string node, op, tensor;  ///< in the source graph
  std::string inside;            ///< the If in whose branch it lies; "" for none
  uint32_t output = 0;
  TensorDifference figures;
  std::string text;              ///< element, both values, largest error
  std::string computed_by;       ///< "node 'name' (Op)" of the graph under test
  std::vector<Input> inputs;     ///< of the node in the source graph; all that were compared agree
  bool begins_here() const;      ///< no input vanished: the node itself is wrong
};

struct GE_API BisectResult {
  size_t compared = 0;           ///< tensors looked at, that of `first` included
  size_t vanished = 0;           ///< tensors of the source graph that the passes removed
  std::optional<NodeDifference> first;
  /// The outputs differ in a plain run although no tensor differs when all are looked at: then what looking at them
  /// changes is the cause (where tensors lie in memory). "" otherwise.
  std::string only_unobserved;

  bool agree() const { return !first && only_unobserved.empty(); }
  std::string to_text() const;
};

/// Takes: a model as a graph, its inputs. Compiles it under test (engines, passes) and plainly (reference engine, no
/// passes), and runs both with the tensors of the source graph that exist in both as additional outputs, added behind the
/// passes, in batches of the source graph's topological order, until one differs. Outputs of the model are compared
/// whatever became of their tensors. Where the first difference is an If, the branch that these inputs take is put in its
/// place on both sides and looked at too. Tensors in the bodies of loops are not looked at: the Loop is named.
/// Throws Error when either side cannot be compiled or run.
GE_API BisectResult bisect_nodes(const GraphSource& source, const std::vector<Value>& inputs, const BisectOptions& options);

}  // namespace ge
