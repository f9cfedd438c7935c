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
inline std::string show(const Tensor& t) {
  std::string out = std::string(to_string(t.dtype())) + dims_to_string(t.dims());
  const auto* texts = reinterpret_cast<const StringRef*>(t.bytes().data());
  if (t.dtype() == DType::string)
    for (int64_t i = 0; i < t.count(); ++i) out += " '" + std::string(texts[i].view()) + "'";
  const auto numbers = t.to_doubles();
  for (size_t i = 0; numbers && i < numbers->size() && i < 64; ++i) {
    char number[32];
    std::snprintf(number, sizeof number, " %g", (*numbers)[i]);
    out += number;
  }
  return out;
}

/// A copy of what a run gave.
inline Tensor taken(const OutputTensor& out) {
  std::vector<int64_t> dims(out.shape().begin(), out.shape().end());
  if (out.dtype != DType::string) return Tensor::copy_of(out.dtype, std::move(dims), {static_cast<const std::byte*>(out.data), static_cast<size_t>(out.size_bytes)});
  std::vector<std::string> texts;
  for (int64_t i = 0; i < out.size_bytes / static_cast<int64_t>(sizeof(StringRef)); ++i) texts.emplace_back(static_cast<const StringRef*>(out.data)[i].view());
  return Tensor::strings(std::move(dims), std::move(texts));
}

inline InputTensor given(const Tensor& t) { return {t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())}; }

/// An instance of a model whose arena is poisoned before each run.
class Instance {
 public:
  explicit Instance(std::shared_ptr<const LoadedProgram> program, ModelParam param = {}) : model(std::move(program), poisoned(param)) {}

  std::vector<Tensor> run(const std::vector<Tensor>& inputs) {
    std::vector<InputTensor> in;
    for (const Tensor& t : inputs) in.push_back(given(t));
    std::vector<OutputTensor> out(model.outputs().size());
    model.NnExecute(in, out);
    std::vector<Tensor> results;
    for (const OutputTensor& o : out) results.push_back(taken(o));
    return results;
  }
  /// All outputs as text: "float32[1] 3; int64[] 2".
  std::string shown(const std::vector<Tensor>& inputs) {
    std::string out;
    for (const Tensor& t : run(inputs)) out += (out.empty() ? "" : "; ") + show(t);
    return out;
  }
  /// The message of the Error that a run ends with; "" when it ends well.
  std::string refusal(const std::vector<Tensor>& inputs) {
    try {
      run(inputs);
    } catch (const Error& error) {
      code = error.code();
      return error.what();
    }
    return "";
  }
  size_t segments() const { return model.statistics().segments_last_run; }
  uint64_t instantiations() const { return model.statistics().instantiations; }
  uint64_t ops_on(std::string_view engine) const {
    for (const auto& [name, count] : model.statistics().ops_by_engine)
      if (name == engine) return count;
    return 0;
  }

  DavinciModel model;
  ErrorCode code = ErrorCode::internal;  ///< of the last refusal

 private:
  static ModelParam poisoned(ModelParam param) {
    param.poison = true;
    return param;
  }
};

/// A graph built in the test and run from its reloaded model file, with no passes in between.
class ModelCase : public GraphBuild {
 public:
  ModelCase() : GraphBuild(own_) {}

  /// A symbol for dims that may also be 0 (those that dims name otherwise are at least 1). Before its first use.
  void may_be_zero(const std::string& name) { graph.symbols().symbol(name, {0, INT32_MAX}); }
  OutputRef second(OutputRef first, uint32_t index = 1) const { return {first.node, index}; }

  GeModel build(const Packing& packing = {}) {
    const InferResult inferred = infer(own_);
    return build_program(own_, inferred, packing);
  }
  static std::shared_ptr<const LoadedProgram> load(const GeModel& model) {
    auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(model, ""));
    return std::make_shared<const LoadedProgram>(OmFile::from_buffer(bytes, *bytes), std::vector<std::string>{});
  }
  std::shared_ptr<const LoadedProgram> program() {
    if (!program_) program_ = load(build());
    return program_;
  }
  std::unique_ptr<Instance> instance(ModelParam param = {}) { return std::make_unique<Instance>(program(), param); }

 private:
  Graph own_{"case"};
  std::shared_ptr<const LoadedProgram> program_;
};

}  // namespace ge::testing
