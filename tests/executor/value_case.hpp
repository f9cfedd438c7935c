#pragma once
#include "executor/model_case.hpp"

#include "ge/base/value.hpp"

namespace ge::testing {

inline std::string show(const Value& value) {
  if (value.kind == ValueKind::tensor) return show(value.tensors.at(0));
  if (!value.present) return kind_text(value.kind, "nothing");
  std::string text;
  for (const Tensor& tensor : value.tensors) text += (text.empty() ? "" : ", ") + show(tensor);
  return kind_text(value.kind, text);
}

inline Value sequence(std::vector<Tensor> elements) { return {ValueKind::sequence, std::move(elements)}; }

/// An instance whose inputs and outputs may be sequences and optionals.
class ValueInstance : public Instance {
 public:
  using Instance::Instance;
  std::string shown(const std::vector<Value>& inputs) {
    std::vector<std::vector<InputTensor>> tensors;
    std::vector<InputValue> in;
    for (const Value& value : inputs) {
      tensors.emplace_back();
      for (const Tensor& t : value.tensors) tensors.back().push_back(given(t));
      in.push_back({tensors.back(), value.present});
    }
    out_.resize(model.outputs().size());
    model.NnExecute(in, out_);
    std::string text;
    for (size_t i = 0; i < out_.size(); ++i) {
      Value value(model.outputs()[i].kind, {});
      value.present = out_[i].present;
      for (const OutputTensor& tensor : out_[i].tensors) value.tensors.push_back(taken(tensor));
      text += (i == 0 ? "" : "; ") + show(value);
    }
    return text;
  }
  std::string refusal(const std::vector<Value>& inputs) {
    try {
      shown(inputs);
    } catch (const Error& error) {
      code = error.code();
      return error.what();
    }
    return "";
  }

 private:
  std::vector<OutputValue> out_;
};

/// A graph with inputs of any kind, run from its reloaded model file.
class ValueCase : public ModelCase {
 public:
  OutputRef input_of(ValueKind kind, std::string name, DType dtype = DType::float32) { return graph.add_input(std::move(name), {dtype, std::nullopt, std::nullopt, kind}); }
  std::unique_ptr<ValueInstance> instance(ModelParam param = {}) { return std::make_unique<ValueInstance>(program(), param); }
  OutputRef position(std::string name) { return input(std::move(name), {}, DType::int64); }
};

inline Tensor at(int64_t n) { return Tensor::scalar(n); }

}  // namespace ge::testing
