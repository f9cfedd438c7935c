#include "ge/passes/match_norm.hpp"

#include <algorithm>
#include <cmath>

namespace ge {
namespace {

/// The axes are the last ones; gives the first of them.
std::optional<size_t> first_of_last_axes(const Graph& graph, const Node& reduction) {
  const auto axes = kept_axes(graph, reduction);
  if (!axes || axes->empty()) return std::nullopt;
  const size_t rank = graph.type(reduction.inputs()[0]).rank();
  for (size_t i = 0; i < axes->size(); ++i)
    if ((*axes)[i] != rank - axes->size() + i) return std::nullopt;
  return axes->front();
}

/// A gain of ones is made up to this many elements: it should stay small beside the model.
constexpr int64_t max_made_up_gain = 1 << 20;

class Search {
 public:
  explicit Search(const Graph& graph) : graph_(graph) {}

  /// mean(d²) + epsilon, or without epsilon.
  bool below(OutputRef value) {
    if (const Node* sum = made_by(graph_, value, "Add")) {
      const size_t slot = scalar_constant(graph_, sum->inputs()[0]) ? 0 : 1;
      const auto epsilon = scalar_constant(graph_, sum->inputs()[slot]);
      if (!epsilon || !(*epsilon >= 0)) return false;
      out.epsilon = *epsilon;
      add_node_of(out.nodes, value);
      value = sum->inputs()[1 - slot];
    }
    const Node* mean = made_by(graph_, value, "ReduceMean");
    const auto axis = mean == nullptr ? std::nullopt : first_of_last_axes(graph_, *mean);
    if (!axis || !square(mean->inputs()[0])) return false;
    out.axis = *axis;
    add_node_of(out.nodes, value);
    add_node_of(out.nodes, mean->inputs()[0]);
    return true;
  }

  /// From the root (`inverted`: from its reciprocal) up to d times that.
  bool above(OutputRef value, bool inverted) {
    for (bool done = false; !done;) {
      const Node* reader = only_reader(graph_, value);
      if (reader == nullptr) return false;
      if (reader->is("Reciprocal") && !inverted) {
        inverted = true;
      } else if (reader->is("Div") && !inverted && reader->inputs()[1] == value) {
        done = takes_operand(reader->inputs()[0]);
        inverted = scalar_constant(graph_, reader->inputs()[0]) == 1.0;
        if (!done && !inverted) return false;
      } else if (reader->is("Mul") && inverted) {
        const OutputRef other = other_operand(*reader, value);
        done = takes_operand(other);
        if (!done && !takes_gain(other)) return false;
      } else {
        return false;
      }
      add_node_of(out.nodes, reader->output());
      value = reader->output();
    }
    out.result = value;
    return true;
  }

  /// · gain + bias, as far as they are there.
  void gain_and_bias(Bias bias) {
    const auto next = [&](std::string_view op) {
      const Node* reader = only_reader(graph_, out.result);
      return reader != nullptr && reader->is(op) ? reader : nullptr;
    };
    const auto go_to = [&](const Node& reader) {
      add_node_of(out.nodes, reader.output());
      out.result = reader.output();
    };
    if (const Node* reader = next("Mul"); reader != nullptr && takes_gain(other_operand(*reader, out.result))) go_to(*reader);
    const Node* reader = bias == Bias::taken ? next("Add") : nullptr;
    if (reader == nullptr) return;
    const OutputRef other = other_operand(*reader, out.result);
    if (!out.spans_axes(graph_, other)) return;
    out.bias = other;
    go_to(*reader);
  }

  Normalised out;

 private:
  bool square(OutputRef value) {
    if (const Node* power = made_by(graph_, value, "Pow")) {
      out.operand = power->inputs()[0];
      out.copies = {out.operand};
      return scalar_constant(graph_, power->inputs()[1]) == 2.0;
    }
    const Node* product = made_by(graph_, value, "Mul");
    if (product == nullptr) return false;
    out.operand = product->inputs()[0];
    out.copies = {product->inputs().begin(), product->inputs().end()};
    return same_value(graph_, product->inputs()[0], product->inputs()[1]);
  }

  /// d, or d times the gain.
  bool takes_operand(OutputRef value) {
    if (!value) return false;
    if (same_value(graph_, value, out.operand)) {
      out.copies.push_back(value);
      return true;
    }
    const Node* product = made_by(graph_, value, "Mul");
    if (product == nullptr || out.gain) return false;
    for (size_t slot : {0, 1}) {
      const OutputRef other = product->inputs()[1 - slot];
      if (!same_value(graph_, product->inputs()[slot], out.operand) || !takes_gain(other)) continue;
      out.copies.push_back(product->inputs()[slot]);
      add_node_of(out.nodes, value);
      return true;
    }
    return false;
  }

  bool takes_gain(OutputRef value) {
    if (out.gain || !out.spans_axes(graph_, value)) return false;
    out.gain = value;
    return true;
  }

  const Graph& graph_;
};

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

bool reduces_last_axes(const Graph& graph, const Node& reduction, size_t axis) { return first_of_last_axes(graph, reduction) == axis; }

bool Normalised::spans_axes(const Graph& graph, OutputRef value) const {
  if (!value) return false;
  const auto& dims = graph.type(value).shape;
  const auto& whole = graph.type(operand).shape;
  if (!dims || !whole) return false;
  const size_t rank = whole->size() - axis;
  if (dims->size() < rank || dims->size() > whole->size()) return false;
  const auto first = dims->end() - static_cast<std::ptrdiff_t>(rank);
  if (!std::equal(first, dims->end(), whole->begin() + static_cast<std::ptrdiff_t>(axis))) return false;
  if (first != dims->begin() && graph.constant_value(value) == nullptr) return false;
  return std::all_of(dims->begin(), first, [](Expr dim) { return dim.is_constant(1); });
}

std::optional<Normalised> find_normalised(const Graph& graph, const Node& root, Bias bias) {
  double exponent = 0.5;
  if (root.is("Pow")) exponent = scalar_constant(graph, root.inputs()[1]).value_or(0);
  else if (!root.is("Sqrt")) return std::nullopt;
  if (std::fabs(exponent) != 0.5) return std::nullopt;
  Search search(graph);
  if (!search.below(root.inputs()[0]) || !search.above(root.output(), exponent < 0)) return std::nullopt;
  add_node_of(search.out.nodes, root.output());
  search.gain_and_bias(bias);
  return std::move(search.out);
}

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
