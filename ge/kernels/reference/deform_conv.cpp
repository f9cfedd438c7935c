// DeformConv (ONNX 22): y[n, m, o] = bias[m] + sum over channels c of the group and taps t of w[m, c, t] * mask(t, o) *
// x[n, c, o * stride + t * dilation - pad + offset(t, o)], interpolated linearly along each axis, with 0 outside of x. Offset
// and mask are shared by the channels of an offset group; the offsets of a tap are one map per axis. Any number of axes.
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/sampling.hpp"
#include "ge/kernels/reference/takes.hpp"
#include "ge/kernels/reference/window_taps.hpp"

namespace ge::reference {
namespace {

struct DeformConvArgs {
  const void *x, *w, *offset, *bias, *mask;
  void* y;
  double* samples;  ///< per chunk: what each channel and tap reads at one output position
  LoadDoubles load;
  StoreDoubles store;
  WindowNest nest;
  int64_t step[max_rank];  ///< of the image, by axis
  int64_t groups, offset_groups, channels, rows;  ///< channels of x, of y
  int64_t taps, image, positions, units;
  uint32_t chunks;
};

/// samples[c, t] for every channel of image `n` at output position `position`.
void take_samples(const DeformConvArgs& a, int64_t n, int64_t position, double* samples) {
  const int32_t rank = a.nest.rank;
  int64_t at[max_rank], tap[max_rank];
  output_position(a.nest, position, at);
  const int64_t channels_each = a.channels / a.offset_groups;
  for (int64_t map = 0; map < a.offset_groups * a.taps; ++map) {
    const int64_t t = map % a.taps, first_map = n * a.offset_groups * a.taps + map;
    double mask = 1, offset[max_rank];
    if (a.mask != nullptr) a.load(a.mask, first_map * a.positions + position, 1, 1, &mask);
    a.load(a.offset, first_map * rank * a.positions + position, rank, a.positions, offset);
    SampleTap neighbours[2 * max_rank];
    int64_t rest = t;
    for (int32_t i = rank; i-- > 0; rest /= a.nest.axis[i].kernel) tap[i] = rest % a.nest.axis[i].kernel;
    for (int32_t i = 0; i < rank; ++i)
      linear_taps(static_cast<double>(a.nest.axis[i].position(at[i], tap[i])) + offset[i], a.nest.axis[i].input, neighbours + 2 * i);
    for (int64_t c = map / a.taps * channels_each; c < (map / a.taps + 1) * channels_each; ++c) {
      double sum = 0;
      for_each_sample(neighbours, 2, rank, a.step, [&](int64_t from, double weight) {
        double value;
        a.load(a.x, (n * a.channels + c) * a.image + from, 1, 1, &value);
        sum += weight * value;
      });
      samples[c * a.taps + t] = mask * sum;
    }
  }
}

Status run_deform_conv(const void* block, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const DeformConvArgs*>(block);
  const auto [first, last] = chunk_range(a.units, a.chunks, chunk);
  double* samples = a.samples + chunk * a.channels * a.taps;
  const int64_t depth = a.channels / a.groups * a.taps, rows_each = a.rows / a.groups;
  double weights[block_size];
  for (int64_t unit = first; unit < last; ++unit) {
    const int64_t n = unit / a.positions, position = unit % a.positions;
    take_samples(a, n, position, samples);
    for (int64_t row = 0; row < a.rows; ++row) {
      double sum = 0;
      if (a.bias != nullptr) a.load(a.bias, row, 1, 1, &sum);
      const double* group = samples + row / rows_each * depth;
      for (int64_t k = 0; k < depth; k += block_size) {
        const int64_t count = std::min(block_size, depth - k);
        a.load(a.w, row * depth + k, count, 1, weights);
        for (int64_t j = 0; j < count; ++j) sum += weights[j] * group[k + j];
      }
      a.store(a.y, (n * a.rows + row) * a.positions + position, 1, 1, &sum);
    }
  }
  return Status::ok;
}

void prepare_deform_conv(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  const auto x = site.inputs[0].dims, w = site.inputs[1].dims, y = site.outputs[0].dims;
  DeformConvArgs args{};
  args.load = double_loader(site.inputs[0].dtype), args.store = double_storer(site.outputs[0].dtype);
  args.nest = read_window_nest(site.attributes, x.subspan(2), y.subspan(2), w.subspan(2));
  args.groups = site.attributes.get_int("group", 1), args.offset_groups = site.attributes.get_int("offset_group", 1);
  args.channels = x[1], args.rows = w[0];
  args.taps = args.image = args.positions = 1;
  for (int32_t i = args.nest.rank; i-- > 0;) {
    args.step[i] = args.image;
    args.image = times(args.image, args.nest.axis[i].input);
    args.taps = times(args.taps, args.nest.axis[i].kernel);
    args.positions *= args.nest.axis[i].output;
  }
  const int64_t maps = times(args.offset_groups, args.taps);
  if (args.groups < 1 || args.offset_groups < 1 || w[1] * args.groups != x[1] || w[0] % args.groups != 0 || x[1] % args.offset_groups != 0 ||
      site.inputs[2].dims[1] != times(maps, args.nest.rank) || (site.has_input(4) && site.inputs[4].dims[1] != maps))
    throw Error(ErrorCode::invalid_model, "x has dims " + dims_to_string(x) + ", w " + dims_to_string(w) + " and offset " + dims_to_string(site.inputs[2].dims) +
                                              ", which do not fit group " + std::to_string(args.groups) + " and offset_group " + std::to_string(args.offset_groups));
  args.units = y[0] * args.positions;
  // Rows of w count at least as much as the groups, so channels * taps is no more than w has elements.
  const int64_t column = args.channels * args.taps;
  const double each = static_cast<double>(column) * (20 * std::pow(2.0, args.nest.rank) + static_cast<double>(args.rows / args.groups));
  args.chunks = std::min(chunks_for_units(args.units, each + 64), 16u);
  using Args = DeformConvArgs;
  auto task = builder.append(run_deform_conv, args, args.chunks);
  task.input(&Args::x, 0).input(&Args::w, 1).input(&Args::offset, 2).output(&Args::y, 0);
  if (site.has_input(3)) task.input(&Args::bias, 3);
  if (site.has_input(4)) task.input(&Args::mask, 4);
  task.workspace(&Args::samples, args.chunks * column * static_cast<int64_t>(sizeof(double)));
}

REGISTER_CPU_KERNEL("reference", "", "DeformConv", "", "convolution whose taps are shifted by given offsets, any number of axes",
                    {.supports = takes<dtypes::floats>, .prepare = prepare_deform_conv});

}  // namespace
}  // namespace ge::reference
