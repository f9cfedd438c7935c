// Reductions over axes (13 to 28): ReduceSum, ReduceMean, ReduceMax, … With no axes, or an empty list, over all of them,
// unless noop_with_empty_axes says that the input passes through.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

#include <algorithm>

namespace ge {
namespace {

struct Reduced {
  std::vector<bool> axes;  ///< by input axis
  bool keep;
};

/// Where the axes are not known: as many dims as can be told.
void set_open_output(InferContext& context, bool keep) {
  const DType dtype = context.dtype(0);
  const auto count = known_length(context, 1);
  if (!context.has_rank(0) || (!keep && (!count || *count == 0 || *count > context.rank(0))))
    return context.set_output_unknown_rank(0, dtype);
  context.set_output(0, dtype, context.unknown_shape(keep ? context.rank(0) : context.rank(0) - *count));
}

/// Sets output 0; nullopt where axes or rank are not known.
std::optional<Reduced> reduce_shape(InferContext& context) {
  const bool keep = flag(context, "keepdims", true);
  std::vector<int64_t> given;
  if (context.has_input(1)) {
    if (known_length(context, 1) != size_t{0}) {
      const auto ints = context.constant_ints(1);
      if (!ints) return set_open_output(context, keep), std::nullopt;
      given = *ints;
    }
  }
  const bool all = given.empty();
  const bool nothing = all && flag(context, "noop_with_empty_axes", false);
  if (!context.has_rank(0)) {
    if (all && !nothing && !keep)
      context.set_output(0, context.dtype(0), Shape{});
    else
      context.set_output_unknown_rank(0, context.dtype(0));
    return std::nullopt;
  }
  const Shape& in = context.shape(0);
  Reduced reduced{std::vector<bool>(in.size(), all && !nothing), keep};
  for (size_t axis : normal_axes(context, given, in.size())) reduced.axes[axis] = true;
  Shape out;
  for (size_t d = 0; d < in.size(); ++d) {
    if (!reduced.axes[d])
      out.push_back(in[d]);
    else if (keep)
      out.push_back(context.constant(1));
  }
  context.set_output(0, context.dtype(0), std::move(out));
  return reduced;
}

void infer_reduce(InferContext& context) { reduce_shape(context); }

/// Folds the known elements of an integer input; `empty` is what no elements give (null: nothing that is known).
template <Expr f(Expr, Expr), int64_t empty, bool has_empty>
void infer_reduce_values(InferContext& context) {
  const auto reduced = reduce_shape(context);
  const auto in = reduced ? valued_input_dims(context, 0) : std::nullopt;
  const auto out = small_output_dims(context, 0);
  if (!in || !out) return;
  std::vector<Expr> result(static_cast<size_t>(*element_count(*out)));
  Index at(in->size());
  for (Expr element : *context.values_if_known(0)) {
    Index to;
    for (size_t d = 0; d < at.size(); ++d) {
      if (!reduced->axes[d])
        to.push_back(at[d]);
      else if (reduced->keep)
        to.push_back(0);
    }
    Expr& sum = result[static_cast<size_t>(flat_position(*out, to))];
    sum = sum ? f(sum, element) : element;
    next_index(*in, at);
  }
  if (has_empty) std::replace(result.begin(), result.end(), Expr{}, context.constant(empty));
  context.set_values(0, std::move(result));
}
Expr sum(Expr a, Expr b) { return a + b; }
Expr product(Expr a, Expr b) { return a * b; }

OpSchema reduction(DTypeSet types, InferFn fn = infer_reduce) {
  return OpSchema()
      .in("data", types, "T")
      .optional_in("axes", onnx_types::int64)
      .out("reduced", types, "T")
      .attribute("keepdims", int64_t{1})
      .attribute("noop_with_empty_axes", int64_t{0})
      .content(1)
      .infer(fn);
}

constexpr DTypeSet arithmetic = onnx_types::arithmetic;
constexpr DTypeSet ordered = arithmetic | dtype_set(DType::int8, DType::uint8, DType::boolean);

REGISTER_OP("", "ReduceSum", 13, "sum over axes", reduction(arithmetic, infer_reduce_values<sum, 0, true>));
REGISTER_OP("", "ReduceProd", 18, "product over axes", reduction(arithmetic, infer_reduce_values<product, 1, true>));
REGISTER_OP("", "ReduceMax", 20, "largest over axes", reduction(ordered, infer_reduce_values<max_of, 0, false>));
REGISTER_OP("", "ReduceMin", 20, "smallest over axes", reduction(ordered, infer_reduce_values<min_of, 0, false>));
REGISTER_OP("", "ReduceMean", 18, "mean over axes", reduction(arithmetic));
REGISTER_OP("", "ReduceL1", 18, "sum of absolute values over axes", reduction(arithmetic));
REGISTER_OP("", "ReduceL2", 18, "root of the sum of squares over axes", reduction(arithmetic));
// The forms before opset 28 take integers as well; import cannot tell dtypes, so they stay allowed.
REGISTER_OP("", "ReduceLogSum", 28, "logarithm of the sum over axes", reduction(arithmetic));
REGISTER_OP("", "ReduceLogSumExp", 28, "logarithm of the sum of e^x over axes", reduction(arithmetic));
REGISTER_OP("", "ReduceSumSquare", 18, "sum of squares over axes", reduction(arithmetic));

}  // namespace
}  // namespace ge
