// Attention (ONNX 23 to 25): softmax(scale·Q·Kᵀ + bias)·V by heads, with a cache of keys and values that grows inside
// (past_key) or outside (nonpad_kv_seqlen) of the op. q[B,Hq,Sq,D], k[B,Hkv,Sk,D], v[B,Hkv,Sk,Dv]; inputs of three axes
// have the heads packed in the last one. Types of 16 bits are computed in float32 and rounded once.
#include "ge/passes/function_bodies.hpp"

#include <cmath>
#include <limits>

namespace ge {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// [B,S,H·D] as [B,H,S,D].
Term by_heads(FunctionBody& body, Term x, const char* heads) {
  if (x.rank() == 4) return x;
  const int64_t count = body.integer(heads);
  const Term packed = body.reshape(x, {body.dims(x, 0, 2), count, body.dim(x, 2) / body.ints({count})});
  return body.transpose(packed, {0, 2, 1, 3});
}

/// Heads of keys or values for groups of query heads: [B,Hkv,1,…]; so MatMul stretches them over the group.
Term shared(FunctionBody& body, Term x) { return body.unsqueeze(x, {2}); }

/// q times the root of the scale, and k too: no product grows larger than it has to (the op's documentation). A negative
/// scale has its sign with q.
struct Scale {
  Term q, k;
};
Scale roots_of_scale(FunctionBody& body, Term q) {
  if (body.has_attribute("scale")) {
    const double scale = body.real("scale"), root = std::sqrt(std::fabs(scale));
    return {body.scalar(std::copysign(root, scale), q.dtype()), body.scalar(root, q.dtype())};
  }
  const Term root = body.op("Sqrt", {1.0 / body.op("Sqrt", {body.cast(body.dim(q, 3), q.dtype())})});
  return {root, root};
}

/// attn_mask as numbers to add, in q's dtype, as long as there are keys: what is missing at the end is masked.
Term mask_as_bias(FunctionBody& body, Term mask, Term keys, DType dtype) {
  if (mask.dtype() == DType::boolean)
    mask = body.op("Where", {mask, body.scalar(0.0, dtype), body.scalar(minus_infinity, dtype)});
  mask = body.cast(mask, dtype);
  if (mask.rank() == 0) return body.expand(mask, {keys});
  const Term missing = keys - body.dim(mask, -1);
  return body.op("Pad", {mask, body.sizes({0, missing}), body.scalar(minus_infinity, dtype), body.ints({-1})});
}

/// Which keys each query may see: [Sq,Sk], or [B,1,Sq,Sk] where that differs by sample; empty when all.
Term visible_keys(FunctionBody& body, Term q, Term keys) {
  const bool causal = body.integer("is_causal") != 0;
  const int64_t left = body.integer("left_window_size"), right = body.integer("right_window_size");
  Term seen;
  const auto also = [&](Term more) { seen = seen ? body.op("And", {seen, more}) : more; };
  const Term key = body.count_to(keys);
  if (causal || left >= 0 || right >= 0) {
    Term query = body.unsqueeze(body.count_to(body.dim(q, 2)), {1});  // its position among the keys, by row
    if (body.has(4)) query = query + body.dim(body.in(4), 2);
    else if (body.has(6)) query = query + body.unsqueeze(body.in(6) - body.dim(q, 2), {1, 2, 3});
    if (causal) also(body.op("LessOrEqual", {key, query}));
    if (left >= 0) also(body.op("GreaterOrEqual", {key, query - body.scalar(left)}));
    if (right >= 0) also(body.op("LessOrEqual", {key, query + body.scalar(right)}));
  }
  if (body.has(6)) also(body.op("Less", {key, body.unsqueeze(body.in(6), {1, 2, 3})}));
  return seen;
}

/// What is added to the scores; empty when nothing is.
Term attention_bias(FunctionBody& body, Term q, Term keys) {
  Term bias = body.has(3) ? mask_as_bias(body, body.in(3), keys, q.dtype()) : Term();
  const Term seen = visible_keys(body, q, keys);
  if (!seen) return bias;
  return body.label("bias").op("Where", {seen, bias ? bias : body.scalar(0.0, q.dtype()), body.scalar(minus_infinity, q.dtype())});
}

/// Rows in which everything is masked are zero.
Term probabilities(FunctionBody& body, Term scores, Term bias) {
  const DType precision = body.has_attribute("softmax_precision") ? body.dtype_of("softmax_precision") : scores.dtype();
  const Term p = body.cast(body.label("softmax").op("Softmax", {body.cast(scores, precision)}, {{"axis", -1}}), scores.dtype());
  if (!bias) return p;
  const Term masked = body.op("Equal", {body.reduce("ReduceMax", bias, {-1}), body.scalar(minus_infinity, bias.dtype())});
  return body.label("probabilities").op("Where", {masked, body.scalar(0.0, p.dtype()), p});
}

std::vector<Term> build_attention(FunctionBody& body) {
  const bool packed = body.in(0).rank() == 3;
  const DType dtype = body.in(0).dtype(), wide = wide_float(dtype);
  const Term q = body.cast(by_heads(body, body.in(0), "q_num_heads"), wide);
  Term k = by_heads(body, body.in(1), "kv_num_heads"), v = by_heads(body, body.in(2), "kv_num_heads");
  if (body.has(4)) k = body.label("present_key").concat({body.in(4), k}, 2);
  if (body.has(5)) v = body.label("present_value").concat({body.in(5), v}, 2);
  const Term keys = body.dim(k, 2), batch_and_heads = body.dims(q, 0, 2), queries = body.dim(q, 2);

  const Scale scale = roots_of_scale(body, q);
  const Term kv_heads = body.dim(k, 1), group = body.dim(q, 1) / kv_heads;
  const Term grouped = body.reshape(q * scale.q, {body.dim(q, 0), kv_heads, group, body.dims(q, 2, 4)});
  const Term turned = body.transpose(body.cast(k, wide) * scale.k, {0, 1, 3, 2});
  const Term raw = body.label("scores").reshape(body.op("MatMul", {grouped, shared(body, turned)}), {batch_and_heads, queries, keys});

  const double cap = body.real("softcap");
  const Term capped = cap == 0 ? raw : body.op("Tanh", {raw / cap}) * cap;
  const Term bias = attention_bias(body, q, keys);
  const Term scores = bias ? capped + bias : capped;
  const Term p = probabilities(body, scores, bias);

  const Term p_grouped = body.reshape(p, {body.dim(q, 0), kv_heads, group, queries, keys});
  const Term weighted = body.op("MatMul", {p_grouped, shared(body, body.cast(v, wide))});
  Term y = body.cast(body.reshape(weighted, {batch_and_heads, queries, body.dim(v, 3)}), dtype);
  if (packed) {
    y = body.transpose(y, {0, 2, 1, 3});
    y = body.reshape(y, {body.dims(y, 0, 2), body.product(body.dims(y, 2, 4))});
  }
  if (!body.wants(3)) return {y, k, v};
  const int64_t mode = body.integer("qk_matmul_output_mode");
  return {y, k, v, body.cast(mode == 0 ? raw : mode == 1 ? capped : mode == 2 ? scores : p, dtype)};
}

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "Attention", "softmax(scale QK' + bias)V, by heads", ge::build_attention);
