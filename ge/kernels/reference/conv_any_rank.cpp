#include "ge/kernels/reference/conv_any_rank.hpp"

#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/window_taps.hpp"

namespace ge::reference {
namespace {

// y[n, m, o] = bias[m] + sum over taps t and channels c of the group of w(m, c, t) * x[n, c, place of t], where the place
// is the one that o reads (Conv) or the one whose window writes o (ConvTranspose).

struct ConvAnyRankArgs {
  const void *x, *w, *bias;
  void* y;
  LoadDoubles load;
  StoreDoubles store;
  WindowNest nest;
  int64_t groups, channels, rows;  ///< channels of x and of y per group
  int64_t taps, image, positions, count;
  int64_t w_group, w_row, w_channel;  ///< steps of w from one group, channel of y, channel of x to the next
  uint32_t chunks;
};

using Position = int64_t (*)(const WindowAxis&, int64_t, int64_t);

template <Position Place>
Status run_conv_any_rank(const void* block, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const ConvAnyRankArgs*>(block);
  const auto [first, last] = chunk_range(a.count, a.chunks, chunk);
  double xs[block_size], ws[block_size];
  for (int64_t number = first; number < last; ++number) {
    const int64_t map = number / a.positions, row = map % (a.groups * a.rows), group = row / a.rows;
    const int64_t x_base = (map / (a.groups * a.rows) * a.groups + group) * a.channels * a.image;
    const int64_t w_base = group * a.w_group + row % a.rows * a.w_row;
    int64_t at[max_rank];
    output_position(a.nest, number % a.positions, at);
    double sum = 0;
    if (a.bias != nullptr) a.load(a.bias, row, 1, 1, &sum);
    for_each_window_tap(a.nest, at, Place, [&](int64_t tap, int64_t from) {
      for (int64_t c = 0; c < a.channels; c += block_size) {
        const int64_t n = std::min(block_size, a.channels - c);
        a.load(a.x, x_base + c * a.image + from, n, a.image, xs);
        a.load(a.w, w_base + c * a.w_channel + tap, n, a.w_channel, ws);
        for (int64_t j = 0; j < n; ++j) sum += xs[j] * ws[j];
      }
    });
    a.store(a.y, number, 1, 1, &sum);
  }
  return Status::ok;
}

ConvAnyRankArgs make_args(const KernelSite& site, const WindowNest& nest) {
  ConvAnyRankArgs args{};
  args.load = double_loader(site.inputs[0].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  args.nest = nest;
  args.groups = site.attributes.get_int("group", 1);
  args.channels = site.inputs[0].dims[1] / args.groups;
  args.rows = site.outputs[0].dims[1] / args.groups;
  args.taps = args.image = args.positions = 1;
  for (int32_t i = 0; i < nest.rank; ++i) {
    args.taps = times(args.taps, nest.axis[i].kernel);
    args.image = times(args.image, nest.axis[i].input);
    args.positions *= nest.axis[i].output;
  }
  args.count = site.outputs[0].count;
  args.chunks = chunks_for_units(args.count, static_cast<double>(args.taps) * (4 + 4 * static_cast<double>(args.channels)));
  return args;
}

void append_task(const KernelSite& site, RunFn run, const ConvAnyRankArgs& args, TaskBuilder& builder) {
  using Args = ConvAnyRankArgs;
  auto task = builder.append(run, args, args.chunks);
  task.input(&Args::x, 0).input(&Args::w, 1).output(&Args::y, 0);
  if (site.has_input(2)) task.input(&Args::bias, 2);
}

}  // namespace

void append_conv_any_rank(const KernelSite& site, const WindowNest& nest, TaskBuilder& builder) {
  ConvAnyRankArgs args = make_args(site, nest);  // w[M, C / group, taps]
  args.w_channel = args.taps;
  args.w_row = times(args.channels, args.w_channel);
  args.w_group = times(args.rows, args.w_row);
  append_task(site, run_conv_any_rank<read_position>, args, builder);
}

void append_conv_transpose_any_rank(const KernelSite& site, const WindowNest& nest, TaskBuilder& builder) {
  ConvAnyRankArgs args = make_args(site, nest);  // w[C, M / group, taps]
  args.w_row = args.taps;
  args.w_channel = times(args.rows, args.w_row);
  args.w_group = times(args.channels, args.w_channel);
  append_task(site, run_conv_any_rank<writing_position>, args, builder);
}

}  // namespace ge::reference
