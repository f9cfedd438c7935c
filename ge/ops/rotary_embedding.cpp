// RotaryEmbedding (ONNX 23): Y has X's shape, [B,H,S,D] or [B,S,H·D]; the caches are [positions, R/2] with position_ids
// [B,S], else [B,S,R/2]; R is rotary_embedding_dim, or D.
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

constexpr DTypeSet small_floats = dtype_set(DType::float32, DType::float16, DType::bfloat16);

/// Null where X's rank is not known.
Expr head_size(InferContext& context) {
  require_rank(context, 0, 3, 4, "X");
  if (!context.has_rank(0)) return {};
  if (context.rank(0) == 4) return context.dim(0, 3);
  const int64_t heads = context.attributes().get_int("num_heads", 0);
  if (heads < 1) context.fail("input 0 (X) has rank 3, and attribute 'num_heads' is " + std::to_string(heads) + ", expected at least 1");
  const Expr packed = context.dim(0, 2);
  require_equal(context, floor_mod(packed, heads), context.constant(0),
                [&] { return "the remainder of " + to_string(packed) + " (the last dim of X) by num_heads " + std::to_string(heads); });
  return floor_div(packed, heads);
}

/// Dims 0 and 1 of an input that has a row for each token: the batch and the length of X.
void require_tokens(InferContext& context, size_t input, const char* name) {
  if (!context.has_rank(0) || !context.has_rank(input)) return;
  const size_t length = context.rank(0) == 4 ? 2 : 1;
  require_equal(context, context.dim(input, 0), context.dim(0, 0), [&] { return "the batch of " + std::string(name); });
  require_equal(context, context.dim(input, 1), context.dim(0, length), [&] { return "the length of " + std::string(name); });
}

void infer_rotary_embedding(InferContext& context) {
  infer_like_first(context);
  const Expr size = head_size(context);
  const int64_t given = context.attributes().get_int("rotary_embedding_dim", 0);
  if (given < 0 || given % 2 != 0) context.fail("attribute 'rotary_embedding_dim' is " + std::to_string(given) + ", expected an even number, or 0 for the whole head");
  if (given != 0 && size)
    context.require(greater_equal(size, given), [&] { return "heads have " + to_string(size) + " numbers, expected at least rotary_embedding_dim " + std::to_string(given); });
  if (given == 0 && size)
    require_equal(context, floor_mod(size, 2), context.constant(0), [&] { return "the remainder of the head size " + to_string(size) + " by 2"; });
  const Expr turned = given != 0 ? context.constant(given) : size;
  const size_t rank = context.has_input(3) ? 2 : 3;
  require_rank(context, 3, 2, 2, "position_ids");
  if (context.has_input(3)) require_tokens(context, 3, "position_ids");
  for (size_t i : {1, 2}) {
    const char* name = i == 1 ? "cos_cache" : "sin_cache";
    require_rank(context, i, rank, rank, name);
    if (!context.has_input(3)) require_tokens(context, i, name);
    if (!context.has_rank(i) || !turned) continue;
    require_equal(context, context.dim(i, rank - 1), floor_div(turned, 2), [&] { return "the last dim of " + std::string(name); });
  }
}

REGISTER_OP("", "RotaryEmbedding", 23, "pairs turned by the angle of their position",
            OpSchema()
                .in("X", small_floats, "T")
                .in("cos_cache", small_floats, "T")
                .in("sin_cache", small_floats, "T")
                .optional_in("position_ids", dtype_set(DType::int64))
                .out("Y", small_floats, "T")
                .attribute("interleaved", int64_t{0})
                .optional_attribute("num_heads", int64_t{})
                .attribute("rotary_embedding_dim", int64_t{0})
                .infer(infer_rotary_embedding));

}  // namespace
}  // namespace ge
