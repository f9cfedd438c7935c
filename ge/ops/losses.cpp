// NegativeLogLikelihoodLoss (ONNX 22), SoftmaxCrossEntropyLoss (13): scores[N,C,d…], target[N,d…], weight[C]; the loss has
// the target's shape, or is a scalar.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_loss(InferContext& context) {
  const DType dtype = context.dtype(0);
  const std::string reduction = context.attributes().get_string("reduction", "mean");
  require_one_of(context, "reduction", reduction, {"none", "sum", "mean"});
  require_rank(context, 0, 2, SIZE_MAX, "the scores");
  require_rank(context, 1, 1, SIZE_MAX, "the target");
  require_rank(context, 2, 1, 1, "the weight");
  context.set_output(1, {dtype, context.input(0).shape, std::nullopt});
  if (context.has_input(2) && context.has_rank(2) && context.has_rank(0))
    require_equal(context, context.dim(2, 0), context.dim(0, 1), "the number of weights");
  if (context.has_rank(0) && context.has_rank(1)) {
    const size_t rank = context.rank(0);
    require_rank(context, 1, rank - 1, rank - 1, "the target");
    for (size_t axis = 0; axis + 1 < rank; ++axis)
      require_equal(context, context.dim(1, axis), context.dim(0, axis == 0 ? 0 : axis + 1), [&] { return "dim " + std::to_string(axis) + " of the target"; });
  }
  if (reduction != "none") return context.set_output(0, dtype, Shape{});
  context.set_output(0, {dtype, context.input(1).shape, std::nullopt});
}

REGISTER_OP("", "NegativeLogLikelihoodLoss", 22, "-input[target] * weight[target], reduced",
            OpSchema()
                .in("input", dtypes::floats, "T")
                .in("target", onnx_types::index)
                .optional_in("weight", dtypes::floats, "T")
                .out("loss", dtypes::floats, "T")
                .optional_attribute("ignore_index", int64_t{})
                .attribute("reduction", std::string("mean"))
                .infer(infer_loss));
REGISTER_OP("", "SoftmaxCrossEntropyLoss", 13, "the likelihood loss of LogSoftmax",
            OpSchema()
                .in("scores", dtypes::floats, "T")
                .in("labels", onnx_types::index)
                .optional_in("weights", dtypes::floats, "T")
                .out("output", dtypes::floats, "T")
                .optional_out("log_prob", dtypes::floats, "T")
                .optional_attribute("ignore_index", int64_t{})
                .attribute("reduction", std::string("mean"))
                .infer(infer_loss));

}  // namespace
}  // namespace ge
