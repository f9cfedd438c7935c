// Ops that address elements by index tuples or rank them: GatherND (13), ScatterND (18), ScatterElements (18), TopK (24).
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

/// Length of the index tuples: the last dim of indices; nullopt where it is no constant.
std::optional<size_t> tuple_length(const InferContext& context, size_t most) {
  require_rank(context, 0, 1, SIZE_MAX, "data");
  require_rank(context, 1, 1, SIZE_MAX, "indices");
  if (!context.has_rank(0) || !context.has_rank(1) || !context.shape(1).back().is_constant()) return std::nullopt;
  const int64_t length = context.shape(1).back().value();
  if (length < 0 || static_cast<size_t>(length) > most)
    context.fail("indices has shape " + to_string(context.shape(1)) + ", expected a last dim of at most " + std::to_string(most) +
                 " for data of shape " + to_string(context.shape(0)));
  return static_cast<size_t>(length);
}

/// indices[:-1] followed by the axes of data behind the first `skip`.
Shape tuple_shape(const InferContext& context, size_t skip) {
  Shape out(context.shape(1).begin(), context.shape(1).end() - 1);
  out.insert(out.end(), context.shape(0).begin() + static_cast<ptrdiff_t>(skip), context.shape(0).end());
  return out;
}

/// The first batch_dims axes of data and indices go together; each tuple addresses the axes of data behind them.
void infer_gather_nd(InferContext& context) {
  const int64_t batch = context.attributes().get_int("batch_dims", 0);
  for (size_t i : {0, 1})
    if (context.has_rank(i) && (batch < 0 || batch >= static_cast<int64_t>(context.rank(i))))
      context.fail("attribute 'batch_dims' is " + std::to_string(batch) + ", expected 0 to " + std::to_string(context.rank(i)) +
                   " - 1 for input shape " + to_string(context.shape(i)));
  const auto b = static_cast<size_t>(batch);
  const auto length = tuple_length(context, context.has_rank(0) ? context.rank(0) - b : 0);
  if (!length) return context.set_output_unknown_rank(0, context.dtype(0));
  for (size_t d = 0; d < b; ++d)
    require_equal(context, context.dim(1, d), context.dim(0, d), [&] { return "dim " + std::to_string(d) + " of indices"; });
  context.set_output(0, context.dtype(0), tuple_shape(context, b + *length));
}

void require_reduction(const InferContext& context) {
  require_one_of(context, "reduction", context.attributes().get_string("reduction", "none"), {"none", "add", "mul", "max", "min"});
}

void require_update_shape(InferContext& context, const Shape& expected) {
  require_rank(context, 2, expected.size(), expected.size(), "updates");
  if (!context.has_rank(2)) return;
  for (size_t d = 0; d < expected.size(); ++d)
    require_equal(context, context.dim(2, d), expected[d], [&] { return "dim " + std::to_string(d) + " of updates"; });
}

void infer_scatter_nd(InferContext& context) {
  require_reduction(context);
  infer_like_first(context);
  if (const auto length = tuple_length(context, context.has_rank(0) ? context.rank(0) : 0))
    require_update_shape(context, tuple_shape(context, *length));
}

void infer_scatter_elements(InferContext& context) {
  require_reduction(context);
  infer_like_first(context);
  if (context.has_rank(0)) {
    context.axis(context.attributes().get_int("axis", 0), context.rank(0));
    require_rank(context, 1, context.rank(0), context.rank(0), "indices");
  }
  if (context.has_rank(1)) require_update_shape(context, context.shape(1));
}

void infer_top_k(InferContext& context) {
  const Expr k = scalar_value(context, 1, "K");
  if (!context.has_rank(0)) {
    context.set_output_unknown_rank(0, context.dtype(0));
    return context.set_output_unknown_rank(1, DType::int64);
  }
  Shape out = context.shape(0);
  const size_t axis = context.axis(context.attributes().get_int("axis", -1), out.size());
  if (k)
    context.require(less_equal(k, out[axis]),
                    [&] { return "K is " + to_string(k) + ", expected at most the " + to_string(out[axis]) + " elements along the axis"; });
  out[axis] = k ? as_dim(context, k, "K") : context.unknown_dim();
  context.set_output(0, context.dtype(0), out);
  context.set_output(1, DType::int64, std::move(out));
}

OpSchema scatter(DTypeSet index, InferFn fn) {
  return OpSchema()
      .in("data", onnx_types::classic, "T")
      .in("indices", index)
      .in("updates", onnx_types::classic, "T")
      .out("output", onnx_types::classic, "T")
      .attribute("reduction", std::string("none"))
      .infer(fn);
}

REGISTER_OP("", "GatherND", 13, "slices addressed by index tuples",
            OpSchema()
                .in("data", onnx_types::classic, "T")
                .in("indices", onnx_types::int64)
                .out("output", onnx_types::classic, "T")
                .attribute("batch_dims", int64_t{0})
                .infer(infer_gather_nd));
REGISTER_OP("", "ScatterND", 18, "data with slices replaced at index tuples", scatter(onnx_types::int64, infer_scatter_nd));
REGISTER_OP("", "ScatterElements", 18, "data with elements replaced along an axis",
            scatter(onnx_types::index, infer_scatter_elements).attribute("axis", int64_t{0}));
REGISTER_OP("", "TopK", 24, "the largest or smallest elements along an axis, and where they are",
            OpSchema()
                .in("X", dtypes::numeric, "T")
                .in("K", onnx_types::int64)
                .out("Values", dtypes::numeric, "T")
                .out("Indices", onnx_types::int64)
                .attribute("axis", int64_t{-1})
                .attribute("largest", int64_t{1})
                .attribute("sorted", int64_t{1})
                .content(1)
                .infer(infer_top_k));

}  // namespace
}  // namespace ge
