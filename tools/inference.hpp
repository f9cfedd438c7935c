#pragma once
#include "ge/base/value.hpp"
#include "ge/executor/static/davinci_model.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace ge::tools {

/// The tensor's bytes where the executor can use them in place: a copy where they are not aligned (strings: as they are).
Tensor aligned(const Tensor& tensor);
Value aligned(Value value);

/// An instance with the memory for its outputs: lent by the instance at first, its own once keep_outputs() was called.
class Inference {
 public:
  explicit Inference(std::unique_ptr<DavinciModel> model);

  struct Run {
    double elapsed_ms = 0;
    std::optional<uint64_t> allocations;  ///< nullopt: not counted
  };
  /// `count` counts the process's allocations meanwhile; one thread at a time may ask for that.
  Run run(const std::vector<Value>& inputs, bool count = false);

  /// Gives the outputs memory of the last run's sizes, so that runs of the same sizes need none.
  void keep_outputs();
  void lend_outputs();

  size_t output_count() const { return outputs_.size(); }
  /// A copy of output `i` of the last run.
  Value output(size_t i) const;
  const DavinciModel& model() const { return *model_; }

 private:
  std::unique_ptr<DavinciModel> model_;
  std::vector<std::vector<InputTensor>> input_tensors_;
  std::vector<InputValue> inputs_;
  std::vector<OutputValue> outputs_;
  std::vector<Tensor> memory_;
};

}  // namespace ge::tools
