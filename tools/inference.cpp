#include "tools/inference.hpp"

#include "tools/allocation_counter.hpp"
#include "tools/load_model.hpp"

#include <algorithm>

namespace ge::tools {

Tensor aligned(const Tensor& tensor) {
  if (tensor.dtype() == DType::string || reinterpret_cast<uintptr_t>(tensor.bytes().data()) % 64 == 0) return tensor;
  Tensor copy = Tensor::zeros(tensor.dtype(), tensor.dims());
  if (!tensor.bytes().empty()) std::memcpy(copy.mutable_data(), tensor.bytes().data(), tensor.bytes().size());
  return copy;
}

Value aligned(Value value) {
  for (Tensor& tensor : value.tensors) tensor = aligned(tensor);
  return value;
}

Inference::Inference(std::unique_ptr<DavinciModel> model) : model_(std::move(model)), outputs_(model_->outputs().size()) {
  input_tensors_.resize(model_->inputs().size());
  inputs_.resize(model_->inputs().size());
}

Inference::Run Inference::run(const std::vector<Value>& inputs, bool count) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    input_tensors_[i].clear();
    for (const Tensor& t : inputs[i].tensors) input_tensors_[i].push_back({t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())});
    inputs_[i] = {input_tensors_[i], inputs[i].present};
  }
  Run run;
  std::optional<AllocationCount> counter;
  if (count) counter.emplace();
  const double start = now_ms();
  model_->NnExecute(inputs_, outputs_);
  run.elapsed_ms = now_ms() - start;
  if (counter) run.allocations = counter->taken();
  counter.reset();
  return run;
}

void Inference::keep_outputs() {
  memory_.clear();
  for (OutputValue& value : outputs_)
    for (OutputTensor& out : value.tensors) {
      memory_.push_back(Tensor::zeros(DType::uint8, {std::max<int64_t>(out.size_bytes, 1)}));
      out = OutputTensor{};
      out.data = memory_.back().mutable_data();
      out.capacity_bytes = static_cast<int64_t>(memory_.back().bytes().size());
    }
}

void Inference::lend_outputs() {
  outputs_.assign(outputs_.size(), OutputValue{});
  memory_.clear();
}

static Tensor copied(const OutputTensor& out) {
  std::vector<int64_t> dims(out.shape().begin(), out.shape().end());
  const std::span bytes(static_cast<const std::byte*>(out.data), static_cast<size_t>(out.size_bytes));
  if (out.dtype != DType::string) return Tensor::copy_of(out.dtype, std::move(dims), bytes);
  std::vector<std::string> strings;
  for (size_t s = 0; s < bytes.size() / sizeof(StringRef); ++s) strings.emplace_back(static_cast<const StringRef*>(out.data)[s].view());
  return Tensor::strings(std::move(dims), std::move(strings));
}

Value Inference::output(size_t i) const {
  const ValueKind kind = model_->outputs()[i].kind;
  if (!outputs_[i].present) return Value::nothing(kind);
  Value value(kind, {});
  for (const OutputTensor& out : outputs_[i].tensors) value.tensors.push_back(copied(out));
  return value;
}

}  // namespace ge::tools
