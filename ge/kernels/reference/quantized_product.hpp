#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/redirect.hpp"

namespace ge::reference {

// MatMulInteger, ConvInteger, QLinearMatMul and QLinearConv: the zero points are taken from the operands, the product is
// the one of MatMul or Conv, and the QLinear ops scale and round it. In between lie workspaces of int32 (whose sums wrap,
// as the standard allows) or, where an operand is float8, float64.

/// One operand: its input, and the inputs of its zero point and scale (`none` where there is none).
struct QuantizedOperand {
  static constexpr size_t none = SIZE_MAX;
  size_t values = 0, zero_point = none, scale = none;
  int32_t axis = 0;  ///< the axis that a zero point and scale of one axis belong to, of the operand itself
};

/// Appends tasks that write x - zero point as `wide`; the slot they are in.
Slot append_centred(const KernelSite& site, TaskBuilder& builder, const QuantizedOperand& operand, DType wide);

/// Appends a task that stores round(sum * a_scale * b_scale / y_scale) + y_zero_point, saturated, as output 0.
/// `product_axis[k]`: the output's axis that a, b and y scales of one axis belong to.
struct Requantization {
  size_t a_scale, b_scale, y_scale, y_zero_point;
  int32_t a_axis, b_axis, y_axis;
};
void append_requantize(const KernelSite& site, TaskBuilder& builder, Slot sums, DType wide, const Requantization& scales);

/// Steps that read `parameter` (a zero point or scale) along `to`: one element for all, one axis of the size of to's
/// `axis`, or dims that broadcast to `to`. Throws Error(invalid_model) for others, naming input `i`.
Strides parameter_steps(const KernelSite& site, size_t i, const Dims& to, int32_t axis);

}  // namespace ge::reference
