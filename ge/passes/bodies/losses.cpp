// NegativeLogLikelihoodLoss (ONNX 22) and SoftmaxCrossEntropyLoss (13): input[N,C,d…] holds log-probabilities, target
// [N,d…] classes: loss = -input[n,target,d…] · weight[target], 0 where the target is ignore_index.
#include "ge/passes/function_bodies.hpp"

namespace ge {
namespace {

Term total(FunctionBody& body, Term x) { return body.op("ReduceSum", {x}, {{"keepdims", 0}}); }

/// The reduction "mean" is over the weights: samples that are ignored weigh nothing.
Term likelihood_loss(FunctionBody& body, Term log_probabilities, Term target, Term weight) {
  const DType dtype = log_probabilities.dtype();
  target = body.cast(target, DType::int64);
  Term ignored;
  if (body.has_attribute("ignore_index")) {
    ignored = body.op("Equal", {target, body.scalar(body.integer("ignore_index"))});
    target = body.op("Where", {ignored, body.scalar(int64_t{0}), target});
  }
  // Classes are counted from 0; an index below would mean one from the end.
  target = body.op("Where", {body.op("Less", {target, body.scalar(int64_t{0})}), body.scalar(INT64_MAX), target});
  const auto unless_ignored = [&](Term x) { return ignored ? body.op("Where", {ignored, body.scalar(0.0, dtype), x}) : x; };
  const Term picked = body.op("GatherElements", {log_probabilities, body.unsqueeze(target, {1})}, {{"axis", 1}});
  Term loss = body.op("Neg", {body.squeeze(picked, {1})});
  Term weights;
  if (weight) {
    weights = body.op("Gather", {weight, target});
    loss = loss * weights;
    weights = unless_ignored(weights);
  } else if (ignored) {
    weights = unless_ignored(body.scalar(1.0, dtype));
  }
  loss = unless_ignored(loss);
  const std::string reduction = body.word("reduction");
  if (reduction == "none") return loss;
  if (reduction == "sum") return total(body, loss);
  return weights ? total(body, loss) / total(body, weights) : body.op("ReduceMean", {loss}, {{"keepdims", 0}});
}

std::vector<Term> build_likelihood_loss(FunctionBody& body) { return {likelihood_loss(body, body.in(0), body.in(1), body.in(2))}; }

std::vector<Term> build_cross_entropy_loss(FunctionBody& body) {
  const Term log_probabilities = body.op("LogSoftmax", {body.in(0)}, {{"axis", 1}});
  return {likelihood_loss(body, log_probabilities, body.in(1), body.in(2)), log_probabilities};
}

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "NegativeLogLikelihoodLoss", "-input[target] * weight[target], reduced", ge::build_likelihood_loss);
REGISTER_FUNCTION_BODY("", "SoftmaxCrossEntropyLoss", "the likelihood loss of LogSoftmax", ge::build_cross_entropy_loss);
