#include "ge/base/tree_ensemble.hpp"

#include "ge/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace ge {
namespace {

constexpr DTypeSet number_types = dtype_set(DType::float16, DType::float32, DType::float64);

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::invalid_model, what); }

std::string quoted(const std::string& name) { return "attribute '" + name + "'"; }

void expect_length(const std::string& name, size_t found, size_t expected, const char* as) {
  if (found != expected) refuse(quoted(name) + " has " + std::to_string(found) + " elements, expected " + std::to_string(expected) + " as " + as + " has");
}

int64_t in_range(const std::string& name, size_t place, int64_t value, int64_t count, const char* of) {
  if (value < 0 || value >= count)
    refuse("element " + std::to_string(place) + " of " + quoted(name) + " is " + std::to_string(value) + ", expected 0 to " + std::to_string(count - 1) + ", " + of);
  return value;
}

int64_t enumerated(const Attributes& attributes, const char* name, int64_t otherwise, int64_t count) {
  const int64_t value = attributes.get_int(name, otherwise);
  if (value < 0 || value >= count) refuse(quoted(name) + " is " + std::to_string(value) + ", expected 0 to " + std::to_string(count - 1));
  return value;
}

std::vector<double> numbers(const Attributes& attributes, const std::string& name, bool required) {
  const Tensor* tensor = attributes.get_tensor(name);
  if (tensor == nullptr && !required) return {};
  if (tensor == nullptr) refuse(quoted(name) + " (tensor) is missing");
  if (!contains(number_types, tensor->dtype())) refuse(quoted(name) + " is of " + std::string(to_string(tensor->dtype())) + ", expected float16, float32 or float64");
  return *tensor->to_doubles();
}

std::vector<int64_t> modes_of(const Attributes& attributes) {
  const Tensor* tensor = attributes.get_tensor("nodes_modes");
  if (tensor == nullptr || tensor->dtype() != DType::uint8) refuse("attribute 'nodes_modes' is " + std::string(tensor == nullptr ? "missing" : to_string(tensor->dtype())) + ", expected a tensor of uint8");
  return *tensor->to_ints();
}

void read_leaves(const Attributes& attributes, TreeEnsemble& trees) {
  if (!attributes.has("n_targets")) refuse("attribute 'n_targets' (int) is missing");
  trees.targets = attributes.need_int("n_targets");
  if (trees.targets < 1 || trees.targets > INT32_MAX) refuse("attribute 'n_targets' is " + std::to_string(trees.targets) + ", expected 1 to 2^31 - 1");
  const std::vector<double> weights = numbers(attributes, "leaf_weights", true);
  const std::vector<int64_t> targets = attributes.get_ints("leaf_targetids");
  expect_length("leaf_targetids", targets.size(), weights.size(), "'leaf_weights'");
  for (size_t i = 0; i < weights.size(); ++i) trees.leaves.push_back({weights[i], in_range("leaf_targetids", i, targets[i], trees.targets, "a target")});
}

void read_nodes(const Attributes& attributes, TreeEnsemble& trees) {
  const std::vector<int64_t> modes = modes_of(attributes);
  const std::vector<double> splits = numbers(attributes, "nodes_splits", true);
  const std::vector<int64_t> features = attributes.get_ints("nodes_featureids");
  const std::vector<int64_t> missing = attributes.get_ints("nodes_missing_value_tracks_true", std::vector<int64_t>(modes.size(), 0));
  const std::array<std::string, 2> to_names{"nodes_falsenodeids", "nodes_truenodeids"}, leaf_names{"nodes_falseleafs", "nodes_trueleafs"};
  const std::array to{attributes.get_ints(to_names[0]), attributes.get_ints(to_names[1])}, is_leaf{attributes.get_ints(leaf_names[0]), attributes.get_ints(leaf_names[1])};
  const char* as = "'nodes_modes'";
  const auto size = modes.size();
  expect_length("nodes_splits", splits.size(), size, as);
  expect_length("nodes_featureids", features.size(), size, as);
  expect_length("nodes_missing_value_tracks_true", missing.size(), size, as);
  for (size_t k = 0; k < 2; ++k) expect_length(to_names[k], to[k].size(), size, as), expect_length(leaf_names[k], is_leaf[k].size(), size, as);
  if (attributes.has("nodes_hitrates")) expect_length("nodes_hitrates", numbers(attributes, "nodes_hitrates", false).size(), size, as);

  const auto nodes = static_cast<int64_t>(size), leaves = static_cast<int64_t>(trees.leaves.size());
  for (size_t i = 0; i < size; ++i) {
    TreeNode& node = trees.nodes.emplace_back();
    node.mode = static_cast<TreeMode>(in_range("nodes_modes", i, modes[i], 7, "a way to compare"));
    node.split = splits[i];
    node.feature = in_range("nodes_featureids", i, features[i], INT64_MAX, "a feature");
    node.missing_is_true = missing[i] != 0;
    trees.features = std::max(trees.features, node.feature + 1);
    for (size_t k = 0; k < 2; ++k) {
      node.branches[k].is_leaf = is_leaf[k][i] != 0;
      node.branches[k].to = in_range(to_names[k], i, to[k][i], node.branches[k].is_leaf ? leaves : nodes, node.branches[k].is_leaf ? "a leaf" : "a node");
    }
  }
}

