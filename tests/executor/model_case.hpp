#pragma once
#include "ge/build/build_program.hpp"
#include "ge/executor/model_manager.hpp"
#include "passes/graph_case.hpp"
#include "support/catch.hpp"
#include "support/run_kernel.hpp"

namespace ge::testing {

inline Tensor bools(std::vector<int64_t> dims, std::vector<uint8_t> values) { return tensor<uint8_t>(DType::boolean, std::move(dims), std::move(values)); }
inline Tensor doubles(std::vector<int64_t> dims, std::vector<double> values) { return tensor<double>(DType::float64, std::move(dims), std::move(values)); }
inline Tensor int32s(std::vector<int64_t> dims, std::vector<int32_t> values) { return tensor<int32_t>(DType::int32, std::move(dims), std::move(values)); }

/// "float32[2] 1 2.5": so that a failed comparison shows both sides.
std::string show(const Tensor& t);

/// A copy of what a run gave.
Tensor taken(const OutputTensor& out);

inline InputTensor given(const Tensor& t) { return {t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())}; }

/// An instance of a model whose arena is poisoned before each run.
class Instance {
 public:
  explicit Instance(std::shared_ptr<const LoadedProgram> program, ModelParam param = {});
  ~Instance();

  std::vector<Tensor> run(const std::vector<Tensor>& inputs);
  /// All outputs as text: "float32[1] 3; int64[] 2".
  std::string shown(const std::vector<Tensor>& inputs);
  /// The message of the Error that a run ends with; "" when it ends well.
  std::string refusal(const std::vector<Tensor>& inputs);
  size_t segments() const;
  uint64_t instantiations() const;
  uint64_t ops_on(std::string_view engine) const;

  DavinciModel model;
  ErrorCode code = ErrorCode::internal;  ///< of the last refusal
};

/// A graph built in the test and run from its reloaded model file, with no passes in between.
class ModelCase : public GraphBuild {
 public:
  ModelCase();
  ~ModelCase();

  /// A symbol for dims that may also be 0 (those that dims name otherwise are at least 1). Before its first use.
  void may_be_zero(const std::string& name);
  OutputRef second(OutputRef first, uint32_t index = 1) const { return {first.node, index}; }

  GeModel build(const Packing& packing = {});
  static std::shared_ptr<const LoadedProgram> load(const GeModel& model);
  std::shared_ptr<const LoadedProgram> program();
  std::unique_ptr<Instance> instance(ModelParam param = {});

 private:
  Graph own_{"case"};
  std::shared_ptr<const LoadedProgram> program_;
};

}  // namespace ge::testing
