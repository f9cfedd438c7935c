// GroupNormalization (ONNX 21), MeanVarianceNormalization (13), LpNormalization (22).
#include "ge/passes/function_bodies.hpp"

namespace ge {
namespace {

/// Each group of channels of each sample to mean 0 and variance 1 in the precision of stash_type, then scale and bias by
/// channel in X's.
std::vector<Term> build_group_normalization(FunctionBody& body) {
  const Term x = body.in(0);
  const int64_t groups = body.integer("num_groups");
  const Term in_group = body.product(body.dims(x, 1, to_the_end)) / body.ints({groups});
  const Term wide = body.reshape(body.cast(x, body.dtype_of("stash_type")), {body.dim(x, 0), groups, in_group});
  const Term centred = wide - body.reduce("ReduceMean", wide, {2});
  const Term variance = body.reduce("ReduceMean", centred * centred, {2});
  const Term normal = body.cast(centred / body.op("Sqrt", {variance + body.real("epsilon")}), x.dtype());
  const Term by_channel = body.reshape(normal, {body.dims(x, 0, 2), body.product(body.dims(x, 2, to_the_end))});
  const Term y = by_channel * body.unsqueeze(body.in(1), {1}) + body.unsqueeze(body.in(2), {1});
  return {body.reshape(y, {body.shape(x)})};
}

/// (X - EX) / sqrt(E(X - EX)²); ONNX's own formula adds 1e-9 to the root, so that a constant X gives 0.
std::vector<Term> build_mean_variance_normalization(FunctionBody& body) {
  const Term x = body.cast(body.in(0), wide_float(body.in(0).dtype()));
  const std::vector<int64_t> axes = body.integers("axes");
  const Term centred = x - body.reduce("ReduceMean", x, axes);
  const Term deviation = body.op("Sqrt", {body.reduce("ReduceMean", centred * centred, axes)});
  return {body.cast(centred / (deviation + 1e-9), body.in(0).dtype())};
}

/// x / |x|ₚ along an axis; 0 where the norm is 0.
std::vector<Term> build_lp_normalization(FunctionBody& body) {
  const Term x = body.in(0);
  const Term norm = body.reduce(body.integer("p") == 1 ? "ReduceL1" : "ReduceL2", x, {body.integer("axis")});
  const Term zero = body.scalar(0.0, x.dtype());
  return {body.op("Where", {body.op("Equal", {norm, zero}), zero, x / norm})};
}

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "GroupNormalization", "normal by group of channels, then scaled and shifted", ge::build_group_normalization);
REGISTER_FUNCTION_BODY("", "MeanVarianceNormalization", "(X - EX) / sqrt(E(X - EX)^2)", ge::build_mean_variance_normalization);
REGISTER_FUNCTION_BODY("", "LpNormalization", "x / norm(x) along an axis", ge::build_lp_normalization);