/// Sets of members stand in the order of the nodes that ask for them, with NaN behind each (behind the last one it may
/// be absent).
void read_members(const Attributes& attributes, TreeEnsemble& trees) {
  const std::vector<double> values = numbers(attributes, "membership_values", false);
  size_t next = 0, asking = 0, sets = 0;
  for (TreeNode& node : trees.nodes) {
    if (node.mode != TreeMode::member) continue;
    ++asking;
    if (next < values.size()) ++sets;
    node.first_member = static_cast<int64_t>(trees.members.size());
    while (next < values.size() && !std::isnan(values[next])) trees.members.push_back(values[next++]);
    ++next;
    node.end_member = static_cast<int64_t>(trees.members.size());
    std::sort(trees.members.begin() + node.first_member, trees.members.end());
  }
  for (; next < values.size(); ++next) sets += std::isnan(values[next]) || next + 1 == values.size();
  if (sets != asking)
    refuse("attribute 'membership_values' has " + std::to_string(sets) + " sets (each followed by NaN), expected " + std::to_string(asking) + ", one for each node of mode 6 (BRANCH_MEMBER)");
}

/// Every walk from a root ends: visits nodes depth first; a branch to a node that is still open is a cycle.
void check_cycles(const TreeEnsemble& trees) {
  enum : uint8_t { fresh, open, done };
  std::vector<uint8_t> state(trees.nodes.size(), fresh);
  std::vector<std::pair<int64_t, size_t>> path;  // node, its next branch
  for (const int64_t root : trees.roots) {
    if (state[static_cast<size_t>(root)] == fresh) path.emplace_back(root, 0);
    while (!path.empty()) {
      const auto node = static_cast<size_t>(path.back().first);
      state[node] = open;
      if (path.back().second == 2) {
        state[node] = done;
        path.pop_back();
        continue;
      }
      const TreeBranch& branch = trees.nodes[node].branches[path.back().second++];
      if (branch.is_leaf || state[static_cast<size_t>(branch.to)] == done) continue;
      if (state[static_cast<size_t>(branch.to)] == open)
        refuse("the trees have a cycle: node " + std::to_string(node) + " leads back to node " + std::to_string(branch.to));
      path.emplace_back(branch.to, 0);
    }
  }
}

}  // namespace

TreeEnsemble TreeEnsemble::read(const Attributes& attributes) {
  TreeEnsemble trees;
  trees.aggregate = static_cast<Aggregate>(enumerated(attributes, "aggregate_function", 1, 4));
  trees.transform = static_cast<Transform>(enumerated(attributes, "post_transform", 0, 5));
  read_leaves(attributes, trees);
  read_nodes(attributes, trees);
  read_members(attributes, trees);
  trees.roots = attributes.get_ints("tree_roots");
  if (trees.roots.empty()) refuse("attribute 'tree_roots' is empty, expected the root of at least one tree");
  for (size_t i = 0; i < trees.roots.size(); ++i) in_range("tree_roots", i, trees.roots[i], static_cast<int64_t>(trees.nodes.size()), "a node");
  check_cycles(trees);
  return trees;
}

}  // namespace ge
