// Normalizations by channel or over the last axes: BatchNormalization (15), InstanceNormalization (22), GroupNormalization
// (21), LayerNormalization (17), RMSNormalization (23), LRN (13), MeanVarianceNormalization (13), LpNormalization (22). The output has the input's shape.
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

/// X[n, c, …]; scale, bias, mean and variance are [c]. Without a second axis there is one channel.
void infer_batch_normalization(InferContext& context) {
  infer_like_first(context);
  const char* const names[] = {"scale", "B", "input_mean", "input_var"};
  Expr channels;
  if (context.has_rank(0)) {
    require_rank(context, 0, 1, SIZE_MAX, "X");
    channels = context.rank(0) == 1 ? context.constant(1) : context.dim(0, 1);
  }
  for (size_t i = 1; i < 5; ++i) {
    require_rank(context, i, 1, 1, names[i - 1]);
    if (!context.has_rank(i)) continue;
    if (!channels) channels = context.dim(i, 0);
    require_equal(context, context.dim(i, 0), channels, [&] { return "the dim of input " + std::to_string(i) + " (" + names[i - 1] + ")"; });
  }
  if (!channels) channels = context.unknown_dim();
  for (size_t i : {1, 2}) context.set_output(i, context.dtype(3), {channels});
}

/// Normalises X over axes axis..rank-1; Mean and InvStdDev keep those axes with size 1, in the dtype of stash_type.
void infer_layer_normalization(InferContext& context) {
  infer_like_first(context);
  const DType stash = dtype_attribute(context, "stash_type", DType::float32);
  if (!context.has_rank(0)) {
    for (size_t i : {1, 2}) context.set_output_unknown_rank(i, stash);
    return;
  }
  const Shape& x = context.shape(0);
  const size_t axis = context.axis(context.attributes().get_int("axis", -1), x.size());
  const Shape normalized(x.begin() + static_cast<ptrdiff_t>(axis), x.end());
  for (size_t i : {1, 2})
    if (context.has_input(i) && context.has_rank(i))
      require_broadcasts_to(context, context.shape(i), normalized, i == 1 ? "input 1 (Scale)" : "input 2 (B)");
  Shape statistics = x;
  for (size_t d = axis; d < x.size(); ++d) statistics[d] = context.constant(1);
  for (size_t i : {1, 2}) context.set_output(i, stash, statistics);
}

/// X[n, c, …] with scale and bias of [c].
void infer_per_channel(InferContext& context) {
  infer_like_first(context);
  require_rank(context, 0, 2, SIZE_MAX, "X");
  for (size_t i : {1, 2}) {
    require_rank(context, i, 1, 1, i == 1 ? "scale" : "bias");
    if (context.has_rank(0) && context.has_rank(i))
      require_equal(context, context.dim(i, 0), context.dim(0, 1), i == 1 ? "the dim of input 1 (scale)" : "the dim of input 2 (bias)");
  }
}

void infer_group_normalization(InferContext& context) {
  infer_per_channel(context);
  const int64_t groups = context.attributes().need_int("num_groups");
  if (groups < 1) context.fail("attribute 'num_groups' is " + std::to_string(groups) + ", expected at least 1");
  if (context.has_rank(0))
    require_equal(context, floor_mod(context.dim(0, 1), groups), context.constant(0),
                  [&] { return "the remainder of " + to_string(context.dim(0, 1)) + " channels by num_groups " + std::to_string(groups); });
}

/// The output has scale's dtype, which may differ from X's.
void infer_rms_normalization(InferContext& context) {
  set_like_first(context, context.dtype(1));
  if (!context.has_rank(0)) return;
  const Shape& x = context.shape(0);
  const size_t axis = context.axis(context.attributes().get_int("axis", -1), x.size());
  if (context.has_rank(1))
    require_broadcasts_to(context, context.shape(1), Shape(x.begin() + static_cast<ptrdiff_t>(axis), x.end()), "input 1 (scale)");
}

void infer_lrn(InferContext& context) {
  infer_like_first(context);
  require_rank(context, 0, 2, SIZE_MAX, "X");
}

void infer_mean_variance_normalization(InferContext& context) {
  infer_like_first(context);
  if (context.has_rank(0)) normal_axes(context, context.attributes().get_ints("axes", {0, 2, 3}), context.rank(0));
}

