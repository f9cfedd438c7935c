#pragma once
#include "executor/model_case.hpp"

#include <cmath>
#include <limits>

namespace ge::testing {

inline constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

/// A graph of one op on graph inputs, inferred, built, loaded and run. A default Tensor is an absent input.
class OneOp {
 public:
  explicit OneOp(std::string op, Attributes attrs = {}, size_t outputs = 1) : op_(std::move(op)), attributes_(std::move(attrs)), outputs_(outputs) {}

  std::vector<Tensor> run(const std::vector<Tensor>& inputs) const {
    ModelCase model;
    std::vector<OutputRef> refs, all;
    std::vector<Tensor> given;
    for (const Tensor& t : inputs) {
      refs.push_back(t ? model.input("x" + std::to_string(refs.size()), fixed(t.dims()), t.dtype()) : OutputRef{});
      if (t) given.push_back(t);
    }
    const OutputRef first = model.op(op_, refs, attributes_, outputs_);
    for (uint32_t k = 0; k < outputs_; ++k) all.push_back(model.second(first, k));
    model.outputs(all);
    return model.instance()->run(given);
  }
  /// Output 0 as text: "float32[2] 1 2".
  std::string shown(const std::vector<Tensor>& inputs) const { return show(run(inputs)[0]); }
  /// The message of the Error that the walk ends with; "" for none.
  std::string refusal(const std::vector<Tensor>& inputs) const {
    try {
      run(inputs);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

 private:
  static std::vector<Dim> fixed(const std::vector<int64_t>& dims) {
    std::vector<Dim> out;
    for (int64_t d : dims) out.emplace_back(static_cast<int>(d));
    return out;
  }
  std::string op_;
  Attributes attributes_;
  size_t outputs_;
};

inline Tensor halves(std::vector<int64_t> dims, const std::vector<float>& values) {
  std::vector<uint16_t> bits;
  for (float v : values) bits.push_back(float_to_half(v));
  return tensor<uint16_t>(DType::float16, std::move(dims), std::move(bits));
}

/// first, first + 1, …
inline Tensor counted(std::vector<int64_t> dims, float first = 1) {
  std::vector<float> values(static_cast<size_t>(*element_count(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<float>(i);
  return floats(std::move(dims), std::move(values));
}

inline constexpr const char* all_reductions[] = {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1",
                                                 "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"};

}  // namespace ge::testing
