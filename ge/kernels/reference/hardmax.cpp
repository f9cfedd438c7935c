// Hardmax along one axis (ONNX 13), x[outer, n, inner]: 1 at the first of the largest elements, 0 elsewhere. A NaN counts
// as the largest, as in ArgMax.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

struct HardmaxArgs {
  const void* x = nullptr;
  void* y = nullptr;
  LoadDoubles load = nullptr;
  StoreDoubles store = nullptr;
  int64_t outer = 1, n = 1, inner = 1;
  uint32_t chunks = 1;
};

/// Number along the axis of the first largest element of the row that starts at `base`.
int64_t first_largest(const HardmaxArgs& a, int64_t base) {
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
  const auto& a = *static_cast<const HardmaxArgs*>(args);
  const Range rows = chunk_range(a.outer * a.inner, a.chunks, chunk);
  const double zeros[block_size] = {}, one = 1;
  for (int64_t row = rows.first; row < rows.last; ++row) {
    const int64_t base = row / a.inner * a.n * a.inner + row % a.inner;
    const int64_t at = first_largest(a, base);
    for (int64_t i = 0; i < a.n; i += block_size) a.store(a.y, base + i * a.inner, std::min(block_size, a.n - i), a.inner, zeros);
    a.store(a.y, base + at * a.inner, 1, 1, &one);
  }
  return Status::ok;
}

void prepare_hardmax(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  const Dims dims = make_dims(site.inputs[0].dims);
  HardmaxArgs args;
  // A scalar counts as one row of one element.
  if (dims.rank > 0) {
    const int32_t axis = normal_axis(site.attributes.get_int("axis", -1), dims.rank);
    args.outer = count_of(dims, 0, axis);
    args.n = dims.size[axis];
    args.inner = count_of(dims, axis + 1, dims.rank);
  }
  args.load = double_loader(site.inputs[0].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  const int64_t rows = args.outer * args.inner;
  args.chunks = std::min(chunks_for(rows * args.n * 3), static_cast<uint32_t>(std::clamp<int64_t>(rows, 1, 64)));
  builder.append(run_hardmax, args, args.chunks).input(&HardmaxArgs::x, 0).output(&HardmaxArgs::y, 0);
  builder.may_overwrite(0, 0);  // a row is read to its end before any of it is written
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Hardmax", "", "1 at the first largest element along an axis", {.supports = takes<dtypes::floats>, .prepare = prepare_hardmax});

}  // namespace ge::reference
