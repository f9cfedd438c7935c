#include "ge/kernels/reference/gemm.hpp"

namespace ge::reference {
namespace {

bool supports_matmul(const KernelQuery& query) { return contains(product_dtypes, query.inputs[0]); }

}  // namespace

/// MatMul-13 (numpy.matmul): a 1-D operand is a row (left) or a column (right) whose axis the result lacks; axes in
/// front of the last two are batches, stretched to each other.
void prepare_matmul(const KernelSite& site, TaskBuilder& builder) {
  const auto a = site.inputs[0].dims, b = site.inputs[1].dims, y = site.outputs[0].dims;
  MatrixProduct product;
  product.dtype = site.outputs[0].dtype;
  product.rows = a.size() == 1 ? 1 : a[a.size() - 2];
  product.depth = a.back();
  product.columns = b.size() == 1 ? 1 : b.back();
  product.a = {product.depth, 1};
  product.b = {product.columns, 1};

  const auto batch_dims = [](std::span<const int64_t> dims) { return dims.first(dims.size() < 2 ? 0 : dims.size() - 2); };
  const Dims batches = make_dims(y.first(y.size() - (a.size() == 1 ? 0 : 1) - (b.size() == 1 ? 0 : 1)));
  const auto batch_steps = [&](std::span<const int64_t> dims, int64_t matrix_size) {
    Strides steps = broadcast_strides(make_dims(batch_dims(dims)), batches);
    for (int32_t i = 0; i < batches.rank; ++i) steps.step[i] *= matrix_size;
    return steps;
  };
  if (element_count(batch_dims(b)) == 1 && element_count(batch_dims(a)) == count_of(batches)) {
    // One right operand for all: the batches are more rows.
    product.rows *= count_of(batches);
  } else {
    product.batches.set_dims(batches);
    product.batches.set_steps(0, batch_steps(a, product.rows * product.depth));
    product.batches.set_steps(1, batch_steps(b, product.depth * product.columns));
    product.batches.coalesce();
  }
  append_product(builder, product);
}

REGISTER_CPU_KERNEL("reference", "", "MatMul", "", "numpy's matrix product, batched and broadcast",
                    {.supports = supports_matmul, .prepare = prepare_matmul});

}  // namespace ge::reference
