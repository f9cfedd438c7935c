#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/conv_any_rank.hpp"
#include "ge/kernels/reference/conv_correlation.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"

namespace ge::reference {
namespace {

struct ConvArgs {
  const void *x, *w, *bias;
  void* y;
  LoadDoubles load;
  StoreDoubles store;
  Correlation group;  ///< what each group of each image does
  int64_t groups, row_tiles, column_tiles, tiles;
  uint32_t chunks;
};

Status run_conv(const void* block, uint32_t chunk) noexcept {
  const auto& args = *static_cast<const ConvArgs*>(block);
  const CorrelationOperands operands{args.x, args.w, args.bias, args.y, args.load, args.store};
  const Correlation& c = args.group;
  ProductTile<double> tile;
  const auto [first, last] = chunk_range(args.tiles, args.chunks, chunk);
  for (int64_t n = first; n < last; ++n) {
    const int64_t column = n % args.column_tiles * tile_columns;
    const int64_t row = n / args.column_tiles % args.row_tiles * tile_rows;
    const int64_t image_group = n / (args.column_tiles * args.row_tiles), group = image_group % args.groups;
    const CorrelationStarts starts{image_group * c.channels * c.image_size(), group * c.rows * c.w_row, group * c.rows,
                                   image_group * c.rows * c.y_row};
    correlate_tile(c, operands, starts, row, column, tile);
  }
  return Status::ok;
}

bool supports_conv(const KernelQuery& query) { return contains(dtypes::floats, query.inputs[0]); }

}  // namespace

/// Conv-22: x[N, C, ...], w[M, C / group, ...], bias[M] -> y[N, M, ...].
void prepare_conv(const KernelSite& site, TaskBuilder& builder) {
  const auto x = site.inputs[0].dims, w = site.inputs[1].dims, y = site.outputs[0].dims;
  if (site.outputs[0].count == 0) return;
  ConvArgs args{};
  args.load = double_loader(site.inputs[0].dtype);
  args.store = double_storer(site.inputs[0].dtype);
  args.groups = site.attributes.get_int("group", 1);
  Correlation& c = args.group;
  // kernel_shape, when given, repeats what w says.
  const WindowNest nest = read_padded_nest(site.attributes, x.subspan(2), y.subspan(2), w.subspan(2));
  c.channels = w[1];
  if (args.groups < 1 || c.channels * args.groups != x[1] || w[0] % args.groups != 0)
    throw Error(ErrorCode::invalid_model, "x has " + std::to_string(x[1]) + " channels and w is " + dims_to_string(w) + ", which do not fit group " +
                                              std::to_string(args.groups) + ": expected x channels = group * w's second dim and w's first dim a multiple of group");
  if (static_cast<size_t>(nest.rank) > max_spatial) return append_conv_any_rank(site, nest, builder);
  c.window = as_window(nest);
  c.rows = w[0] / args.groups;
  c.y_row = c.positions();
  bool pointwise = true;
  for (const WindowAxis& axis : c.window) pointwise = pointwise && axis.kernel == 1 && axis.stride == 1 && axis.input == axis.output;
  if (pointwise && c.window[0].pad_begin == 0 && c.window[1].pad_begin == 0 && c.window[2].pad_begin == 0) {
    // Every output position reads the same input position: one long axis makes fuller tiles.
    const int64_t positions = c.positions();
    c.window = {};
    c.window[2].input = c.window[2].output = positions;
  }
  const auto& [wz, wy, wx] = c.window;
  c.w_tap[2] = 1, c.w_tap[1] = wx.kernel, c.w_tap[0] = wx.kernel * wy.kernel;
  c.w_channel = c.taps();
  c.w_row = c.channels * c.taps();
  c.y_step[2] = 1, c.y_step[1] = wx.output, c.y_step[0] = wx.output * wy.output;

  args.row_tiles = (c.rows + tile_rows - 1) / tile_rows;
  args.column_tiles = (c.positions() + tile_columns - 1) / tile_columns;
  args.tiles = x[0] * args.groups * args.row_tiles * args.column_tiles;
  // A patch element costs about a nanosecond, a multiplication a quarter of one.
  const auto depth = static_cast<double>(c.channels * c.taps());
  const double per_depth = static_cast<double>(std::min(c.positions(), tile_columns) * (4 + std::min(c.rows, tile_rows))) / 4;
  args.chunks = chunks_for_units(args.tiles, depth * per_depth + 64);
  auto task = builder.append(run_conv, args, args.chunks);
  task.input(&ConvArgs::x, 0).input(&ConvArgs::w, 1).output(&ConvArgs::y, 0);
  if (site.has_input(2)) task.input(&ConvArgs::bias, 2);
}

REGISTER_CPU_KERNEL("reference", "", "Conv", "", "sliding product with a kernel, any number of axes, any group", {.supports = supports_conv, .prepare = prepare_conv});

}  // namespace ge::reference
