#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"

namespace ge::reference {

/// A matrix inside a tensor: steps in elements from one row, one column to the next (0: the same element again).
struct MatrixSteps {
  int64_t row = 0, column = 0;
};

/// y[rows, columns] = alpha * a[rows, depth] * b[depth, columns] + beta * c[rows, columns], for each of `batches`.
/// Where batch n has its matrices: y at n * rows * columns (dense), a and b at sum(index(n)[i] * step[i]).
struct MatrixProduct {
  DType dtype = DType::float32;
  int64_t rows = 0, columns = 0, depth = 0;
  MatrixSteps a, b, c;
  bool has_c = false;  ///< input 2; c is not batched
  double alpha = 1, beta = 1;
  LoopNest<2> batches;  ///< operand 0: a, 1: b; rank 0: one batch
};

/// dtypes of MatMul-13 and Gemm-13.
inline constexpr DTypeSet product_dtypes = dtypes::floats | dtype_set(DType::int32, DType::int64, DType::uint32, DType::uint64);

/// Appends the task that computes `product` of inputs 0, 1 (and 2) into output 0. Floating point sums are kept in
/// double, integers wrap.
void append_product(TaskBuilder& builder, MatrixProduct product);

/// MatMul of inputs 0 and 1, both and the output of one of those dtypes.
void prepare_matmul(const KernelSite& site, TaskBuilder& builder);

}  // namespace ge::reference
