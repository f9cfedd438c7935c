// TensorScatter (ONNX 24): past_cache[B,…,M,…], update[B,…,S,…] with S ≤ M along `axis`, write_indices[B].
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_tensor_scatter(InferContext& context) {
  infer_like_first(context);
  require_one_of(context, "mode", context.attributes().get_string("mode", "linear"), {"linear", "circular"});
  require_rank(context, 0, 2, SIZE_MAX, "past_cache");
  require_rank(context, 2, 1, 1, "write_indices");
  if (!context.has_rank(0)) return;
  const size_t rank = context.rank(0), sequence = context.axis(context.attributes().get_int("axis", -2), rank);
  if (sequence == 0) context.fail("attribute 'axis' names axis 0, which is the batch; expected another one");
  require_rank(context, 1, rank, rank, "update");
  if (context.has_input(2) && context.has_rank(2)) require_equal(context, context.dim(2, 0), context.dim(0, 0), "the length of write_indices");
  if (!context.has_rank(1)) return;
  for (size_t axis = 0; axis < rank; ++axis) {
    const Expr found = context.dim(1, axis), cache = context.dim(0, axis);
    if (axis != sequence)
      require_equal(context, found, cache, [&] { return "dim " + std::to_string(axis) + " of update"; });
    else if (found != cache)
      context.require(less_equal(found, cache), [&] { return "update is " + to_string(found) + " long, and the cache has room for " + to_string(cache); });
  }
}

constexpr DTypeSet cached = dtypes::all & ~dtype_set(DType::uint2, DType::int2);

REGISTER_OP("", "TensorScatter", 24, "a cache with new entries written in",
            OpSchema()
                .in("past_cache", cached, "T")
                .in("update", cached, "T")
                .optional_in("write_indices", dtype_set(DType::int64))
                .out("present_cache", cached, "T")
                .attribute("axis", int64_t{-2})
                .attribute("mode", std::string("linear"))
                .infer(infer_tensor_scatter));

}  // namespace
}  // namespace ge
