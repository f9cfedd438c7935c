#include "ge/import/onnx/prepare.hpp"

namespace ge::onnx {

// ONNX Constant: exactly one of its attributes gives the value. value_int and value_float are scalars, value_ints and
// value_floats 1-D (opset 12).
std::optional<Tensor> constant_value(const NodeDraft& node, Diagnostics& findings) {
  if (node.attributes.size() != 1) {
    findings.add(node.where(), "has " + std::to_string(node.attributes.size()) + " attributes that give its value, expected exactly one of value, sparse_value, "
                                   "value_float(s), value_int(s), value_string(s)");
    return std::nullopt;
  }
  const auto& [name, value] = *node.attributes.begin();
  // A sparse value was read with its zeros.
  if ((name == "value" || name == "sparse_value") && std::holds_alternative<Tensor>(value)) return std::get<Tensor>(value);
  if (name == "value_int" && std::holds_alternative<int64_t>(value)) return Tensor::scalar(std::get<int64_t>(value));
  if (name == "value_ints" && std::holds_alternative<std::vector<int64_t>>(value)) return Tensor::ints(std::get<std::vector<int64_t>>(value));
  if (name == "value_float" && std::holds_alternative<float>(value)) return Tensor::from<float>(DType::float32, {}, std::span(&std::get<float>(value), 1));
  if (name == "value_floats" && std::holds_alternative<std::vector<float>>(value)) {
    const auto& floats = std::get<std::vector<float>>(value);
    return Tensor::from<float>(DType::float32, {static_cast<int64_t>(floats.size())}, floats);
  }
  if (name == "value_string" && std::holds_alternative<std::string>(value)) return Tensor::strings({}, {std::get<std::string>(value)});
  if (name == "value_strings" && std::holds_alternative<std::vector<std::string>>(value)) {
    const auto& strings = std::get<std::vector<std::string>>(value);
    return Tensor::strings({static_cast<int64_t>(strings.size())}, strings);
  }
  findings.add(node.where(), "attribute '" + name + "' is of kind " + std::string(kind_name(value)) + ", which Constant does not take");
  return std::nullopt;
}

}  // namespace ge::onnx
