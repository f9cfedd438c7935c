#include "ge/passes/match_polynomial.hpp"

#include <algorithm>
#include <cmath>

namespace ge {
namespace {

constexpr size_t max_variables = 16;
constexpr int max_depth = 8, max_steps = 256, max_climb = 8;

using Coefficients = std::array<double, 4>;

std::optional<Coefficients> sum(const Coefficients& a, const Coefficients& b) {
  Coefficients out{};
  for (size_t power = 0; power < out.size(); ++power) {
    if (a[power] * b[power] < 0) return std::nullopt;  // they cancel
    out[power] = a[power] + b[power];
  }
  return out;
}

std::optional<Coefficients> product(const Coefficients& a, const Coefficients& b) {
  Coefficients out{};
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j) {
      if (a[i] == 0 || b[j] == 0) continue;
      if (i + j >= out.size() || (out[i + j] != 0 && (out[i + j] < 0) != (a[i] * b[j] < 0))) return std::nullopt;
      out[i + j] += a[i] * b[j];
    }
  return out;
}

bool is_zero(const Coefficients& c) { return c == Coefficients{}; }

std::optional<Polynomial> both(const std::optional<Coefficients>& plain, const std::optional<Coefficients>& gated) {
  if (!plain || !gated) return std::nullopt;
  return Polynomial{*plain, *gated};
}

std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b) { return both(sum(a.plain, b.plain), sum(a.gated, b.gated)); }

std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b) {
  if (!is_zero(a.gated) && !is_zero(b.gated)) return std::nullopt;
  const Polynomial& gated = is_zero(a.gated) ? b : a;
  const Coefficients& plain = is_zero(a.gated) ? a.plain : b.plain;
  return both(product(gated.plain, plain), product(gated.gated, plain));
}

std::optional<Polynomial> scaled(const Polynomial& a, double factor) { return product(a, Polynomial{{factor}, {}}); }

bool is_arithmetic(const Node& node) {
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Neg", "Pow"})
    if (node.is(op)) return true;
  return false;
}

bool stands_for(const Coefficients& found, const Coefficients& expected, DType dtype) {
  for (size_t power = 0; power < found.size(); ++power)
    if (!ge::stands_for(found[power], expected[power], dtype)) return false;
  return true;
}

}  // namespace

bool stands_for(const Polynomial& found, const Polynomial& expected, DType dtype) {
  return stands_for(found.plain, expected.plain, dtype) && stands_for(found.gated, expected.gated, dtype);
}

std::vector<OutputRef> possible_variables(const Graph& graph, OutputRef value) {
  std::vector<OutputRef> found{value};
  for (size_t next = 0; next < found.size(); ++next) {
    const Node& node = graph.node(found[next].node);
    if (!is_arithmetic(node)) continue;
    for (OutputRef ref : node.inputs()) {
      if (found.size() == max_variables) return found;
      if (graph.constant_value(ref) == nullptr && std::find(found.begin(), found.end(), ref) == found.end()) found.push_back(ref);
    }
  }
  return found;
}

std::optional<Polynomial> Expansion::expand(OutputRef value, int depth) {
  if (value == x_) return Polynomial{{0, 1}, {}};
  if (value == gate_) return Polynomial{{}, {1}};
  if (const auto constant = scalar_constant(graph_, value)) return Polynomial{{*constant}, {}};
  const Node& node = graph_.node(value.node);
  if (depth == max_depth || ++steps_ > max_steps || !is_arithmetic(node)) return std::nullopt;
  const auto a = expand(node.inputs()[0], depth + 1);
  if (!a) return std::nullopt;
  add_node_of(nodes_, value);
  if (node.is("Neg")) return scaled(*a, -1);
  if (node.is("Div") || node.is("Pow")) {
    const auto constant = scalar_constant(graph_, node.inputs()[1]);
    if (!constant) return std::nullopt;
    if (node.is("Div")) return *constant == 0 ? std::nullopt : scaled(*a, 1 / *constant);
    if (*constant != 2 && *constant != 3) return std::nullopt;
    const auto square = product(*a, *a);
    return square && *constant == 3 ? product(*square, *a) : square;
  }
  const auto b = expand(node.inputs()[1], depth + 1);
  if (!b) return std::nullopt;
  if (node.is("Mul")) return product(*a, *b);
  const auto second = node.is("Sub") ? scaled(*b, -1) : b;
  return second ? sum(*a, *second) : std::nullopt;
}

bool Expansion::is(OutputRef value, const Polynomial& expected) {
  const auto found = of(value);
  return found && stands_for(*found, expected, graph_.type(x_).dtype);
}

OutputRef Expansion::climb_to(const Polynomial& expected) {
  OutputRef value = gate_;
  for (int step = 0; step < max_climb; ++step) {
    const Node* reader = only_reader(graph_, value);
    if (reader == nullptr || !is_arithmetic(*reader)) return {};
    value = reader->output();
    const auto found = of(value);
    if (!found) return {};
    if (stands_for(*found, expected, graph_.type(x_).dtype)) return value;
  }
  return {};
}

std::optional<Recognised> elementwise_of(const Graph& graph, OutputRef x, OutputRef result, std::vector<NodeId> nodes, std::string op) {
  if (!result || !same_float_type(graph, x, result)) return std::nullopt;
  return Recognised{result, std::move(nodes), std::move(op), {}, {{x, {}}}};
}

}  // namespace ge
