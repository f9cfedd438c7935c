#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ge::reference {
namespace {

// x[N, C, ...] -> y[N, C, 1, ...]: each plane becomes one element. `Fold` says how; planes are read in order.

struct GlobalPoolArgs {
  const void* x;
  void* y;
  LoadDoubles load;
  StoreDoubles store;
  int64_t planes, size;
  double p;
  uint32_t chunks;
};

struct Average {
  double sum = 0;
  void take(double value, double) { sum += value; }
  double result(int64_t count, double) const { return sum / static_cast<double>(count); }
};
struct Maximum {
  double best = -std::numeric_limits<double>::infinity();
  void take(double value, double) { best = value > best || value != value ? value : best; }  // NaN stays: nothing exceeds it
  double result(int64_t, double) const { return best; }
};
struct Norm {
  double sum = 0;
  void take(double value, double p) { sum += p == 2 ? value * value : std::pow(std::fabs(value), p); }
  double result(int64_t, double p) const { return p == 2 ? std::sqrt(sum) : std::pow(sum, 1 / p); }
};

template <class Fold>
Status run_global_pool(const void* block, uint32_t chunk) noexcept {
  const auto& args = *static_cast<const GlobalPoolArgs*>(block);
  const auto [first, last] = chunk_range(args.planes, args.chunks, chunk);
  double values[block_size];
  for (int64_t plane = first; plane < last; ++plane) {
    Fold fold;
    for (int64_t i = 0; i < args.size; i += block_size) {
      const int64_t count = std::min(block_size, args.size - i);
      args.load(args.x, plane * args.size + i, count, 1, values);
      for (int64_t j = 0; j < count; ++j) fold.take(values[j], args.p);
    }
    const double result = fold.result(args.size, args.p);
    args.store(args.y, plane, 1, 1, &result);
  }
  return Status::ok;
}

bool supports_global_pool(const KernelQuery& query) { return contains(dtypes::floats, query.inputs[0]); }

template <class Fold>
void prepare_global_pool(const KernelSite& site, TaskBuilder& builder) {
  GlobalPoolArgs args{};
  args.load = double_loader(site.inputs[0].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  args.planes = site.outputs[0].count;
  if (args.planes == 0) return;
  args.size = site.inputs[0].count / args.planes;
  args.p = static_cast<double>(site.attributes.get_int("p", 2));
  args.chunks = chunks_for_units(args.planes, static_cast<double>(args.size) * 2);
  auto task = builder.append(run_global_pool<Fold>, args, args.chunks);
  task.input(&GlobalPoolArgs::x, 0).output(&GlobalPoolArgs::y, 0);
}

REGISTER_CPU_KERNEL("reference", "", "GlobalAveragePool", "", "mean of each plane", {.supports = supports_global_pool, .prepare = prepare_global_pool<Average>});
REGISTER_CPU_KERNEL("reference", "", "GlobalMaxPool", "", "largest element of each plane", {.supports = supports_global_pool, .prepare = prepare_global_pool<Maximum>});
REGISTER_CPU_KERNEL("reference", "", "GlobalLpPool", "", "p-norm of each plane", {.supports = supports_global_pool, .prepare = prepare_global_pool<Norm>});

}  // namespace
}  // namespace ge::reference
