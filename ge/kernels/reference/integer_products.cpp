// MatMulInteger (ONNX 10), ConvInteger (10), QLinearMatMul (21), QLinearConv (10).
#include "ge/kernels/reference/conv_correlation.hpp"
#include "ge/kernels/reference/gemm.hpp"
#include "ge/kernels/reference/quantized_product.hpp"

#include "ge/base/small_float.hpp"

namespace ge::reference {
namespace {

constexpr size_t none = QuantizedOperand::none;

/// A zero point or scale of one axis belongs to a row of the left matrix and to a column of the right one.
int32_t row_axis(size_t rank) { return rank < 2 ? -1 : static_cast<int32_t>(rank) - 2; }
int32_t column_axis(size_t rank) { return rank < 2 ? -1 : static_cast<int32_t>(rank) - 1; }

SiteTensor as(SiteTensor tensor, DType dtype) {
  tensor.dtype = dtype;
  tensor.content = nullptr;
  return tensor;
}

/// Appends the product of the operands without their zero points, as prepare_matmul or prepare_conv computes it, in `wide`;
/// `bias`: an input of that type, or `none`.
void append_product_of(const KernelSite& site, TaskBuilder& builder, PrepareFn prepare, const QuantizedOperand& a, const QuantizedOperand& b, size_t bias, DType wide,
                       Slot sums) {
  std::vector<SiteTensor> inputs{as(site.inputs[a.values], wide), as(site.inputs[b.values], wide)};
  Redirection to;
  to.inputs = {append_centred(site, builder, a, wide), append_centred(site, builder, b, wide)};
  to.outputs = {sums};
  if (bias != none && site.has_input(bias)) {
    inputs.push_back(site.inputs[bias]);
    to.inputs.push_back(input_slot(bias));
  }
  const std::vector<SiteTensor> outputs{as(site.outputs[0], wide)};
  prepare_redirected({site.domain, site.op, site.node, site.attributes, inputs, outputs, site.target}, builder, prepare, to);
}

void prepare_matmul_integer(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  append_product_of(site, builder, prepare_matmul, {0, 2, none, row_axis(site.inputs[0].dims.size())}, {1, 3, none, column_axis(site.inputs[1].dims.size())}, none,
                    DType::int32, output_slot(0));
}

void prepare_conv_integer(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  append_product_of(site, builder, prepare_conv, {0, 2, none, 1}, {1, 3, none, 0}, none, DType::int32, output_slot(0));
}

void prepare_qlinear_matmul(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  const bool floats = is_float(site.inputs[0].dtype) || is_float(site.inputs[3].dtype);
  const DType wide = floats ? DType::float64 : DType::int32;
  const size_t a = site.inputs[0].dims.size(), b = site.inputs[3].dims.size();
  const auto rank = static_cast<int32_t>(site.outputs[0].dims.size());
  const Slot sums = new_workspace(builder, wide, site.outputs[0].count);
  append_product_of(site, builder, prepare_matmul, {0, 2, 1, row_axis(a)}, {3, 5, 4, column_axis(b)}, none, wide, sums);
  // A vector's axis is not there in the product.
  const int32_t column = b < 2 ? -1 : rank - 1, row = a < 2 ? -1 : rank - (b < 2 ? 1 : 2);
  append_requantize(site, builder, sums, wide, {1, 4, 6, 7, row, column, row});
}

void prepare_qlinear_conv(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  const Slot sums = new_workspace(builder, DType::int32, site.outputs[0].count);
  append_product_of(site, builder, prepare_conv, {0, 2, 1, 1}, {3, 5, 4, 0}, 8, DType::int32, sums);
  append_requantize(site, builder, sums, DType::int32, {1, 4, 6, 7, -1, 1, 1});
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "MatMulInteger", "", "matrix product of integers without zero points", {.prepare = prepare_matmul_integer});
REGISTER_CPU_KERNEL("reference", "", "ConvInteger", "", "convolution of integers without zero points", {.prepare = prepare_conv_integer});
REGISTER_CPU_KERNEL("reference", "", "QLinearMatMul", "", "matrix product of quantised matrices", {.prepare = prepare_qlinear_matmul});
REGISTER_CPU_KERNEL("reference", "", "QLinearConv", "", "convolution of quantised tensors", {.prepare = prepare_qlinear_conv});

}  // namespace ge::reference
