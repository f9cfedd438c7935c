// Products of quantised tensors: MatMulInteger (10), ConvInteger (10), QLinearMatMul (21), QLinearConv (10).
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/product_shapes.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

constexpr DTypeSet bytes = dtype_set(DType::int8, DType::uint8);
constexpr DTypeSet bytes_or_float8 = bytes | onnx_types::float8;
constexpr DTypeSet scales = dtype_set(DType::float32, DType::float16, DType::bfloat16);
constexpr DTypeSet float32 = dtype_bit(DType::float32);
constexpr DTypeSet int32 = dtype_bit(DType::int32);

OpSchema with_windows(OpSchema schema) {
  schema.attribute("auto_pad", std::string("NOTSET"))
      .optional_attribute("dilations", std::vector<int64_t>{})
      .attribute("group", int64_t{1})
      .optional_attribute("kernel_shape", std::vector<int64_t>{})
      .optional_attribute("pads", std::vector<int64_t>{})
      .optional_attribute("strides", std::vector<int64_t>{});
  return schema;
}

constexpr size_t no_bias = 99;  // an input that no node has
void infer_matmul_integer(InferContext& context) { infer_matrix_product(context, 0, 1, DType::int32); }
void infer_conv_integer(InferContext& context) { infer_convolution(context, {0, 1, no_bias}, DType::int32); }
void infer_qlinear_matmul(InferContext& context) { infer_matrix_product(context, 0, 3, context.dtype(7)); }
void infer_qlinear_conv(InferContext& context) { infer_convolution(context, {0, 3, 8}, context.dtype(7)); }

REGISTER_OP("", "MatMulInteger", 10, "matrix product of integers without their zero points",
            OpSchema()
                .in("A", bytes, "T1")
                .in("B", bytes, "T2")
                .optional_in("a_zero_point", bytes, "T1")
                .optional_in("b_zero_point", bytes, "T2")
                .out("Y", int32)
                .infer(infer_matmul_integer));
REGISTER_OP("", "ConvInteger", 10, "convolution of integers without their zero points",
            with_windows(OpSchema()
                             .in("x", bytes, "T1")
                             .in("w", bytes, "T2")
                             .optional_in("x_zero_point", bytes, "T1")
                             .optional_in("w_zero_point", bytes, "T2")
                             .out("y", int32)
                             .infer(infer_conv_integer)));
REGISTER_OP("", "QLinearMatMul", 21, "matrix product of quantised matrices, quantised",
            OpSchema()
                .in("a", bytes_or_float8, "T1")
                .in("a_scale", scales, "TS")
                .in("a_zero_point", bytes_or_float8, "T1")
                .in("b", bytes_or_float8, "T2")
                .in("b_scale", scales, "TS")
                .in("b_zero_point", bytes_or_float8, "T2")
                .in("y_scale", scales, "TS")
                .in("y_zero_point", bytes_or_float8, "T3")
                .out("y", bytes_or_float8, "T3")
                .infer(infer_qlinear_matmul));
REGISTER_OP("", "QLinearConv", 10, "convolution of quantised tensors, quantised",
            with_windows(OpSchema()
                             .in("x", bytes, "T1")
                             .in("x_scale", float32)
                             .in("x_zero_point", bytes, "T1")
                             .in("w", bytes, "T2")
                             .in("w_scale", float32)
                             .in("w_zero_point", bytes, "T2")
                             .in("y_scale", float32)
                             .in("y_zero_point", bytes, "T3")
                             .optional_in("B", int32)
                             .out("y", bytes, "T3")
                             .infer(infer_qlinear_conv)));

}  // namespace
}  // namespace ge
