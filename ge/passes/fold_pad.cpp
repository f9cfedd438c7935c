/// A Pad of spatial axes by a constant goes into the `pads` of the convolutions and pools that read it.
///
/// Before: Conv(Pad(x, [0, 0, 1, 1, 0, 0, 1, 1]), W)      After: Conv(x, W), pads [1, 1, 1, 1]
///
/// What the padding must be filled with: 0 for Conv, LpPool and AveragePool, which then counts it (count_include_pad = 1;
/// so pads that it has already and does not count are in the way); the lowest number for MaxPool. A MaxPool also takes
/// 0 when no input is negative and every window holds an input.
///
/// Other readers keep the Pad. Inference must find the same dims for the new node: ceil_mode counts windows that begin in
/// the input, which the Pad has made larger.
#include "ge/passes/facts.hpp"
#include "ge/passes/pass.hpp"
#include "ge/passes/sketch.hpp"

#include <algorithm>
#include <limits>

namespace ge {
namespace {

struct Padding {
  OutputRef input;
  std::vector<int64_t> begins, ends;  ///< by spatial axis, none negative
  bool zero, lowest;                  ///< what it is filled with
};

bool is_lowest(DType dtype, const Tensor& value) {
  if (is_float(dtype)) return is_filled_with(value, -std::numeric_limits<double>::infinity());
  return is_filled_with(value, dtype == DType::int8 ? -128.0 : 0.0);  // MaxPool takes int8 and uint8
}

/// Pad (opset 25: data, pads, constant_value, axes); nullopt where it does more than pad spatial axes.
std::optional<Padding> read_pad(const Graph& graph, const Node& node) {
  if (!node.is("Pad") || node.attributes().get_string("mode", "constant") != "constant") return std::nullopt;
  const auto input = [&](size_t slot) { return slot < node.inputs().size() ? node.inputs()[slot] : OutputRef{}; };
  const TensorType& type = graph.type(input(0));
  const auto pads = known_ints(graph, input(1));
  if (!type.has_rank() || type.rank() < 3 || !pads) return std::nullopt;
  const size_t rank = type.rank();

  std::vector<int64_t> axes(rank);
  for (size_t i = 0; i < rank; ++i) axes[i] = static_cast<int64_t>(i);
  if (input(3)) {
    const auto given = known_ints(graph, input(3));
    if (!given) return std::nullopt;
    axes = *given;
  }
  if (pads->size() != 2 * axes.size()) return std::nullopt;
  Padding padding{input(0), std::vector<int64_t>(rank - 2, 0), std::vector<int64_t>(rank - 2, 0), true, false};
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t begin = (*pads)[i], end = (*pads)[i + axes.size()];
    if (begin == 0 && end == 0) continue;
    const int64_t axis = axes[i] < 0 ? axes[i] + static_cast<int64_t>(rank) : axes[i];
    if (axis < 2 || begin < 0 || end < 0) return std::nullopt;
    padding.begins[static_cast<size_t>(axis - 2)] = begin;
    padding.ends[static_cast<size_t>(axis - 2)] = end;
  }
  if (const OutputRef value = input(2)) {
    const Tensor* constant = graph.constant_value(value);
    if (constant == nullptr) return std::nullopt;
    padding.zero = is_filled_with(*constant, 0.0) || is_filled_with(*constant, -0.0);
    padding.lowest = is_lowest(type.dtype, *constant);
  } else {
    padding.lowest = type.dtype == DType::uint8;
  }
  return padding;
}

/// The pads that the node has; nullopt where it chooses them itself.
std::optional<std::vector<int64_t>> own_pads(const Node& node, size_t axes) {
  const std::string automatic = node.attributes().get_string("auto_pad", "NOTSET");
  if (automatic == "VALID") return std::vector<int64_t>(2 * axes, 0);
  auto pads = node.attributes().get_ints("pads", std::vector<int64_t>(2 * axes, 0));
  return automatic == "NOTSET" && pads.size() == 2 * axes ? std::optional(std::move(pads)) : std::nullopt;
}

bool never_negative(const Graph& graph, OutputRef ref) {
  const Node& node = graph.node(ref.node);
  if (node.is("Clip")) {
    const Tensor* least = node.inputs().size() > 1 ? graph.constant_value(node.inputs()[1]) : nullptr;
    const auto value = least != nullptr ? least->to_doubles() : std::nullopt;
    return value && value->size() == 1 && value->front() >= 0;
  }
  return node.is("Relu") || node.is("Sigmoid") || node.is("HardSigmoid") || node.is("Abs");
}

/// Whether each window of a pool, with these pads, holds an element of the input.
bool windows_hold_input(const Graph& graph, const Node& pool, OutputRef input, const std::vector<int64_t>& pads) {
  const Attributes& attributes = pool.attributes();
  const auto kernel = attributes.get_ints("kernel_shape"), dilations = attributes.get_ints("dilations");
  if (attributes.get_int("ceil_mode", 0) != 0 || std::ranges::any_of(dilations, [](int64_t d) { return d != 1; })) return false;
  for (size_t i = 0; i < kernel.size(); ++i)
    if (pads[i] >= kernel[i] || pads[i + kernel.size()] >= kernel[i] || graph.type(input).shape->at(i + 2).bounds().lo < 1) return false;
  return true;
}

/// The node that reads `padding.input` and pads it itself; nullopt where that is not the same.
std::optional<Sketch> padding_itself(const Graph& graph, const Node& node, const Padding& padding) {
  const size_t axes = padding.begins.size();
  auto pads = own_pads(node, axes);
  if (!pads) return std::nullopt;
  const bool pads_already = std::ranges::any_of(*pads, [](int64_t p) { return p != 0; });
  for (size_t i = 0; i < axes; ++i)
    if (__builtin_add_overflow((*pads)[i], padding.begins[i], &(*pads)[i]) || __builtin_add_overflow((*pads)[i + axes], padding.ends[i], &(*pads)[i + axes]))
      return std::nullopt;

  Sketch sketch{node.op(), node.attributes(), {node.inputs().begin(), node.inputs().end()}};
  sketch.inputs[0] = padding.input;
  if (node.is("AveragePool")) {
    if (!padding.zero || (pads_already && node.attributes().get_int("count_include_pad", 0) == 0)) return std::nullopt;
    sketch.attributes.set("count_include_pad", int64_t{1});
  } else if (node.is("MaxPool")) {
    const bool zero_is_low = padding.zero && never_negative(graph, padding.input) && windows_hold_input(graph, node, padding.input, *pads);
    if (!padding.lowest && !zero_is_low) return std::nullopt;
    // The indices count in the padded input.
    if (node.outputs().size() > 1 && !node.outputs()[1].name.empty()) return std::nullopt;
  } else if (!padding.zero || (!node.is("Conv") && !node.is("LpPool"))) {
    return std::nullopt;
  }
  sketch.attributes.erase("auto_pad");
  sketch.attributes.set("pads", *pads);
  const auto& shape = graph.type(node.output()).shape;
  return shape && gives_shape(graph, sketch, *shape) ? std::optional(std::move(sketch)) : std::nullopt;
}

Patch fold_pad(Graph& graph, PassContext&) {
  Patch patch;
  const std::vector<bool> ordered = nodes_with_control_edges(graph);
  for (uint32_t i = 0; i < ordered.size(); ++i) {
    const NodeId pad(i);
    if (graph.node(pad).dead() || ordered[i]) continue;
    const auto padding = read_pad(graph, graph.node(pad));
    if (!padding) continue;
    for (const InputRef& user : graph.users(pad)) {
      if (user.slot != 0 || ordered[user.node.value]) continue;
      auto sketch = padding_itself(graph, graph.node(user.node), *padding);
      if (!sketch) continue;
      const OutputRef old{user.node, 0};
      patch.replace(old, add_in_place_of(graph, old, std::move(*sketch)));
      patch.remove(user.node);
    }
  }
  return patch;
}

}  // namespace
}  // namespace ge

REGISTER_PASS("fold_pad", 60, "puts padding into the convolutions and pools that read it", ge::fold_pad);
