#pragma once
#include "ge/base/attributes.hpp"

#include <array>

namespace ge {

/// How a node of a tree compares a feature with its split (numbers of attribute 'nodes_modes').
enum class TreeMode : uint8_t { less_equal, less, greater_equal, greater, equal, not_equal, member };

struct TreeBranch {
  int64_t to = 0;  ///< a place in `leaves` or in `nodes`
  bool is_leaf = false;
};

struct TreeNode {
  TreeMode mode = TreeMode::less_equal;
  bool missing_is_true = false;  ///< what NaN goes to, where comparing with it is not true
  int64_t feature = 0;
  double split = 0;
  int64_t first_member = 0, end_member = 0;  ///< of `members`, for mode member
  std::array<TreeBranch, 2> branches{};      ///< false, true
};

struct TreeLeaf {
  double weight = 0;
  int64_t target = 0;
};

/// The trees of TreeEnsemble (ai.onnx.ml 5), checked: every place and target is in range and no walk comes back to a node.
struct GE_API TreeEnsemble {
  enum class Aggregate : uint8_t { average, sum, min, max };
  enum class Transform : uint8_t { none, softmax, logistic, softmax_zero, probit };

  std::vector<TreeNode> nodes;
  std::vector<TreeLeaf> leaves;
  std::vector<double> members;  ///< sorted within each node's part
  std::vector<int64_t> roots;
  int64_t targets = 0;
  int64_t features = 0;  ///< that an input needs at least
  Aggregate aggregate = Aggregate::sum;
  Transform transform = Transform::none;

  /// Throws Error(invalid_model) that names the attribute, the place and what was expected.
  static TreeEnsemble read(const Attributes& attributes);
};

}  // namespace ge
