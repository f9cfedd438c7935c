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

class Search {
 public:
  Search(const Graph& graph, Bias bias) : graph_(graph), bias_(bias) {}

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
      if (reader == nullptr) return inverted && bias_ == Bias::taken && distributed(value);
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
  void gain_and_bias() {
    if (out.bias) return;
    const auto next = [&](std::string_view op) {
      const Node* reader = only_reader(graph_, out.result);
      return reader != nullptr && reader->is(op) ? reader : nullptr;
    };
    const auto go_to = [&](const Node& reader) {
      add_node_of(out.nodes, reader.output());
      out.result = reader.output();
    };
    if (const Node* reader = next("Mul"); reader != nullptr && takes_gain(other_operand(*reader, out.result))) go_to(*reader);
    const Node* reader = bias_ == Bias::taken ? next("Add") : nullptr;
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

  /// (x - m) · inverse multiplied out, as TensorFlow does: x · inverse + (bias - m · inverse), or without the bias.
  bool distributed(OutputRef inverse) {
    const Node* difference = made_by(graph_, out.operand, "Sub");
    if (difference == nullptr || graph_.user_count(inverse.node) != 2) return false;
    const Node* products[2] = {};  // x · inverse, m · inverse
    for (const InputRef& user : graph_.users(inverse)) {
      const Node& reader = graph_.node(user.node);
      if (!reader.is("Mul")) return false;
      for (size_t slot : {0, 1})
        if (other_operand(reader, inverse) == difference->inputs()[slot]) products[slot] = &reader;
    }
    if (products[0] == nullptr || products[1] == nullptr) return false;
    for (const Node* product : products) add_node_of(out.nodes, product->output());
    const OutputRef first = products[0]->output(), second = products[1]->output();
    const Node* end = only_reader(graph_, first);
    const Node* rest = only_reader(graph_, second);
    if (end == nullptr || rest == nullptr || !rest->is("Sub") || rest->inputs()[1] != second) return false;
    add_node_of(out.nodes, rest->output());
    out.result = end->output();
    if (rest == end) return rest->inputs()[0] == first;
    add_node_of(out.nodes, end->output());
    out.bias = rest->inputs()[0];
    return end->is("Add") && other_operand(*end, first) == rest->output() && out.spans_axes(graph_, out.bias);
  }

  bool takes_gain(OutputRef value) {
    if (out.gain || !out.spans_axes(graph_, value)) return false;
    out.gain = value;
    return true;
  }

  const Graph& graph_;
  const Bias bias_;
};

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
  Search search(graph, bias);
  if (!search.below(root.inputs()[0]) || !search.above(root.output(), exponent < 0)) return std::nullopt;
  add_node_of(search.out.nodes, root.output());
  search.gain_and_bias();
  return std::move(search.out);
}

}  // namespace ge
