// Ops that search or sum along one axis, or look at positions: ArgMax, ArgMin (13), CumSum (14), CumProd (26),
// NonZero (13), Trilu (14), Dropout (22).
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_arg(InferContext& context) {
  const bool keep = flag(context, "keepdims", true);
  if (!context.has_rank(0)) return context.set_output_unknown_rank(0, DType::int64);
  Shape out = context.shape(0);
  const size_t axis = context.axis(context.attributes().get_int("axis", 0), out.size());
  if (keep)
    out[axis] = context.constant(1);
  else
    out.erase(out.begin() + static_cast<ptrdiff_t>(axis));
  context.set_output(0, DType::int64, std::move(out));
}

void infer_cumulative(InferContext& context) {
  infer_like_first(context);
  const Expr axis = scalar_value(context, 1, "axis");
  if (axis && axis.is_constant() && context.has_rank(0)) context.axis(axis.value(), context.rank(0));
}

/// [rank, number of non-zero elements]; the latter is known once the kernel has run.
void infer_non_zero(InferContext& context) {
  const Expr rank = context.has_rank(0) ? context.constant(static_cast<int64_t>(context.rank(0))) : context.unknown_dim();
  context.set_output(0, DType::int64, {rank, context.unknown_dim()});
}

void infer_trilu(InferContext& context) {
  require_rank(context, 0, 2, SIZE_MAX, "input");
  infer_like_first(context);
}

/// A run reads the one element of the input.
void require_one_element(InferContext& context, size_t i, const char* name) {
  if (!context.has_input(i) || !context.has_rank(i)) return;
  context.require(equal(product(context.symbols(), context.shape(i), 0, context.rank(i)), 1),
                  [&] { return std::string(name) + " has shape " + to_string(context.shape(i)) + ", expected one element"; });
}

void infer_dropout(InferContext& context) {
  require_one_element(context, 1, "ratio");
  require_one_element(context, 2, "training_mode");
  infer_like_first(context);
  if (context.has_rank(0))
    context.set_output(1, DType::boolean, context.shape(0));
  else
    context.set_output_unknown_rank(1, DType::boolean);
}

OpSchema arg() {
  return OpSchema()
      .in("data", dtypes::numeric)
      .out("reduced", onnx_types::int64)
      .attribute("axis", int64_t{0})
      .attribute("keepdims", int64_t{1})
      .attribute("select_last_index", int64_t{0})
      .infer(infer_arg);
}

constexpr DTypeSet droppable = dtypes::floats | onnx_types::float8;

REGISTER_OP("", "ArgMax", 13, "index of the largest along an axis", arg());
REGISTER_OP("", "ArgMin", 13, "index of the smallest along an axis", arg());
OpSchema cumulative() {
  return OpSchema()
      .in("x", onnx_types::arithmetic, "T")
      .in("axis", onnx_types::index)
      .out("y", onnx_types::arithmetic, "T")
      .attribute("exclusive", int64_t{0})
      .attribute("reverse", int64_t{0})
      .content(1)
      .infer(infer_cumulative);
}

REGISTER_OP("", "CumSum", 14, "running sum along an axis", cumulative());
REGISTER_OP("", "CumProd", 26, "running product along an axis", cumulative());
REGISTER_OP("", "NonZero", 13, "indices of the elements that are not 0, one column each",
            OpSchema().in("X", onnx_types::classic).out("Y", onnx_types::int64).infer(infer_non_zero));
REGISTER_OP("", "Trilu", 14, "upper or lower triangle of matrices",
            OpSchema()
                .in("input", onnx_types::classic, "T")
                .optional_in("k", onnx_types::int64)
                .out("output", onnx_types::classic, "T")
                .attribute("upper", int64_t{1})
                .content(1)
                .infer(infer_trilu));
REGISTER_OP("", "Dropout", 22, "random elements set to 0 while training, else x",
            OpSchema()
                .in("data", droppable, "T")
                .optional_in("ratio", droppable)
                .optional_in("training_mode", dtypes::boolean)
                .out("output", droppable, "T")
                .optional_out("mask", dtypes::boolean)
                .optional_attribute("seed", int64_t{})
                .nondeterministic()
                .infer(infer_dropout));

}  // namespace
}  // namespace ge
