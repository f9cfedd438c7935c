// Ops that carry a state along a sequence (ONNX 27): LinearAttention, CausalConvWithState.
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

constexpr DTypeSet small_floats = dtype_set(DType::float32, DType::float16, DType::bfloat16);

int64_t positive(const InferContext& context, const char* name) {
  const int64_t value = context.attributes().need_int(name);
  if (value < 1) context.fail("attribute '" + std::string(name) + "' is " + std::to_string(value) + ", expected at least 1");
  return value;
}

/// The last dim of an input [B,T,heads·size] by heads; null where it is not known.
Expr size_by_head(InferContext& context, size_t input, int64_t heads, const char* name) {
  require_rank(context, input, 3, 3, name);
  if (!context.has_input(input) || !context.has_rank(input)) return {};
  const Expr packed = context.dim(input, 2);
  require_equal(context, floor_mod(packed, heads), context.constant(0),
                [&] { return "the remainder of " + to_string(packed) + " (the last dim of " + name + ") by " + std::to_string(heads) + " heads"; });
  for (size_t axis : {0, 1})
    if (input != 0 && context.has_rank(0) && context.rank(0) == 3)
      require_equal(context, context.dim(input, axis), context.dim(0, axis), [&] { return "dim " + std::to_string(axis) + " of " + name; });
  return floor_div(packed, heads);
}

/// query[B,T,Hq·dk], key[B,T,H·dk], value[B,T,H·dv] → output[B,T,Hq·dv], present_state[B,H,dk,dv].
void infer_linear_attention(InferContext& context) {
  const int64_t q_heads = positive(context, "q_num_heads"), heads = positive(context, "kv_num_heads");
  if (q_heads % heads != 0)
    context.fail("attribute 'q_num_heads' is " + std::to_string(q_heads) + ", expected a multiple of kv_num_heads " + std::to_string(heads));
  const std::string rule = context.attributes().get_string("update_rule", "gated_delta");
  require_one_of(context, "update_rule", rule, {"linear", "gated", "delta", "gated_delta"});
  if (rule.starts_with("gated") && !context.has_input(4)) context.fail("input 4 (decay) is missing, update rule '" + rule + "' needs it");
  if (rule.ends_with("delta") && !context.has_input(5)) context.fail("input 5 (beta) is missing, update rule '" + rule + "' needs it");
  const Expr dq = size_by_head(context, 0, q_heads, "query"), dk = size_by_head(context, 1, heads, "key");
  const Expr dv = size_by_head(context, 2, heads, "value");
  size_by_head(context, 4, heads, "decay");
  size_by_head(context, 5, 1, "beta");
  if (dq && dk) require_equal(context, dq, dk, "the head size of query");
  require_rank(context, 3, 4, 4, "past_state");
  const bool ranked = context.has_rank(0);
  context.set_output(0, context.dtype(0), with_unknowns(context, {ranked ? context.dim(0, 0) : Expr(), ranked ? context.dim(0, 1) : Expr(), dv ? dv * q_heads : Expr()}));
  Shape state = with_unknowns(context, {ranked ? context.dim(0, 0) : Expr(), context.constant(heads), dk ? dk : dq, dv});
  if (context.has_input(3) && context.has_rank(3))
    for (size_t axis = 0; axis < 4; ++axis)
      require_equal(context, context.dim(3, axis), state[axis], [&] { return "dim " + std::to_string(axis) + " of past_state"; });
  context.set_output(1, context.has_input(3) ? context.dtype(3) : context.dtype(0), std::move(state));
}

/// input[B,C,L], weight[C,1,k] → output[B,C,L], present_state[B,C,k-1].
void infer_causal_conv(InferContext& context) {
  infer_like_first(context);
  require_one_of(context, "activation", context.attributes().get_string("activation", "none"), {"none", "silu", "swish"});
  require_rank(context, 0, 3, 3, "input");
  require_rank(context, 1, 3, 3, "weight");
  require_rank(context, 2, 1, 1, "bias");
  require_rank(context, 3, 3, 3, "past_state");
  Shape state(3);
  if (context.has_rank(0)) state[0] = context.dim(0, 0), state[1] = context.dim(0, 1);
  if (context.has_rank(1)) {
    const Expr taps = context.dim(1, 2);
    require_equal(context, context.dim(1, 1), context.constant(1), "dim 1 of weight");
    context.require(greater_equal(taps, 1), "weight has no taps, expected at least 1");
    if (state[1]) require_equal(context, context.dim(1, 0), state[1], "dim 0 of weight");
    state[2] = taps - 1;
  }
  if (context.has_input(2) && context.has_rank(2) && state[1]) require_equal(context, context.dim(2, 0), state[1], "the length of bias");
  state = with_unknowns(context, std::move(state));
  if (context.has_input(3) && context.has_rank(3) && context.has_rank(0) && context.has_rank(1))
    for (size_t axis = 0; axis < 3; ++axis)
      require_equal(context, context.dim(3, axis), state[axis], [&] { return "dim " + std::to_string(axis) + " of past_state"; });
  context.set_output(1, context.dtype(0), std::move(state));
}

REGISTER_OP("", "LinearAttention", 27, "a state updated and read token by token",
            OpSchema()
                .in("query", small_floats, "T")
                .in("key", small_floats, "T")
                .in("value", small_floats, "T")
                .optional_in("past_state", small_floats, "S")
                .optional_in("decay", small_floats, "T")
                .optional_in("beta", small_floats, "T")
                .out("output", small_floats, "T")
                .out("present_state", small_floats, "S")
                .attribute("chunk_size", int64_t{64})
                .required_attribute("kv_num_heads", int64_t{})
                .required_attribute("q_num_heads", int64_t{})
                .attribute("scale", 0.0f)
                .attribute("update_rule", std::string("gated_delta"))
                .infer(infer_linear_attention));
REGISTER_OP("", "CausalConvWithState", 27, "each channel convolved with its past",
            OpSchema()
                .in("input", small_floats, "T")
                .in("weight", small_floats, "T")
                .optional_in("bias", small_floats, "T")
                .optional_in("past_state", small_floats, "T")
                .out("output", small_floats, "T")
                .out("present_state", small_floats, "T")
                .attribute("activation", std::string("none"))
                .infer(infer_causal_conv));

}  // namespace
}  // namespace ge
