// MaxRoiPool (ONNX 22): each region (image number, x1, y1, x2, y2), scaled and rounded to whole positions, is cut into
// height x width bins that may share their border rows; y[region, c, height, width] is the largest element of each, 0 where a
// bin has none.
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/sampling.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <limits>

namespace ge::reference {
namespace {

struct MaxRoiPoolArgs {
  const void *x, *rois;
  void* y;
  LoadDoubles load;
  StoreDoubles store;
  double scale;
  int64_t images, channels, size[2], bins[2], units;  ///< size, bins: height, width
  uint32_t chunks;
};

/// Positions of a bin that lie in the image; `low` and `high` are the region's first and last position.
Range bin_range(double low, double high, int64_t bin, int64_t bins, int64_t size) {
  const double length = std::max(high - low + 1, 1.0), count = static_cast<double>(bins);
  const double begin = low + std::floor(static_cast<double>(bin) * length / count), end = low + std::ceil(static_cast<double>(bin + 1) * length / count);
  return {to_index(begin, 0, size), to_index(end, 0, size)};
}

double bin_maximum(const MaxRoiPoolArgs& a, int64_t plane, Range rows, Range columns) {
  if (rows.first >= rows.last || columns.first >= columns.last) return 0;
  double best = -std::numeric_limits<double>::infinity();
  double values[block_size];
  for (int64_t row = rows.first; row < rows.last; ++row)
    for (int64_t column = columns.first; column < columns.last; column += block_size) {
      const int64_t n = std::min(block_size, columns.last - column);
      a.load(a.x, plane + row * a.size[1] + column, n, 1, values);
      for (int64_t j = 0; j < n; ++j) best = values[j] > best || values[j] != values[j] ? values[j] : best;  // NaN stays
    }
  return best;
}

Status run_max_roi_pool(const void* block, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const MaxRoiPoolArgs*>(block);
  const auto [first, last] = chunk_range(a.units, a.chunks, chunk);
  for (int64_t unit = first; unit < last; ++unit) {
    double roi[5];  // image, x1, y1, x2, y2
    a.load(a.rois, unit / a.channels * 5, 5, 1, roi);
    if (!(roi[0] >= 0 && roi[0] < static_cast<double>(a.images))) return Status::index_out_of_range;
    for (int i = 1; i < 5; ++i) roi[i] = std::round(roi[i] * a.scale);
    const int64_t plane = (static_cast<int64_t>(roi[0]) * a.channels + unit % a.channels) * a.size[0] * a.size[1];
    for (int64_t bin = 0; bin < a.bins[0] * a.bins[1]; ++bin) {
      const double value = bin_maximum(a, plane, bin_range(roi[2], roi[4], bin / a.bins[1], a.bins[0], a.size[0]),
                                       bin_range(roi[1], roi[3], bin % a.bins[1], a.bins[1], a.size[1]));
      a.store(a.y, unit * a.bins[0] * a.bins[1] + bin, 1, 1, &value);
    }
  }
  return Status::ok;
}

void prepare_max_roi_pool(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  const auto x = site.inputs[0].dims, y = site.outputs[0].dims;
  MaxRoiPoolArgs args{};
  args.load = double_loader(site.inputs[0].dtype), args.store = double_storer(site.outputs[0].dtype);
  args.scale = static_cast<double>(site.attributes.get_float("spatial_scale", 1));
  args.images = x[0], args.channels = x[1], args.size[0] = x[2], args.size[1] = x[3];
  args.bins[0] = y[2], args.bins[1] = y[3];
  args.units = y[0] * y[1];
  args.chunks = chunks_for_units(args.units, static_cast<double>(x[2]) * static_cast<double>(x[3]));
  using Args = MaxRoiPoolArgs;
  builder.append(run_max_roi_pool, args, args.chunks).input(&Args::x, 0).input(&Args::rois, 1).output(&Args::y, 0);
}

REGISTER_CPU_KERNEL("reference", "", "MaxRoiPool", "", "largest element in each bin of each region",
                    {.supports = takes<dtypes::floats>, .prepare = prepare_max_roi_pool});

}  // namespace
}  // namespace ge::reference
