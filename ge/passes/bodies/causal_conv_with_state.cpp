// CausalConvWithState (ONNX 27): each channel of x[B,C,L] convolved with its own taps w[C,1,k], the k-1 numbers before x
// being the state; then an activation.
#include "ge/passes/function_bodies.hpp"

namespace ge {
namespace {

/// The number of channels where it is the same in every run; Conv takes it as an attribute.
int64_t known_channels(FunctionBody& body, Term weight) {
  const TensorType& type = body.graph().type(weight.ref());
  return type.has_rank() && type.rank() == 3 && (*type.shape)[0].is_constant() ? (*type.shape)[0].value() : 0;
}

/// Conv asks for at least as many numbers as there are taps. Where x may be empty there is one more zero behind it, and
/// what that gives is cut off.
Term by_conv(FunctionBody& body, Term padded, Term x, Term weight, Term bias, int64_t channels) {
  std::vector<Term> inputs{padded, weight};
  if (bias) inputs.push_back(bias);
  const TensorType& type = body.graph().type(x.ref());
  if (type.has_rank() && known_true(greater_equal((*type.shape)[2], 1))) return body.op("Conv", std::move(inputs), {{"group", channels}});
  const Term longer = body.op("Conv", std::move(inputs), {{"group", channels}, {"pads", std::vector<int64_t>{0, 1}}});
  return body.slice(longer, 2, 0, body.dim(x, 2));
}

/// Without Conv: the windows [B,C,L,k] of `padded` times the taps.
Term by_windows(FunctionBody& body, Term padded, Term length, Term weight) {
  const Term at = body.unsqueeze(body.count_to(length), {1}) + body.count_to(body.dim(weight, 2));
  const Term windows = body.op("Gather", {padded, at}, {{"axis", 2}});
  return body.squeeze(body.op("MatMul", {windows, body.transpose(weight, {0, 2, 1})}), {3});
}

std::vector<Term> build_causal_conv(FunctionBody& body) {
  const Term x = body.in(0), weight = body.in(1), bias = body.in(2), length = body.dim(x, 2);
  const Term state = body.has(3) ? body.in(3)
                                 : body.expand(body.scalar(0.0, x.dtype()), {body.dims(x, 0, 2), body.dim(weight, 2) - body.ints({1})});
  const Term padded = body.label("padded").concat({state, x}, 2);
  Term y;
  if (const int64_t channels = known_channels(body, weight); channels > 0) {
    y = by_conv(body, padded, x, weight, bias, channels);
  } else {
    y = by_windows(body, padded, length, weight);
    if (bias) y = y + body.unsqueeze(bias, {1});
  }
  if (body.word("activation") != "none") {
    const Term wide = body.cast(y, DType::float32);
    y = body.cast(wide * body.op("Sigmoid", {wide}), x.dtype());
  }
  return {y, body.label("present_state").slice(padded, 2, length, to_the_end)};
}

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "CausalConvWithState", "Conv of [state, x] by channel, then the activation", ge::build_causal_conv);
