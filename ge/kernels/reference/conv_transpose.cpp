#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/conv_any_rank.hpp"
#include "ge/kernels/reference/conv_correlation.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"

#include <numeric>

namespace ge::reference {
namespace {

// ConvTranspose-22 spreads each input over the output: input i and tap t meet output i * stride + t * dilation - pad.
// Seen from the output: o reads tap t at input (o + pad - t * dilation) / stride where that is whole. Outputs with equal
// o % stride (a phase) read the same taps, and their inputs are neighbours: each phase is an ordinary correlation of
// stride 1 whose taps run backwards.

struct TransposeArgs {
  const void *x, *w, *bias;
  void* y;
  LoadDoubles load;
  StoreDoubles store;
  Window window;  ///< as the op says, `input` is the image of x, `output` that of y
  int64_t groups, channels, rows;  ///< channels of x and of y per group
  int64_t phases, row_tiles, units;
  uint32_t chunks;
};

int64_t phase_count(const WindowAxis& axis) { return std::min(axis.stride, axis.output); }

/// The phase of outputs phase, phase + stride, … along one axis: fills the axis' window, the first tap and the distance
/// of taps in `first_tap` and `tap_step`.
WindowAxis phase_axis(const WindowAxis& op, int64_t phase, int64_t& first_tap, int64_t& tap_step) {
  const int64_t shared = std::gcd(op.stride, op.dilation);
  tap_step = op.stride / shared;
  WindowAxis axis;
  axis.input = op.input;
  axis.output = (op.output - phase + op.stride - 1) / op.stride;
  axis.kernel = 0;
  // Taps that fit repeat every tap_step; the first is below tap_step, if there is one.
  for (first_tap = 0; first_tap < std::min(tap_step, op.kernel); ++first_tap)
    if ((phase + op.pad_begin - first_tap * op.dilation) % op.stride == 0) {
      axis.kernel = (op.kernel - first_tap + tap_step - 1) / tap_step;
      axis.pad_begin = -(phase + op.pad_begin - first_tap * op.dilation) / op.stride;
      break;
    }
  axis.dilation = -op.dilation / shared;
  return axis;
}

Status run_transpose(const void* block, uint32_t chunk) noexcept {
  const auto& args = *static_cast<const TransposeArgs*>(block);
  const CorrelationOperands operands{args.x, args.w, args.bias, args.y, args.load, args.store};
  const auto& [z, y, x] = args.window;
  const int64_t taps[max_spatial] = {y.kernel * x.kernel, x.kernel, 1}, steps[max_spatial] = {y.output * x.output, x.output, 1};
  const int64_t kernel_size = z.kernel * taps[0], output_size = z.output * steps[0];
  ProductTile<double> tile;
  const auto [first, last] = chunk_range(args.units, args.chunks, chunk);
  for (int64_t n = first; n < last; ++n) {
    const int64_t row = n % args.row_tiles * tile_rows;
    const int64_t phase = n / args.row_tiles % args.phases;
    const int64_t image_group = n / (args.row_tiles * args.phases), group = image_group % args.groups;
    const int64_t x_phases = phase_count(x), y_phases = phase_count(y);
    const int64_t phase_of[max_spatial] = {phase / (x_phases * y_phases), phase / x_phases % y_phases, phase % x_phases};
    Correlation c;
    c.rows = args.rows;
    c.channels = args.channels;
    c.w_row = kernel_size;  // w[C, M / group, taps]
    c.w_channel = args.rows * kernel_size;
    c.y_row = output_size;
    CorrelationStarts starts{image_group * c.channels * (z.input * y.input * x.input), group * c.channels * c.w_channel, group * c.rows,
                             image_group * c.rows * output_size};
    for (size_t i = 0; i < max_spatial; ++i) {
      int64_t first_tap, tap_step;
      c.window[i] = phase_axis(args.window[i], phase_of[i], first_tap, tap_step);
      starts.w += first_tap * taps[i];
      c.w_tap[i] = tap_step * taps[i];
      starts.y += phase_of[i] * steps[i];
      c.y_step[i] = args.window[i].stride * steps[i];
    }
    for (int64_t column = 0; column < c.positions(); column += tile_columns) correlate_tile(c, operands, starts, row, column, tile);
  }
  return Status::ok;
}

/// Begin pads: given, or what makes the output as large as it is (output_shape, or auto_pad SAME: input * stride).
void set_padding(const Attributes& attributes, WindowNest& window) {
  const AutoPad pad = auto_pad_of(attributes);
  const bool same = pad == AutoPad::same_upper || pad == AutoPad::same_lower;
  if (!same && !attributes.has("output_shape")) return;
  const auto extra = attributes.get_ints("output_padding");
  for (size_t i = 0; i < static_cast<size_t>(window.rank); ++i) {
    WindowAxis& axis = window.axis[i];
    const int64_t full = axis.stride * (axis.input - 1) + (i < extra.size() ? extra[i] : 0) + axis.extent();
    // Opset 22 writes for an odd total: SAME_UPPER begins with the smaller half, everything else with the larger.
    split_padding(axis, std::max<int64_t>(0, full - axis.output), pad == AutoPad::same_upper);
  }
}

bool supports_transpose(const KernelQuery& query) { return contains(dtypes::floats, query.inputs[0]); }

/// ConvTranspose-22: x[N, C, ...], w[C, M / group, ...], bias[M] -> y[N, M, ...].
void prepare_transpose(const KernelSite& site, TaskBuilder& builder) {
  const auto x = site.inputs[0].dims, w = site.inputs[1].dims, y = site.outputs[0].dims;
  if (site.outputs[0].count == 0) return;
  TransposeArgs args{};
  args.load = double_loader(site.inputs[0].dtype);
  args.store = double_storer(site.inputs[0].dtype);
  WindowNest nest = read_window_nest(site.attributes, x.subspan(2), y.subspan(2), w.subspan(2));
  set_padding(site.attributes, nest);
  args.groups = site.attributes.get_int("group", 1);
  if (args.groups < 1 || w[0] != x[1] || x[1] % args.groups != 0 || w[1] * args.groups != y[1])
    throw Error(ErrorCode::invalid_model, "x has " + std::to_string(x[1]) + " channels, y has " + std::to_string(y[1]) + " and w is " +
                                              dims_to_string(w) + ", which do not fit group " + std::to_string(args.groups) +
                                              ": expected w's first dim to be x's channels and its second dim * group y's");
  if (static_cast<size_t>(nest.rank) > max_spatial) return append_conv_transpose_any_rank(site, nest, builder);
  args.window = as_window(nest);
  args.channels = x[1] / args.groups;
  args.rows = w[1];
  args.row_tiles = (args.rows + tile_rows - 1) / tile_rows;
  args.phases = 1;
  for (const WindowAxis& axis : args.window) args.phases *= phase_count(axis);
  args.units = x[0] * args.groups * args.phases * args.row_tiles;
  const double products = static_cast<double>(site.inputs[0].count) * static_cast<double>(site.inputs[1].count / std::max<int64_t>(1, w[0]));
  args.chunks = chunks_for_units(args.units, products / 2 / static_cast<double>(args.units) + 64);
  auto task = builder.append(run_transpose, args, args.chunks);
  task.input(&TransposeArgs::x, 0).input(&TransposeArgs::w, 1).output(&TransposeArgs::y, 0);
  if (site.has_input(2)) task.input(&TransposeArgs::bias, 2);
}

REGISTER_CPU_KERNEL("reference", "", "ConvTranspose", "", "each input spread by a kernel, any number of axes, any group",
                    {.supports = supports_transpose, .prepare = prepare_transpose});

}  // namespace
}  // namespace ge::reference
