// Attention (ONNX 25): q[B,Hq,Sq,D], k[B,Hkv,Sk,D], v[B,Hkv,Sk,Dv], or packed by heads, q[B,Sq,Hq·D]. With a cache of P
// past keys T = P + Sk keys are seen: Y[B,Hq,Sq,Dv] or [B,Sq,Hq·Dv], present_key[B,Hkv,T,D], present_value[B,Hkv,T,Dv],
// qk_matmul_output[B,Hq,Sq,T].
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

struct Heads {
  Expr batch, heads, length, size;  ///< null where not known
};

/// What Q, K or V says; `attribute` counts the heads of packed ones.
Heads heads_of(InferContext& context, size_t input, const char* name, const char* attribute) {
  require_rank(context, input, 3, 4, name);
  const bool counted = context.attributes().has(attribute);
  const int64_t count = context.attributes().get_int(attribute, 0);
  if (counted && count < 1) context.fail("attribute '" + std::string(attribute) + "' is " + std::to_string(count) + ", expected at least 1");
  if (!context.has_rank(input)) return {};
  const Shape& shape = context.shape(input);
  if (shape.size() == 4) return {shape[0], shape[1], shape[2], shape[3]};
  if (!counted) context.fail("input " + std::to_string(input) + " (" + name + ") has rank 3, so attribute '" + attribute + "' is needed");
  require_equal(context, floor_mod(shape[2], count), context.constant(0), [&] {
    return "the remainder of " + to_string(shape[2]) + " (the last dim of " + name + ") by " + attribute + " " + std::to_string(count);
  });
  return {shape[0], context.constant(count), shape[1], floor_div(shape[2], count)};
}

void require_same(InferContext& context, Expr found, Expr expected, const char* what) {
  if (found && expected) require_equal(context, found, expected, what);
}

/// Adds the past to K or V.
Expr with_past(InferContext& context, size_t input, const Heads& now, const char* name) {
  if (!context.has_input(input)) return now.length;
  require_rank(context, input, 4, 4, name);
  if (!context.has_rank(input)) return {};
  const Shape& past = context.shape(input);
  require_same(context, past[1], now.heads, "the number of heads of the past");
  require_same(context, past[3], now.size, "the head size of the past");
  return now.length ? past[2] + now.length : Expr();
}

void check_options(InferContext& context) {
  const int64_t mode = context.attributes().get_int("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) context.fail("attribute 'qk_matmul_output_mode' is " + std::to_string(mode) + ", expected 0 to 3");
  for (const char* name : {"left_window_size", "right_window_size"})
    if (const int64_t size = context.attributes().get_int(name, -1); size < -1)
      context.fail("attribute '" + std::string(name) + "' is " + std::to_string(size) + ", expected -1 (no bound) or more");
  const DType precision = dtype_attribute(context, "softmax_precision", DType::float32);
  if (!contains(dtypes::floats, precision))
    context.fail("attribute 'softmax_precision' is " + std::string(to_string(precision)) + ", expected a float type");
  if (context.has_input(4) != context.has_input(5)) context.fail("inputs past_key and past_value are used together, one is missing");
  if (context.has_input(4) && context.has_input(6)) context.fail("nonpad_kv_seqlen says where a cache outside ends, and past_key is one inside: expected one of them");
}

/// A mask may end before the keys do.
void check_mask(InferContext& context, Expr keys) {
  if (!context.has_input(3) || !context.has_rank(3)) return;
  require_rank(context, 3, 0, 4, "attn_mask");
  if (!keys || context.rank(3) == 0) return;
  const Expr length = context.shape(3).back();
  if (length != keys)
    context.require(less_equal(length, keys), [&] { return "attn_mask is for " + to_string(length) + " keys, expected at most " + to_string(keys); });
}

void infer_attention(InferContext& context) {
  const DType dtype = context.dtype(0);
  check_options(context);
  const Heads q = heads_of(context, 0, "Q", "q_num_heads"), k = heads_of(context, 1, "K", "kv_num_heads");
  const Heads v = heads_of(context, 2, "V", "kv_num_heads");
  require_same(context, k.batch, q.batch, "the batch of K");
  require_same(context, v.batch, q.batch, "the batch of V");
  require_same(context, k.size, q.size, "the head size of K");
  require_same(context, v.heads, k.heads, "the number of heads of V");
  require_same(context, v.length, k.length, "the length of V");
  if (q.heads && k.heads && q.heads != k.heads)
    context.require(equal(floor_mod(q.heads, max_of(k.heads, 1)), context.constant(0)), [&] {
      return "there are " + to_string(q.heads) + " heads of queries, expected a multiple of the " + to_string(k.heads) + " heads of keys";
    });
  const Expr keys = with_past(context, 4, k, "past_key"), values = with_past(context, 5, v, "past_value");
  require_same(context, values, keys, "the length of past and present values");
  check_mask(context, keys);
  require_rank(context, 6, 1, 1, "nonpad_kv_seqlen");
  if (context.has_input(6) && context.has_rank(6)) require_same(context, context.dim(6, 0), q.batch, "the length of nonpad_kv_seqlen");

  if (!context.has_rank(0))
    context.set_output_unknown_rank(0, dtype);
  else if (context.rank(0) == 4)
    context.set_output(0, dtype, with_unknowns(context, {q.batch, q.heads, q.length, v.size}));
  else
    context.set_output(0, dtype, with_unknowns(context, {q.batch, q.length, v.size ? q.heads * v.size : Expr()}));
  const Expr batch = q.batch ? q.batch : k.batch;
  context.set_output(1, context.dtype(1), with_unknowns(context, {batch, k.heads, keys, k.size}));
  context.set_output(2, context.dtype(2), with_unknowns(context, {batch, v.heads, keys ? keys : values, v.size}));
  context.set_output(3, dtype, with_unknowns(context, {batch, q.heads, q.length, keys}));
}

REGISTER_OP("", "Attention", 25, "softmax(scale QK' + bias)V, by heads",
            OpSchema()
                .in("Q", dtypes::floats, "T1")
                .in("K", dtypes::floats, "T1")
                .in("V", dtypes::floats, "T2")
                .optional_in("attn_mask", dtypes::numeric | dtypes::boolean)
                .optional_in("past_key", dtypes::floats, "T1")
                .optional_in("past_value", dtypes::floats, "T2")
                .optional_in("nonpad_kv_seqlen", dtype_set(DType::int64))
                .out("Y", dtypes::floats, "T1")
                .optional_out("present_key", dtypes::floats, "T1")
                .optional_out("present_value", dtypes::floats, "T2")
                .optional_out("qk_matmul_output", dtypes::floats, "T1")
                .attribute("is_causal", int64_t{0})
                .optional_attribute("kv_num_heads", int64_t{})
                .attribute("left_window_size", int64_t{-1})
                .optional_attribute("q_num_heads", int64_t{})
                .attribute("qk_matmul_output_mode", int64_t{0})
                .attribute("right_window_size", int64_t{-1})
                .optional_attribute("scale", float{})
                .attribute("softcap", 0.0f)
                .optional_attribute("softmax_precision", int64_t{})
                .infer(infer_attention));

}  // namespace
}  // namespace ge
