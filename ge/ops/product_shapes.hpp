#pragma once
#include "ge/ops/infer_context.hpp"

/// Shapes of matrix products and convolutions, whichever inputs hold the operands.
namespace ge {

/// Output 0 is the product of inputs `a`[…, m, k] and `b`[…, k, n] with the leading axes broadcast; a vector counts as a
/// row on the left and as a column on the right, and that axis is then dropped (numpy.matmul).
void infer_matrix_product(InferContext& context, size_t a, size_t b, DType dtype);

struct ConvolutionInputs {
  size_t x, w, bias;
};
/// Output 0 is the convolution of those inputs (the bias may be absent) with the attributes of Conv (22).
void infer_convolution(InferContext& context, ConvolutionInputs in, DType dtype);

}  // namespace ge
