// Det (ONNX 22): the determinant of each matrix x[…, m, m], by elimination with row exchanges in double; 1 for m = 0.
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <cmath>

namespace ge::reference {
namespace {

struct DetArgs {
  const void* x;
  void* y;
  double* scratch;  ///< per chunk: one matrix
  LoadDoubles load;
  StoreDoubles store;
  int64_t m, matrices;
  uint32_t chunks;
};

/// Destroys a[m, m].
double determinant(double* a, int64_t m) {
  double product = 1;
  for (int64_t k = 0; k < m; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < m; ++i)
      if (std::fabs(a[i * m + k]) > std::fabs(a[pivot * m + k])) pivot = i;
    if (pivot != k) {
      for (int64_t j = k; j < m; ++j) std::swap(a[k * m + j], a[pivot * m + j]);
      product = -product;
    }
    product *= a[k * m + k];
    if (a[k * m + k] == 0) continue;  // nothing to eliminate; a NaN further on still reaches the product
    for (int64_t i = k + 1; i < m; ++i) {
      const double factor = a[i * m + k] / a[k * m + k];
      for (int64_t j = k + 1; j < m; ++j) a[i * m + j] -= factor * a[k * m + j];
    }
  }
  return product;
}

Status run_det(const void* block, uint32_t chunk) noexcept {
  const auto& args = *static_cast<const DetArgs*>(block);
  const auto [first, last] = chunk_range(args.matrices, args.chunks, chunk);
  const int64_t size = args.m * args.m;
  double* matrix = args.scratch + chunk * size;
  for (int64_t n = first; n < last; ++n) {
    args.load(args.x, n * size, size, 1, matrix);
    const double result = determinant(matrix, args.m);
    args.store(args.y, n, 1, 1, &result);
  }
  return Status::ok;
}

void prepare_det(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  DetArgs args{};
  args.load = double_loader(site.inputs[0].dtype), args.store = double_storer(site.outputs[0].dtype);
  args.m = site.inputs[0].dims.back();
  args.matrices = site.outputs[0].count;
  const auto m = static_cast<double>(args.m);
  args.chunks = std::min(chunks_for_units(args.matrices, m * m * m + 20), 16u);
  builder.append(run_det, args, args.chunks)
      .input(&DetArgs::x, 0)
      .output(&DetArgs::y, 0)
      .workspace(&DetArgs::scratch, args.chunks * args.m * args.m * static_cast<int64_t>(sizeof(double)));
}

REGISTER_CPU_KERNEL("reference", "", "Det", "", "determinant of each matrix", {.supports = takes<dtypes::floats>, .prepare = prepare_det});

}  // namespace
}  // namespace ge::reference
