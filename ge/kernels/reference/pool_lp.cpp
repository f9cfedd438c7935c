#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/pool.hpp"

#include <cmath>

namespace ge::reference {
namespace {

struct LpPoolArgs {
  const void* x;
  void* y;
  PoolShape shape;
  double p;
};

Status run_lp_pool(const void* block, uint32_t chunk) noexcept {
  const auto& args = *static_cast<const LpPoolArgs*>(block);
  for_each_piece(args.shape, chunk, [&](const PoolPiece& piece) {
    double sum[block_size];
    std::fill_n(sum, piece.count, 0.0);
    for_each_tap(args.shape, args.x, piece, [&](int64_t first, int64_t count, const double* values, const int64_t*) {
      if (args.p == 2)
        for (int64_t j = 0; j < count; ++j) sum[first + j] += values[j] * values[j];
      else
        for (int64_t j = 0; j < count; ++j) sum[first + j] += std::pow(std::fabs(values[j]), args.p);
    });
    for (int64_t j = 0; j < piece.count; ++j) sum[j] = args.p == 2 ? std::sqrt(sum[j]) : std::pow(sum[j], 1 / args.p);
    args.shape.store(args.y, piece.first, piece.count, 1, sum);
  });
  return Status::ok;
}

bool supports_lp_pool(const KernelQuery& query) { return contains(dtypes::floats, query.inputs[0]); }

/// LpPool-22: (sum |x|^p)^(1/p) over each window.
void prepare_lp_pool(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  LpPoolArgs args{};
  args.shape = make_pool_shape(site);
  args.p = static_cast<double>(site.attributes.get_int("p", 2));
  auto task = builder.append(run_lp_pool, args, args.shape.chunks);
  task.input(&LpPoolArgs::x, 0).output(&LpPoolArgs::y, 0);
}

REGISTER_CPU_KERNEL("reference", "", "LpPool", "", "p-norm of each window", {.supports = supports_lp_pool, .prepare = prepare_lp_pool});

}  // namespace
}  // namespace ge::reference
