#include "ge/kernels/reference/gemm.hpp"

namespace ge::reference {
namespace {

bool supports_gemm(const KernelQuery& query) { return contains(product_dtypes, query.inputs[0]); }

/// Gemm-13: y = alpha * op(a) * op(b) + beta * c; c is stretched to y (unidirectional broadcasting).
void prepare_gemm(const KernelSite& site, TaskBuilder& builder) {
  const auto a = site.inputs[0].dims, b = site.inputs[1].dims, y = site.outputs[0].dims;
  const bool transpose_a = site.attributes.get_int("transA", 0) != 0, transpose_b = site.attributes.get_int("transB", 0) != 0;
  MatrixProduct product;
  product.dtype = site.outputs[0].dtype;
  product.rows = y[0];
  product.columns = y[1];
  product.depth = a[transpose_a ? 0 : 1];
  product.a = transpose_a ? MatrixSteps{1, a[1]} : MatrixSteps{a[1], 1};
  product.b = transpose_b ? MatrixSteps{1, b[1]} : MatrixSteps{b[1], 1};
  product.alpha = static_cast<double>(site.attributes.get_float("alpha", 1));
  product.beta = static_cast<double>(site.attributes.get_float("beta", 1));
  product.has_c = site.has_input(2) && product.beta != 0;
  if (product.has_c) {
    const Strides c = broadcast_strides(make_dims(site.inputs[2].dims), make_dims(y));
    product.c = {c.step[0], c.step[1]};
  }
  append_product(builder, product);
}

REGISTER_CPU_KERNEL("reference", "", "Gemm", "", "alpha * A * B + beta * C", {.supports = supports_gemm, .prepare = prepare_gemm});

}  // namespace
}  // namespace ge::reference
