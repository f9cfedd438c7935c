#include "ge/build/schedule.hpp"

#include <algorithm>
#include <numeric>

namespace ge {
namespace {

/// What a symbol counts for, within its bounds. Orders are compared with one set of sizes for all runs.
constexpr int64_t nominal = 256;

int64_t nominal_bytes(const Graph& graph, const TensorType& type) {
  if (!type.shape || type.values || !type.is_tensor()) return 0;  // a sequence moves no bytes
  std::vector<int64_t> dims;
  for (Expr dim : *type.shape) {
    const auto size = evaluate(dim, [&](uint32_t symbol) -> std::optional<int64_t> {
      const Bounds bounds = graph.symbols().symbol_by_id(symbol).bounds();
      return std::clamp(nominal, bounds.lo, bounds.hi);
    });
    if (!size || *size < 0) return 0;
    dims.push_back(*size);
  }
  const auto count = element_count(dims);
  const auto bytes = count ? bytes_for(type.dtype, *count) : std::nullopt;
  constexpr int64_t most = int64_t{1} << 40;  // so that a million of them can be added
  return bytes ? (std::min(*bytes, most) + 63) / 64 * 64 : most;
}

bool is_view(const Node& node) {
  static constexpr std::string_view views[] = {"Dropout", "Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze"};
  return node.domain().empty() && std::binary_search(std::begin(views), std::end(views), node.op());
}

/// Ops whose kernels may write over an input of the output's size.
bool is_pointwise(const Node& node) {
  static constexpr std::string_view ops[] = {
      "Abs", "Acos", "Acosh", "Add", "And", "Asin", "Asinh", "Atan", "Atanh", "BatchNormalization", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Cast", "Ceil", "Celu",
      "Clip", "Cos", "Cosh", "CumSum", "Div", "Elu", "Equal", "Erf", "Exp", "Floor", "Gelu", "Greater", "GreaterOrEqual", "HardSigmoid", "HardSwish", "Hardmax", "InstanceNormalization",
      "LayerNormalization", "LeakyRelu", "Less", "LessOrEqual", "Log", "LogSoftmax", "Max", "Mean", "Min", "Mish", "Mod", "Mul", "Neg", "Not", "Or", "PRelu", "Pow", "Reciprocal", "Relu",
      "Round", "Selu", "Sigmoid", "Sign", "Sin", "Sinh", "Softmax", "Softplus", "Softsign", "Sqrt", "Sub", "Sum", "Tan", "Tanh", "ThresholdedRelu", "Trilu", "Where", "Xor"};
  return node.domain().empty() && std::binary_search(std::begin(ops), std::end(ops), node.op());
}

void make_set(std::vector<uint32_t>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace

Schedule::Rows Schedule::Rows::turned_round() const {
  Rows out;
  out.begin_.assign(begin_.size(), 0);
  for (uint32_t item : items_) ++out.begin_[item + 1];
  std::partial_sum(out.begin_.begin(), out.begin_.end(), out.begin_.begin());
  out.items_.resize(items_.size());
  std::vector<uint32_t> at(out.begin_.begin(), out.begin_.end() - 1);
  for (uint32_t row = 0; row < size(); ++row)
    for (uint32_t item : of(row)) out.items_[at[item]++] = row;
  return out;
}

Schedule::Schedule(const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    live_.push_back(!node.dead());
    in_place_.push_back(!node.dead() && is_pointwise(node));
  }
  add_edges(graph);
  add_storages(graph);
}

void Schedule::add_edges(const Graph& graph) {
  std::vector<uint32_t> row;
  for (const Node& node : graph.nodes()) {
    row.clear();
    for (OutputRef ref : node.inputs())
      if (ref) row.push_back(ref.node.value);
    for (NodeId before : node.control_inputs()) row.push_back(before.value);
    make_set(row);
    predecessors_.append(row);
  }
  successors_ = predecessors_.turned_round();
}

/// Views' storages are found in the order of dependence, which is that of ids only in hand-built graphs.
void Schedule::add_storages(const Graph& graph) {
  constexpr uint32_t none = UINT32_MAX;
  std::vector<uint32_t> first_output(graph.node_count() + 1);
  for (uint32_t i = 0; i < graph.node_count(); ++i) first_output[i + 1] = first_output[i] + static_cast<uint32_t>(graph.nodes()[i].outputs().size());
  std::vector<uint32_t> storage(first_output.back(), none);
  const auto value = [&](OutputRef ref) { return first_output[ref.node.value] + ref.index; };

  for (const Node& node : graph.nodes()) {
    const uint32_t before = static_cast<uint32_t>(bytes_.size());
    const bool real = !node.dead() && !node.is(op_types::data) && !node.is(op_types::constant) && !node.is(op_types::net_output);
    for (uint32_t k = 0; real && k < node.outputs().size(); ++k) {
      if (node.outputs()[k].name.empty() || (k == 0 && is_view(node))) continue;
      const int64_t bytes = nominal_bytes(graph, node.outputs()[k].type);
      if (bytes == 0) continue;
      storage[value(node.output(k))] = static_cast<uint32_t>(bytes_.size());
      bytes_.push_back(bytes);
    }
    std::vector<uint32_t> made;
    for (uint32_t s = before; s < bytes_.size(); ++s) made.push_back(s);
    makes_.append(made);
  }
  const auto storage_of = [&](OutputRef ref) {
    while (ref && graph.node(ref.node).outputs().size() > ref.index && ref.index == 0 && is_view(graph.node(ref.node)) && graph.node(ref.node).inputs()[0]) ref = graph.node(ref.node).inputs()[0];
    return ref ? storage[value(ref)] : none;
  };

  readers_.resize(bytes_.size());
  reader_sums_.resize(bytes_.size());
  lasts_.resize(bytes_.size());
  std::vector<uint32_t> row;
  for (const Node& node : graph.nodes()) {
    row.clear();
    for (OutputRef ref : node.inputs())
      if (const uint32_t s = storage_of(ref); s != none) row.push_back(s);
    make_set(row);
    if (node.is(op_types::net_output)) {
      for (uint32_t s : row) {
        lasts_[s] = 1;
        if (graph.is_root()) bytes_[s] = 0;  // the caller's memory
      }
      row.clear();
    }
    reads_.append(row);
    for (uint32_t s : row) ++readers_[s], reader_sums_[s] += node.id().value;
  }
}

/// Bytes of the first output that need no place, given how many reads of each storage are still to come.
int64_t Schedule::credit(uint32_t node, std::span<const uint32_t> remaining) const {
  if (!in_place(node) || made_by(node).empty()) return 0;
  const int64_t needed = bytes(made_by(node)[0]);
  for (uint32_t s : read_by(node))
    if (remaining[s] == 1 && !lasts(s) && bytes(s) == needed) return needed;
  return 0;
}

int64_t Schedule::peak(std::span<const uint32_t> order) const {
  std::vector<uint32_t> remaining = readers_;
  int64_t live = 0, most = 0;
  for (uint32_t node : order) {
    const int64_t spared = credit(node, remaining);
    for (uint32_t s : made_by(node)) live += bytes(s);
    most = std::max(most, live - spared);
    for (uint32_t s : read_by(node))
      if (--remaining[s] == 0 && !lasts(s)) live -= bytes(s);
    for (uint32_t s : made_by(node))
      if (remaining[s] == 0 && !lasts(s)) live -= bytes(s);
  }
  return most;
}

int64_t Schedule::unavoidable() const {
  int64_t most = 0;
  const std::vector<uint32_t> last_read(bytes_.size(), 1);
  for (uint32_t node = 0; node < node_count(); ++node) {
    int64_t sum = -credit(node, last_read);
    for (uint32_t s : made_by(node)) sum += bytes(s);
    for (uint32_t s : read_by(node)) sum += bytes(s);
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace ge