void infer_lp_normalization(InferContext& context) {
  infer_like_first(context);
  const int64_t p = context.attributes().get_int("p", 2);
  if (p != 1 && p != 2) context.fail("attribute 'p' is " + std::to_string(p) + ", expected 1 or 2");
  if (context.has_rank(0)) context.axis(context.attributes().get_int("axis", -1), context.rank(0));
}

REGISTER_OP("", "BatchNormalization", 15, "(x - mean) / sqrt(var + epsilon) * scale + B for each channel",
            OpSchema()
                .in("X", dtypes::floats, "T")
                .in("scale", dtypes::floats, "T1")
                .in("B", dtypes::floats, "T1")
                .in("input_mean", dtypes::floats, "T2")
                .in("input_var", dtypes::floats, "T2")
                .out("Y", dtypes::floats, "T")
                .optional_out("running_mean", dtypes::floats, "T2")
                .optional_out("running_var", dtypes::floats, "T2")
                .attribute("epsilon", 1e-5f)
                .attribute("momentum", 0.9f)
                .attribute("training_mode", int64_t{0})
                .infer(infer_batch_normalization));
REGISTER_OP("", "LayerNormalization", 17, "normal over the last axes, then scaled and shifted",
            OpSchema()
                .in("X", dtypes::floats, "T")
                .in("Scale", dtypes::floats, "T")
                .optional_in("B", dtypes::floats, "T")
                .out("Y", dtypes::floats, "T")
                .optional_out("Mean", dtype_set(DType::float32, DType::bfloat16), "U")
                .optional_out("InvStdDev", dtype_set(DType::float32, DType::bfloat16), "U")
                .attribute("axis", int64_t{-1})
                .attribute("epsilon", 1e-5f)
                .attribute("stash_type", int64_t{1})
                .infer(infer_layer_normalization));
REGISTER_OP("", "InstanceNormalization", 22, "normal over the spatial axes of each channel",
            OpSchema()
                .in("input", dtypes::floats, "T")
                .in("scale", dtypes::floats, "T")
                .in("B", dtypes::floats, "T")
                .out("output", dtypes::floats, "T")
                .attribute("epsilon", 1e-5f)
                .infer(infer_per_channel));
REGISTER_OP("", "GroupNormalization", 21, "normal over the channels of each group",
            OpSchema()
                .in("X", dtypes::floats, "T")
                .in("scale", dtypes::floats, "T")
                .in("bias", dtypes::floats, "T")
                .out("Y", dtypes::floats, "T")
                .attribute("epsilon", 1e-5f)
                .required_attribute("num_groups", int64_t{})
                .attribute("stash_type", int64_t{1})
                .infer(infer_group_normalization));
REGISTER_OP("", "RMSNormalization", 23, "divided by the root mean square over the last axes, then scaled",
            OpSchema()
                .in("X", dtypes::floats, "T")
                .in("scale", dtypes::floats, "V")
                .out("Y", dtypes::floats, "V")
                .attribute("axis", int64_t{-1})
                .attribute("epsilon", 1e-5f)
                .attribute("stash_type", int64_t{1})
                .infer(infer_rms_normalization));
REGISTER_OP("", "LRN", 13, "divided by a power of the squares in neighbouring channels",
            OpSchema()
                .in("X", dtypes::floats, "T")
                .out("Y", dtypes::floats, "T")
                .attribute("alpha", 1e-4f)
                .attribute("beta", 0.75f)
                .attribute("bias", 1.0f)
                .required_attribute("size", int64_t{})
                .infer(infer_lrn));
REGISTER_OP("", "MeanVarianceNormalization", 13, "to mean 0 and variance 1 over axes",
            OpSchema()
                .in("X", dtypes::floats, "T")
                .out("Y", dtypes::floats, "T")
                .attribute("axes", std::vector<int64_t>{0, 2, 3})
                .infer(infer_mean_variance_normalization));
REGISTER_OP("", "LpNormalization", 22, "divided by the norm along an axis",
            OpSchema()
                .in("input", dtypes::floats, "T")
                .out("output", dtypes::floats, "T")
                .attribute("axis", int64_t{-1})
                .attribute("p", int64_t{2})
                .infer(infer_lp_normalization));

}  // namespace
}  // namespace ge
