#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/pool.hpp"

namespace ge::reference {
namespace {

struct AveragePoolArgs {
  const void* x;
  void* y;
  PoolShape shape;
  bool count_padding;
};

/// Taps of output `o` that count: those inside the image, with count_include_pad those in the padding too, but never
/// those beyond it, where ceil_mode lets the last window reach.
int64_t counted(const WindowAxis& axis, int64_t o, bool count_padding) {
  const Range taps = count_padding ? axis.taps_within(o, -axis.pad_begin, axis.input + axis.pad_end) : axis.taps_within(o, 0, axis.input);
  return taps.last - taps.first;
}

Status run_average_pool(const void* block, uint32_t chunk) noexcept {
  const auto& args = *static_cast<const AveragePoolArgs*>(block);
  const int32_t last = args.shape.outer();
  for_each_piece(args.shape, chunk, [&](const PoolPiece& piece) {
    double sum[block_size];
    std::fill_n(sum, piece.count, 0.0);
    for_each_tap(args.shape, args.x, piece, [&](int64_t first, int64_t count, const double* values, const int64_t*) {
      for (int64_t j = 0; j < count; ++j) sum[first + j] += values[j];
    });
    double outer = 1;
    for (int32_t i = 0; i < last; ++i) outer *= static_cast<double>(counted(args.shape.window.axis[i], piece.at[i], args.count_padding));
    for (int64_t j = 0; j < piece.count; ++j)  // a window that counts nothing gives 0
      sum[j] /= std::max(1.0, outer * static_cast<double>(counted(args.shape.last_axis(), piece.at[last] + j, args.count_padding)));
    args.shape.store(args.y, piece.first, piece.count, 1, sum);
  });
  return Status::ok;
}

bool supports_average_pool(const KernelQuery& query) { return contains(dtypes::floats, query.inputs[0]); }

/// AveragePool-22.
void prepare_average_pool(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  AveragePoolArgs args{};
  args.shape = make_pool_shape(site);
  args.count_padding = site.attributes.get_int("count_include_pad", 0) != 0;
  auto task = builder.append(run_average_pool, args, args.shape.chunks);
  task.input(&AveragePoolArgs::x, 0).output(&AveragePoolArgs::y, 0);
}

REGISTER_CPU_KERNEL("reference", "", "AveragePool", "", "mean of each window", {.supports = supports_average_pool, .prepare = prepare_average_pool});

}  // namespace
}  // namespace ge::reference
