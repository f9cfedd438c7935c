// TreeEnsemble (ai.onnx.ml 5).
#include "ge/base/tree_ensemble.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

/// X[N, F] -> Y[N, targets].
void infer_tree_ensemble(InferContext& context) {
  const TreeEnsemble trees = TreeEnsemble::read(context.attributes());
  require_rank(context, 0, 2, 2, "X");
  if (context.has_rank(0))
    context.require(greater_equal(context.dim(0, 1), trees.features),
                    [&] { return "input 0 (X) has " + to_string(context.dim(0, 1)) + " features, expected at least the " + std::to_string(trees.features) + " that the trees look at"; });
  const Expr rows = context.has_rank(0) ? context.dim(0, 0) : context.unknown_dim();
  context.set_output(0, context.dtype(0), {rows, context.constant(trees.targets)});
}

constexpr DTypeSet tree_types = dtype_set(DType::float16, DType::float32, DType::float64);

REGISTER_OP("ai.onnx.ml", "TreeEnsemble", 5, "what decision trees say, summed up by target",
            OpSchema()
                .in("X", tree_types, "T")
                .out("Y", tree_types, "T")
                .required_attribute("tree_roots", std::vector<int64_t>{})
                .required_attribute("nodes_modes", Tensor{})
                .required_attribute("nodes_splits", Tensor{})
                .required_attribute("nodes_featureids", std::vector<int64_t>{})
                .required_attribute("nodes_truenodeids", std::vector<int64_t>{})
                .required_attribute("nodes_trueleafs", std::vector<int64_t>{})
                .required_attribute("nodes_falsenodeids", std::vector<int64_t>{})
                .required_attribute("nodes_falseleafs", std::vector<int64_t>{})
                .required_attribute("leaf_targetids", std::vector<int64_t>{})
                .required_attribute("leaf_weights", Tensor{})
                .optional_attribute("nodes_missing_value_tracks_true", std::vector<int64_t>{})
                .optional_attribute("nodes_hitrates", Tensor{})
                .optional_attribute("membership_values", Tensor{})
                .optional_attribute("n_targets", int64_t{})
                .attribute("aggregate_function", int64_t{1})
                .attribute("post_transform", int64_t{0})
                .infer(infer_tree_ensemble));

}  // namespace
}  // namespace ge
