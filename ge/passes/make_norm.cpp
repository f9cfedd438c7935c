#include "ge/passes/match_norm.hpp"

namespace ge {
namespace {

/// A gain of ones is made up to this many elements: it should stay small beside the model.
constexpr int64_t max_made_up_gain = 1 << 20;

Operand ones(DType dtype, const std::vector<int64_t>& dims) {
  const std::vector<float> values(static_cast<size_t>(*element_count(dims)), 1.0f);
  if (dtype == DType::float32) return {{}, Tensor::from<float>(dtype, dims, values)};
  const std::vector<uint16_t> halves(values.size(), dtype == DType::float16 ? float_to_half(1) : float_to_bfloat16(1));
  return {{}, Tensor::from<uint16_t>(dtype, dims, halves)};
}

/// The gain or bias as the composite op takes it: without the leading axes of a constant.
Operand parameter(const Graph& graph, OutputRef value, size_t rank) {
  const Tensor* tensor = graph.constant_value(value);
  if (tensor == nullptr || tensor->dims().size() == rank) return {value, {}};
  const auto& dims = tensor->dims();
  return {{}, Tensor(tensor->dtype(), {dims.end() - static_cast<std::ptrdiff_t>(rank), dims.end()}, tensor->bytes(), tensor->owner())};
}

}  // namespace

std::optional<Recognised> normalisation_of(const Graph& graph, OutputRef x, const Normalised& found, std::vector<NodeId> nodes, std::string op) {
  const TensorType& type = graph.type(x);
  if (!same_float_type(graph, x, found.result) || type.dtype == DType::float64) return std::nullopt;  // statistics are float32
  const Shape last(type.shape->begin() + static_cast<std::ptrdiff_t>(found.axis), type.shape->end());
  Recognised out{found.result, std::move(nodes), std::move(op), {}, {{x, {}}}};
  if (found.gain) {
    out.inputs.push_back(parameter(graph, found.gain, last.size()));
  } else {
    const auto dims = constant_dims(last);
    const auto count = dims ? element_count(*dims) : std::nullopt;
    if (!count || *count > max_made_up_gain) return std::nullopt;
    out.inputs.push_back(ones(type.dtype, *dims));
  }
  if (found.bias) out.inputs.push_back(parameter(graph, found.bias, last.size()));
  out.attributes.set("axis", static_cast<int64_t>(found.axis) - static_cast<int64_t>(type.rank()));
  out.attributes.set("epsilon", static_cast<float>(found.epsilon));
  return out;
}

}  // namespace ge
