// Tensors made from sizes: ConstantOfShape (25), Range (27), OneHot (28), EyeLike (22).
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

#include <array>
#include <cmath>

namespace ge {
namespace {

void infer_constant_of_shape(InferContext& context) {
  const Tensor* value = context.attributes().get_tensor("value");
  if (value != nullptr && value->count() != 1)
    context.fail("attribute 'value' has " + std::to_string(value->count()) + " elements, expected 1");
  const DType dtype = value ? value->dtype() : DType::float32;
  require_rank(context, 0, 1, 1, "input");
  const std::vector<Expr>* dims = context.values(0);
  if (dims == nullptr) {
    const auto length = known_length(context, 0);
    if (length)
      context.set_output(0, dtype, context.unknown_shape(*length));
    else
      context.set_output_unknown_rank(0, dtype);
    return;
  }
  Shape out;
  for (Expr dim : *dims) out.push_back(as_dim(context, dim, "an element of the shape"));
  context.set_output(0, dtype, std::move(out));
  const auto ints = value ? value->to_ints() : std::nullopt;
  if (const auto small = small_output_dims(context, 0); small && ints)
    context.set_values(0, std::vector<Expr>(static_cast<size_t>(*element_count(*small)), context.constant(ints->front())));
}

/// max(0, ceil((limit - start) / delta)) in double, the difference rounded to the dtype first as the run would.
Expr float_range_length(InferContext& context) {
  std::array<double, 3> x{};
  bool known = true;
  for (size_t i = 0; i < 3; ++i) {  // asks for all three, so that the caller can wait for all at once
    const Tensor* content = context.content(i);
    const auto doubles = content ? content->to_doubles() : std::nullopt;
    known &= doubles && doubles->size() == 1;
    if (known) x[i] = doubles->front();
  }
  if (!known) return context.unknown_dim();
  const double difference = context.dtype(0) == DType::float32 ? static_cast<float>(x[1] - x[0]) : x[1] - x[0];
  const double length = std::ceil(difference / x[2]);
  if (!(std::fabs(length) < 0x1p62))
    context.fail("the range from " + std::to_string(x[0]) + " to " + std::to_string(x[1]) + " by " + std::to_string(x[2]) +
                 " has no finite length, expected a delta other than 0");
  return context.constant(std::max<int64_t>(static_cast<int64_t>(length), 0));
}

void infer_range(InferContext& context) {
  const DType dtype = context.dtype(0);
  for (size_t i = 0; i < 3; ++i) require_rank(context, i, 0, 1, i == 0 ? "start" : i == 1 ? "limit" : "delta");
  if (!is_int(dtype)) return context.set_output(0, dtype, {float_range_length(context)});
  const Expr start = scalar_value(context, 0, "start");
  const Expr limit = scalar_value(context, 1, "limit");
  const Expr delta = scalar_value(context, 2, "delta");
  if (!start || !limit || !delta) return context.set_output(0, dtype, {context.unknown_dim()});
  context.require(not_equal(delta, 0), [&] { return "delta is " + to_string(delta) + ", expected a step other than 0"; });
  const Expr length = max_of(ceil_div(limit - start, delta), 0);
  context.set_output(0, dtype, {length});
  if (!length.is_constant() || length.value() > max_symbolic_values) return;
  std::vector<Expr> values;
  for (int64_t i = 0; i < length.value(); ++i) values.push_back(start + delta * i);
  context.set_values(0, std::move(values));
}

void infer_one_hot(InferContext& context) {
  const Expr depth = [&]() -> Expr {
    if (is_int(context.dtype(1))) return scalar_value(context, 1, "depth");
    const Tensor* content = context.content(1);  // a float depth is cast to int64
    const auto doubles = content ? content->to_doubles() : std::nullopt;
    return doubles && doubles->size() == 1 ? context.constant(static_cast<int64_t>(doubles->front())) : Expr{};
  }();
  require_rank(context, 2, 1, 1, "values");
  if (context.has_rank(2)) require_equal(context, context.dim(2, 0), context.constant(2), "the element count of input 2 (values)");
  if (!context.has_rank(0)) return context.set_output_unknown_rank(0, context.dtype(2));
  Shape out = context.shape(0);
  const size_t axis = context.axis(context.attributes().get_int("axis", -1), out.size() + 1);
  out.insert(out.begin() + static_cast<ptrdiff_t>(axis), depth ? as_dim(context, depth, "depth") : context.unknown_dim());
  context.set_output(0, context.dtype(2), std::move(out));
}

void infer_eye_like(InferContext& context) {
  require_rank(context, 0, 2, 2, "input");
  const DType dtype = dtype_attribute(context, "dtype", context.dtype(0));
  context.set_output(0, dtype, context.has_rank(0) ? context.shape(0) : context.unknown_shape(2));
}

constexpr DTypeSet rangeable = dtypes::floats | dtype_set(DType::int16, DType::int32, DType::int64);
constexpr DTypeSet hot_index = dtypes::ints | dtypes::float_ieee;
constexpr DTypeSet eye = dtypes::numeric | dtypes::boolean;

REGISTER_OP("", "ConstantOfShape", 25, "one value everywhere in a tensor of the given shape",
            OpSchema()
                .in("input", onnx_types::int64)
                .out("output", onnx_types::movable & ~dtypes::complex & ~dtypes::string)
                .optional_attribute("value", Tensor())
                .content(0)
                .infer(infer_constant_of_shape));
REGISTER_OP("", "Range", 27, "start, start + delta, … below limit",
            OpSchema()
                .in("start", rangeable, "T")
                .in("limit", rangeable, "T")
                .in("delta", rangeable, "T")
                .out("output", rangeable, "T")
                .attribute("stash_type", int64_t{1})
                .content(0)
                .content(1)
                .content(2)
                .infer(infer_range));
REGISTER_OP("", "OneHot", 28, "on at each index along a new axis, off elsewhere",
            OpSchema()
                .in("indices", hot_index)
                .in("depth", hot_index)
                .in("values", onnx_types::classic, "T3")
                .out("output", onnx_types::classic, "T3")
                .attribute("axis", int64_t{-1})
                .content(1)
                .infer(infer_one_hot));
REGISTER_OP("", "EyeLike", 22, "ones on a diagonal",
            OpSchema()
                .in("input", eye)
                .out("output", eye)
                .optional_attribute("dtype", int64_t{})
                .attribute("k", int64_t{0})
                .infer(infer_eye_like));

}  // namespace
}  // namespace ge
