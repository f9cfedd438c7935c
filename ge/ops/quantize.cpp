// Numbers as small integers or floats and back: QuantizeLinear (28), DequantizeLinear (28), DynamicQuantizeLinear (11).
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

#include <algorithm>

namespace ge {
namespace {

/// Input 2 (the zero point) has the scale's shape. Where both are one number, their ranks may differ.
void check_zero_point(InferContext& context) {
  if (!context.has_input(2) || !context.has_rank(1) || !context.has_rank(2)) return;
  const Shape &scale = context.shape(1), &zero_point = context.shape(2);
  if (scale.size() == zero_point.size()) {
    for (size_t i = 0; i < scale.size(); ++i)
      require_equal(context, zero_point[i], scale[i], [&] { return "dim " + std::to_string(i) + " of the zero point, as of the scale,"; });
    return;
  }
  for (const Shape* shape : {&scale, &zero_point})
    for (Expr dim : *shape)
      context.require(equal(dim, context.constant(1)), [&] { return "the zero point has shape " + to_string(zero_point) + ", expected the scale's, " + to_string(scale); });
}

/// Input 1 (the scale) is one number, one for each place of the axis, or, with a block size, one for each block of places.
void check_scale(InferContext& context) {
  const int64_t block = context.attributes().get_int("block_size", 0);
  if (block < 0) context.fail("attribute 'block_size' is " + std::to_string(block) + ", expected at least 0");
  const auto is_single = [](const Shape& shape) { return std::all_of(shape.begin(), shape.end(), [](Expr dim) { return dim.is_constant(1); }); };
  check_zero_point(context);
  if (!context.has_rank(0) || !context.has_rank(1)) return;
  const Shape &x = context.shape(0), &scale = context.shape(1);
  if (is_single(scale) && (scale.size() < 2 || block == 0)) return;
  if (block == 0 || (scale.size() == 1 && x.size() != 1)) {
    if (scale.size() != 1) context.fail("the scale has shape " + to_string(scale) + ", expected one axis or none without a block size");
    if (x.empty()) return context.require(equal(scale[0], context.constant(1)), "the scale of a scalar has more than one element");
    const size_t axis = x.size() == 1 ? 0 : context.axis(context.attributes().get_int("axis", 1), x.size());
    context.require(logical_or(equal(scale[0], context.constant(1)), equal(scale[0], x[axis])),
                    [&] { return "the dim of the scale for axis " + std::to_string(axis) + " of " + to_string(x) + " is " + to_string(scale[0]) + ", expected " + to_string(x[axis]) + " or 1"; });
    return;
  }
  if (scale.size() != x.size()) context.fail("the scale has shape " + to_string(scale) + ", expected the rank of " + to_string(x) + " for blocks");
  const size_t axis = x.size() == 1 ? 0 : context.axis(context.attributes().get_int("axis", 1), x.size());
  for (size_t i = 0; i < x.size(); ++i)
    require_equal(context, scale[i], i == axis ? ceil_div(x[i], context.constant(block)) : x[i],
                  [&] { return "dim " + std::to_string(i) + " of the scale for " + to_string(x) + " in blocks of " + std::to_string(block); });
}

/// Attribute output_dtype; nullopt where it is absent or 0.
std::optional<DType> output_dtype(const InferContext& context, DTypeSet allowed) {
  if (context.attributes().get_int("output_dtype", 0) == 0) return std::nullopt;
  const DType dtype = dtype_attribute(context, "output_dtype", DType::undefined);
  if (!contains(allowed, dtype)) context.fail("attribute 'output_dtype' asks for " + std::string(to_string(dtype)) + ", which this operator does not give");
  return dtype;
}

constexpr DTypeSet small_ints = dtype_set(DType::int8, DType::uint8, DType::int16, DType::uint16, DType::uint4, DType::int4, DType::uint2, DType::int2);
constexpr DTypeSet quantized = small_ints | onnx_types::float8 | dtypes::float6 | dtype_bit(DType::float4e2m1);
constexpr DTypeSet real = dtype_set(DType::float32, DType::float16, DType::bfloat16);

void infer_quantize(InferContext& context) {
  check_scale(context);
  const auto asked = output_dtype(context, quantized);
  if (const int64_t precision = context.attributes().get_int("precision", 0); precision != 0) {
    const DType dtype = dtype_attribute(context, "precision", DType::undefined);
    if (!contains(dtypes::floats, dtype)) context.fail("attribute 'precision' asks for " + std::string(to_string(dtype)) + ", expected float32, float16, bfloat16 or float64");
  }
  if (!context.has_input(2)) return set_like_first(context, asked.value_or(DType::uint8));
  if (asked && *asked != context.dtype(2))
    context.fail("attribute 'output_dtype' asks for " + std::string(to_string(*asked)) + ", expected the zero point's " + std::string(to_string(context.dtype(2))));
  set_like_first(context, context.dtype(2));
}

void infer_dequantize(InferContext& context) {
  check_scale(context);
  const auto asked = output_dtype(context, real);
  if (!asked && !contains(real, context.dtype(1)))
    context.fail("the scale is " + std::string(to_string(context.dtype(1))) + " and attribute 'output_dtype' is absent; set it to float32, float16 or bfloat16");
  set_like_first(context, asked.value_or(context.dtype(1)));
}

void infer_dynamic_quantize(InferContext& context) {
  set_like_first(context, DType::uint8);
  context.set_output(1, DType::float32, {});
  context.set_output(2, DType::uint8, {});
}

REGISTER_OP("", "QuantizeLinear", 28, "x / scale + zero point as a small type",
            OpSchema()
                .in("x", real | dtype_bit(DType::int32))
                .in("y_scale", real | dtype_set(DType::int32, DType::float8e8m0))
                .optional_in("y_zero_point", quantized, "T3")
                .out("y", quantized, "T3")
                .attribute("axis", int64_t{1})
                .attribute("block_size", int64_t{0})
                .attribute("output_dtype", int64_t{0})
                .attribute("precision", int64_t{0})
                .attribute("saturate", int64_t{1})
                .infer(infer_quantize));
REGISTER_OP("", "DequantizeLinear", 28, "(x - zero point) * scale",
            OpSchema()
                .in("x", quantized | dtype_bit(DType::int32), "T1")
                .in("x_scale", real | dtype_bit(DType::float8e8m0))
                .optional_in("x_zero_point", quantized | dtype_bit(DType::int32), "T1")
                .out("y", real)
                .attribute("axis", int64_t{1})
                .attribute("block_size", int64_t{0})
                .attribute("output_dtype", int64_t{0})
                .infer(infer_dequantize));
REGISTER_OP("", "DynamicQuantizeLinear", 11, "x as uint8 with the scale and zero point that its range needs",
            OpSchema()
                .in("x", dtype_bit(DType::float32))
                .out("y", dtype_bit(DType::uint8))
                .out("y_scale", dtype_bit(DType::float32))
                .out("y_zero_point", dtype_bit(DType::uint8))
                .infer(infer_dynamic_quantize));

}  // namespace
}  // namespace ge
