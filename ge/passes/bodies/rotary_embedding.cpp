// RotaryEmbedding (ONNX 23): pairs of numbers of each head turned by an angle that its position gives. X[B,H,S,D], or
// [B,S,H·D]; the caches are [positions, R/2], or [B,S,R/2] without position_ids; R numbers of each head are turned.
#include "ge/passes/function_bodies.hpp"

namespace ge {
namespace {

std::vector<Term> build_rotary_embedding(FunctionBody& body) {
  const Term x = body.in(0);
  const bool packed = x.rank() == 3;
  Term heads = x;  // [B,H,S,D] or [B,S,H,D]
  if (packed) {
    const int64_t count = body.integer("num_heads");
    heads = body.reshape(x, {body.dims(x, 0, 2), count, body.dim(x, 2) / body.ints({count})});
  }
  const auto cache = [&](size_t input) {
    const Term by_token = body.has(3) ? body.op("Gather", {body.in(input), body.in(3)}) : body.in(input);
    return body.unsqueeze(by_token, {packed ? 2 : 1});
  };
  const Term cosine = cache(1), sine = cache(2);

  const int64_t turned = body.integer("rotary_embedding_dim");
  const Term part = turned == 0 ? heads : body.slice(heads, 3, 0, turned);
  const bool interleaved = body.integer("interleaved") != 0;
  const Size half = turned == 0 ? Size(body.dim(heads, 3) / body.ints({2})) : Size(turned / 2);
  const Term x1 = interleaved ? body.slice(part, 3, 0, to_the_end, 2) : body.slice(part, 3, 0, half);
  const Term x2 = interleaved ? body.slice(part, 3, 1, to_the_end, 2) : body.slice(part, 3, half, to_the_end);
  Term real = cosine * x1 - sine * x2, imaginary = sine * x1 + cosine * x2;
  Term y;
  if (interleaved) {
    y = body.concat({body.unsqueeze(real, {4}), body.unsqueeze(imaginary, {4})}, 4);
    y = body.reshape(y, {body.shape(part)});
  } else {
    y = body.concat({real, imaginary}, 3);
  }
  if (turned != 0) y = body.concat({y, body.slice(heads, 3, turned, to_the_end)}, 3);
  return {packed ? body.reshape(y, {body.shape(x)}) : y};
}

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "RotaryEmbedding", "pairs turned by the angle of their position", ge::build_rotary_embedding);
