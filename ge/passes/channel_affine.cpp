#include "ge/passes/channel_affine.hpp"

#include <algorithm>
#include <cmath>

namespace ge {
namespace {

/// BatchNormalization (opset 15): (x - mean) / sqrt(var + epsilon) * scale + bias, over axis 1.
std::optional<ChannelAffine> batch_normalization(const Graph& graph, const Node& node, const ChannelAxis& axis) {
  if (node.attributes().get_int("training_mode", 0) != 0 || axis.rank != axis.from_end + 2) return std::nullopt;
  for (size_t i = 1; i < node.outputs().size(); ++i)
    if (!node.outputs()[i].name.empty()) return std::nullopt;
  std::vector<double> parameters[4];  // scale, bias, mean, variance
  for (size_t i = 0; i < 4; ++i) {
    const Tensor* constant = graph.constant_value(node.inputs()[i + 1]);
    const auto elements = constant != nullptr ? constant->to_doubles() : std::nullopt;
    if (!elements || elements->size() != axis.channels) return std::nullopt;
    parameters[i] = *elements;
  }
  const auto& [scale, bias, mean, variance] = parameters;
  const double epsilon = static_cast<double>(node.attributes().get_float("epsilon", 1e-5f));
  ChannelAffine affine(axis.channels);
  for (size_t c = 0; c < axis.channels; ++c) {
    affine.scale[c] = scale[c] / std::sqrt(variance[c] + epsilon);
    affine.shift[c] = bias[c] - mean[c] * affine.scale[c];
  }
  return affine;
}

}  // namespace

void ChannelAffine::then(const ChannelAffine& next) {
  for (size_t c = 0; c < scale.size(); ++c) {
    scale[c] *= next.scale[c];
    shift[c] = shift[c] * next.scale[c] + next.shift[c];
  }
}

bool ChannelAffine::scales() const {
  return std::any_of(scale.begin(), scale.end(), [](double s) { return s != 1.0; });
}
bool ChannelAffine::shifts() const {
  return std::any_of(shift.begin(), shift.end(), [](double s) { return s != 0.0; });
}

std::optional<std::vector<double>> along_channels(const Tensor& constant, const ChannelAxis& axis) {
  const auto& dims = constant.dims();
  if (dims.size() > axis.rank.value_or(axis.from_end + 1)) return std::nullopt;  // more axes than the value has
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t dim = dims[dims.size() - 1 - i];
    if (dim != 1 && (i != axis.from_end || dim != static_cast<int64_t>(axis.channels))) return std::nullopt;
  }
  auto elements = constant.to_doubles();
  if (elements && elements->size() == 1) elements->resize(axis.channels, elements->front());
  return elements;
}

std::optional<ChannelAffine> channel_affine(const Graph& graph, const Node& node, size_t slot, const ChannelAxis& axis) {
  if (!node.domain().empty()) return std::nullopt;
  const std::string& op = node.op();
  if (op == "BatchNormalization") return slot == 0 ? batch_normalization(graph, node, axis) : std::nullopt;
  if (op != "Add" && op != "Sub" && op != "Mul" && (op != "Div" || slot != 0)) return std::nullopt;
  const Tensor* constant = graph.constant_value(node.inputs()[1 - slot]);
  const auto elements = constant != nullptr ? along_channels(*constant, axis) : std::nullopt;
  if (!elements) return std::nullopt;
  ChannelAffine affine(axis.channels);
  for (size_t c = 0; c < axis.channels; ++c) {
    const double value = (*elements)[c];
    if (op == "Mul") affine.scale[c] = value;
    else if (op == "Div") affine.scale[c] = 1.0 / value;
    else affine.shift[c] = op == "Sub" && slot == 0 ? -value : value;
    if (op == "Sub" && slot == 1) affine.scale[c] = -1.0;
  }
  return affine;
}

}  // namespace ge
