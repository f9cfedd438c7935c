// TreeEnsemble (ai.onnx.ml 5): every row walks each tree from its root to a leaf; the leaves' weights are put together by
// target. The minimum (maximum) over no leaf is the largest (smallest) finite number of the dtype, as ONNX's reference
// evaluator has it.
#include "ge/base/tree_ensemble.hpp"
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ge::reference {
namespace {

using Aggregate = TreeEnsemble::Aggregate;
using Transform = TreeEnsemble::Transform;

/// x[rows, features] -> y[rows, targets].
struct TreeArgs {
  const void* x = nullptr;
  void* y = nullptr;
  double* scratch = nullptr;  ///< [chunks, targets]
  const TreeNode* nodes = nullptr;
  const TreeLeaf* leaves = nullptr;
  const double* members = nullptr;
  const int64_t* roots = nullptr;
  LoadDoubles load = nullptr;
  StoreDoubles store = nullptr;
  int64_t rows = 0, features = 0, targets = 0, trees = 0;
  double start = 0;
  Aggregate aggregate = Aggregate::sum;
  Transform transform = Transform::none;
  uint32_t chunks = 1;
};

bool goes_true(const TreeArgs& a, const TreeNode& node, double value) noexcept {
  if (node.missing_is_true && std::isnan(value)) return true;
  switch (node.mode) {
    case TreeMode::less_equal: return value <= node.split;
    case TreeMode::less: return value < node.split;
    case TreeMode::greater_equal: return value >= node.split;
    case TreeMode::greater: return value > node.split;
    case TreeMode::equal: return value == node.split;
    case TreeMode::not_equal: return value != node.split;
    default: return !std::isnan(value) && std::binary_search(a.members + node.first_member, a.members + node.end_member, value);
  }
}

/// Reading the trees has made sure that there is no cycle.
const TreeLeaf& leaf_of(const TreeArgs& a, int64_t row, int64_t root) noexcept {
  for (int64_t i = root;;) {
    const TreeNode& node = a.nodes[i];
    double value = 0;
    a.load(a.x, row * a.features + node.feature, 1, 1, &value);
    const TreeBranch& branch = node.branches[goes_true(a, node, value)];
    if (branch.is_leaf) return a.leaves[branch.to];
    i = branch.to;
  }
}

/// exp(s - max) over their sum; with `keep_zeros` scores of 0 stay 0 and do not count.
void softmax(double* scores, int64_t n, bool keep_zeros) noexcept {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  const auto counts = [&](int64_t i) { return !keep_zeros || std::abs(scores[i]) > 1e-7; };
  for (int64_t i = 0; i < n; ++i)
    if (counts(i)) top = std::max(top, scores[i]);
  for (int64_t i = 0; i < n; ++i)
    if (counts(i)) sum += std::exp(scores[i] - top);
  for (int64_t i = 0; i < n; ++i) scores[i] = counts(i) ? std::exp(scores[i] - top) / sum : 0;
}

/// The inverse of the normal distribution, z with (1 + erf(z / sqrt 2)) / 2 = p: Winitzki's estimate (2008), then Halley
/// steps. Infinite at 0 and 1, NaN outside.
double probit(double p) noexcept {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (p > 0.5) return -probit(1 - p);
  if (p == 0) return -std::numeric_limits<double>::infinity();
  const double pi = 3.14159265358979323846, c = 0.147;
  const double logarithm = std::log(4 * p * (1 - p)), half = 2 / (pi * c) + logarithm / 2;
  double z = -std::sqrt(2.0) * std::sqrt(std::max(std::sqrt(half * half - logarithm / c) - half, 0.0));
  for (int step = 0; step < 4; ++step) {
    const double error = std::erfc(-z / std::sqrt(2.0)) / 2 - p, u = error * std::sqrt(2 * pi) * std::exp(z * z / 2);
    if (!std::isfinite(u)) break;
    z -= u / (1 + z * u / 2);
  }
  return z;
}

void finish(const TreeArgs& a, double* scores) noexcept {
  if (a.aggregate == Aggregate::average)
    for (int64_t i = 0; i < a.targets; ++i) scores[i] /= static_cast<double>(a.trees);
  switch (a.transform) {
    case Transform::none: return;
    case Transform::softmax: return softmax(scores, a.targets, false);
    case Transform::softmax_zero: return softmax(scores, a.targets, true);
    case Transform::logistic:
      for (int64_t i = 0; i < a.targets; ++i) scores[i] = 1 / (1 + std::exp(-scores[i]));
      return;
    case Transform::probit:
      for (int64_t i = 0; i < a.targets; ++i) scores[i] = probit(scores[i]);
      return;
  }
}

Status run_trees(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const TreeArgs*>(args);
  double* const scores = a.scratch + a.targets * chunk;
  const Range rows = chunk_range(a.rows, a.chunks, chunk);
  for (int64_t row = rows.first; row < rows.last; ++row) {
    std::fill_n(scores, a.targets, a.start);
    for (int64_t tree = 0; tree < a.trees; ++tree) {
      const TreeLeaf& leaf = leaf_of(a, row, a.roots[tree]);
      double& score = scores[leaf.target];
      if (a.aggregate == Aggregate::min) score = std::min(score, leaf.weight);
      else if (a.aggregate == Aggregate::max) score = std::max(score, leaf.weight);
      else score += leaf.weight;
    }
    finish(a, scores);
    a.store(a.y, row * a.targets, a.targets, 1, scores);
  }
  return Status::ok;
}

double largest_of(DType dtype) {
  return dtype == DType::float16 ? 65504.0 : dtype == DType::float32 ? static_cast<double>(std::numeric_limits<float>::max()) : std::numeric_limits<double>::max();
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) { return std::as_bytes(std::span(values)); }

void prepare_trees(const KernelSite& site, TaskBuilder& builder) {
  using Args = TreeArgs;
  const TreeEnsemble trees = TreeEnsemble::read(site.attributes);
  const auto x = site.inputs[0].dims;
  if (x.size() != 2 || x[1] < trees.features) throw Error(ErrorCode::invalid_argument, "input 0 (X) has fewer features than the trees look at");
  Args args;
  args.load = double_loader(site.inputs[0].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  args.rows = x[0];
  args.features = x[1];
  args.targets = trees.targets;
  args.trees = static_cast<int64_t>(trees.roots.size());
  args.aggregate = trees.aggregate;
  args.transform = trees.transform;
  const double largest = largest_of(site.outputs[0].dtype);
  args.start = trees.aggregate == Aggregate::min ? largest : trees.aggregate == Aggregate::max ? -largest : 0;
  const int64_t each = args.targets * static_cast<int64_t>(sizeof(double));
  const int64_t by_memory = std::max<int64_t>((int64_t{16} << 20) / each, 1);  // 16 MiB, unless one chunk needs more
  args.chunks = static_cast<uint32_t>(std::clamp<int64_t>(std::min(args.rows, by_memory), 1, chunks_for(times(args.rows, args.targets + args.trees * 64))));
  auto task = builder.append(run_trees, args, args.chunks).input(&Args::x, 0).output(&Args::y, 0).workspace(&Args::scratch, each * args.chunks);
  task.constant(&Args::nodes, bytes_of(trees.nodes)).constant(&Args::leaves, bytes_of(trees.leaves)).constant(&Args::roots, bytes_of(trees.roots));
  if (!trees.members.empty()) task.constant(&Args::members, bytes_of(trees.members));
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "ai.onnx.ml", "TreeEnsemble", "", "tree by tree from the root to a leaf", {.prepare = prepare_trees});

}  // namespace ge::reference
