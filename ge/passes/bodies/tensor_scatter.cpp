// TensorScatter (ONNX 24): writes update[B,…,S,…] into a copy of past_cache[B,…,M,…] along an axis, sample b from
// write_indices[b] on; in circular mode round the end.
#include "ge/passes/function_bodies.hpp"

namespace ge {
namespace {

std::vector<Term> build_tensor_scatter(FunctionBody& body) {
  const Term cache = body.in(0), update = body.in(1);
  const auto rank = static_cast<int64_t>(cache.rank());
  const int64_t given = body.integer("axis"), axis = given < 0 ? given + rank : given;
  const auto axes_from = [&](int64_t first, int64_t last) {
    std::vector<int64_t> axes;
    for (int64_t a = first; a < last; ++a) axes.push_back(a);
    return axes;
  };
  Term at = body.count_to(body.dim(update, axis));
  if (axis + 1 < rank) at = body.unsqueeze(at, axes_from(1, rank - axis));
  if (body.has(2)) at = body.unsqueeze(body.in(2), axes_from(1, rank)) + at;
  if (body.word("mode") == "circular") at = body.op("Mod", {at, body.dim(cache, axis)});
  at = body.expand(at, {body.shape(update)});
  return {body.op("ScatterElements", {cache, at, update}, {{"axis", axis}})};
}

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "TensorScatter", "ScatterElements at the write positions", ge::build_tensor_scatter);
