// Hardmax along one axis (ONNX 13), x[outer, n, inner]: 1 at the first of the largest elements, 0 elsewhere. A NaN counts
// as the largest, as in ArgMax.
#include "ge/kernels/reference/axis_rows.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

/// Number along the axis of the first largest element of the row that starts at `base`.
int64_t first_largest(const AxisRows& a, int64_t base) {
  double block[block_size], best = 0;
  int64_t at = 0;
  for (int64_t i = 0; i < a.n; i += block_size) {
    const int64_t count = std::min(block_size, a.n - i);
    a.load(a.x, base + i * a.inner, count, a.inner, block);
    for (int64_t j = 0; j < count; ++j) {
      const bool better = best == best && (block[j] > best || block[j] != block[j]);
      if (i + j > 0 && !better) continue;
      best = block[j];
      at = i + j;
    }
  }
  return at;
}

Status run_hardmax(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const AxisRows*>(args);
  const Range rows = a.rows_of(chunk);
  const double zeros[block_size] = {}, one = 1;
  for (int64_t row = rows.first; row < rows.last; ++row) {
    const int64_t base = a.base_of(row);
    const int64_t at = first_largest(a, base);
    for (int64_t i = 0; i < a.n; i += block_size) a.store(a.y, base + i * a.inner, std::min(block_size, a.n - i), a.inner, zeros);
    a.store(a.y, base + at * a.inner, 1, 1, &one);
  }
  return Status::ok;
}

void prepare_hardmax(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  const AxisRows args = axis_rows(site, 3);
  builder.append(run_hardmax, args, args.chunks).input(&AxisRows::x, 0).output(&AxisRows::y, 0);
  builder.may_overwrite(0, 0);  // a row is read to its end before any of it is written
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Hardmax", "", "1 at the first largest element along an axis", {.supports = takes<dtypes::floats>, .prepare = prepare_hardmax});

}  // namespace ge::reference
