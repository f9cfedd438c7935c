// LinearAttention (ONNX 27): a state S[B,H,dk,dv] by key and value head, updated token by token, in float32:
//   linear       S = S + k ⊗ v                 delta        S = S + β k ⊗ (v - Sᵀk)
//   gated        S = e^g S + k ⊗ v             gated_delta  S = e^g S, then as delta
// and read by each query head of the group: y = scale · qᵀS. query[B,T,Hq·dk], key[B,T,H·dk], value[B,T,H·dv].
#include "ge/passes/function_bodies.hpp"

namespace ge {
namespace {

/// The loop over tokens; inputs are unpacked to [B,T,H,…].
struct Update {
  bool decays, corrects;
};

Term at_token(FunctionBody& inner, Term unpacked, Term t) {
  return inner.cast(inner.op("Gather", {unpacked, t}, {{"axis", 1}}), DType::float32);
}

std::vector<Term> one_token(FunctionBody& inner, Term t, Term state, const std::vector<Term>& in, Update update, Term scale, DType dtype) {
  const Term q = at_token(inner, in[0], t);                        // [B,H,G,dk]
  const Term k = inner.unsqueeze(at_token(inner, in[1], t), {2});  // [B,H,1,dk]
  Term v = inner.unsqueeze(at_token(inner, in[2], t), {2});        // [B,H,1,dv]
  size_t next = 3;
  if (update.decays) state = state * inner.op("Exp", {inner.unsqueeze(at_token(inner, in[next++], t), {3})});
  if (update.corrects) v = (v - inner.op("MatMul", {k, state})) * inner.unsqueeze(at_token(inner, in[next++], t), {3});
  state = inner.label("state").op("Add", {state, inner.transpose(k, {0, 1, 3, 2}) * v});
  return {state, inner.cast(inner.op("MatMul", {q, state}) * scale, dtype)};
}

std::vector<Term> build_linear_attention(FunctionBody& body) {
  const int64_t q_heads = body.integer("q_num_heads"), heads = body.integer("kv_num_heads");
  const std::string rule = body.word("update_rule");
  const Update update{rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"};
  const Term query = body.in(0), key = body.in(1), value = body.in(2);
  const Term batch_and_tokens = body.dims(query, 0, 2);
  const auto unpacked = [&](Term x, int64_t by) { return body.reshape(x, {batch_and_tokens, by, body.dim(x, 2) / body.ints({by})}); };
  const Term k = unpacked(key, heads), v = unpacked(value, heads);
  std::vector<Term> in{body.reshape(query, {batch_and_tokens, heads, q_heads / heads, body.dim(k, 3)}), k, v};
  if (update.decays) in.push_back(unpacked(body.in(4), heads));
  if (update.corrects) in.push_back(body.unsqueeze(body.in(5), {3}));

  const double given = body.real("scale");
  in.push_back(given != 0 ? body.scalar(given, DType::float32)
                          : 1.0 / body.op("Sqrt", {body.cast(body.squeeze(body.dim(k, 3), {0}), DType::float32)}));
  const Term past = body.has(3) ? body.cast(body.in(3), DType::float32)
                                : body.expand(body.scalar(0.0, DType::float32), {body.dim(query, 0), heads, body.dim(k, 3), body.dim(v, 3)});
  const DType dtype = query.dtype();
  const auto results = body.loop(body.squeeze(body.dim(query, 1), {0}), {past}, in,
                                 [&](FunctionBody& inner, Term t, const std::vector<Term>& carried, const std::vector<Term>& captures) {
                                   return one_token(inner, t, carried[0], captures, update, captures.back(), dtype);
                                 });
  // [T,B,H,G,dv] → [B,T,Hq·dv]
  const Term y = body.reshape(body.transpose(results[1], {1, 0, 2, 3, 4}), {batch_and_tokens, body.dim(v, 3) * body.ints({q_heads})});
  return {y, body.cast(results[0], body.has(3) ? body.in(3).dtype() : dtype)};
}

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "LinearAttention", "a loop over tokens that updates and reads a state", ge::build_linear_attention);
