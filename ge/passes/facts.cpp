#include "ge/passes/facts.hpp"

#include <algorithm>
#include <cmath>

namespace ge {

bool has_control_edges(const Graph& graph, const Node& node) {
  // user_count() counts control edges, users() does not.
  return !node.control_inputs().empty() || graph.user_count(node.id()) != graph.users(node.id()).size();
}

std::vector<bool> nodes_with_control_edges(const Graph& graph) {
  std::vector<bool> found(graph.node_count(), false);
  for (const Node& node : graph.nodes()) {
    if (!node.control_inputs().empty()) found[node.id().value] = true;
    for (NodeId before : node.control_inputs()) found[before.value] = true;
  }
  return found;
}

std::vector<uint32_t> read_outputs(const Graph& graph, const Node& node) {
  std::vector<uint32_t> read;
  for (const InputRef& user : graph.users(node.id())) read.push_back(graph.node(user.node).inputs()[user.slot].index);
  std::sort(read.begin(), read.end());
  read.erase(std::unique(read.begin(), read.end()), read.end());
  return read;
}

std::optional<std::vector<int64_t>> known_ints(const Graph& graph, OutputRef ref) {
  if (!ref) return std::nullopt;
  if (const Tensor* tensor = graph.constant_value(ref)) return tensor->to_ints();
  const auto& values = graph.type(ref).values;
  if (!values) return std::nullopt;
  std::vector<int64_t> ints;
  for (Expr value : *values) {
    if (!value.is_constant()) return std::nullopt;
    ints.push_back(value.value());
  }
  return ints;
}

bool same_shape(const Graph& graph, OutputRef a, OutputRef b) {
  const auto& first = graph.type(a).shape;
  return first && first == graph.type(b).shape;
}

bool is_filled_with(const Tensor& tensor, double value) {
  const size_t element_bits = bits_of(tensor.dtype());
  if (tensor.count() == 0 || element_bits < 8 || tensor.dtype() == DType::string) return false;
  const size_t size = element_bits / 8;
  const auto bytes = tensor.bytes();
  const auto first = Tensor(tensor.dtype(), {1}, bytes.first(size), tensor.owner()).to_doubles();
  if (!first || (*first)[0] != value) return false;
  if (is_float(tensor.dtype()) && std::signbit((*first)[0]) != std::signbit(value)) return false;
  return std::memcmp(bytes.data(), bytes.data() + size, bytes.size() - size) == 0;  // each element equals the one before
}

}  // namespace ge
