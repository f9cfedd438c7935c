// RoiAlign (ONNX 22): each region of image x[batch, c] is cut into height x width bins; in each bin a grid of points is
// interpolated linearly, and y[region, c, height, width] is their mean, or the largest of their weighted neighbours. Points
// more than one element away from the image count as 0.
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/sampling.hpp"
#include "ge/kernels/reference/takes.hpp"

namespace ge::reference {
namespace {

struct RoiAlignArgs {
  const void *x, *rois;
  const int64_t* batch;
  void* y;
  LoadDoubles load;
  StoreDoubles store;
  double scale, shift;
  bool half_pixel, largest;
  int64_t images, channels, size[2], bins[2], sampling_ratio, units;  ///< size, bins: height, width
  uint32_t chunks;
};

/// The points of one bin along one axis.
struct BinPoints {
  double first, step;   ///< coordinates in the image
  double count;         ///< points of the bin
  int64_t begin, end;   ///< those that may lie in the image
};

BinPoints bin_points(const RoiAlignArgs& a, int axis, double low, double high, int64_t bin) {
  double length = high - low;
  if (!a.half_pixel) length = std::max(length, 1.0);
  const double bin_size = length / static_cast<double>(a.bins[axis]);
  BinPoints points{};
  points.count = a.sampling_ratio > 0 ? static_cast<double>(a.sampling_ratio) : std::max(0.0, std::ceil(bin_size));
  points.step = bin_size / points.count;
  points.first = low + static_cast<double>(bin) * bin_size + 0.5 * points.step;
  if (!(points.count >= 1) || !std::isfinite(points.first) || !std::isfinite(points.step)) return points;
  // A region may be far larger than the image: only points near it are visited. One more on each side makes up for rounding.
  const double edge = (-1 - points.first) / points.step, other = (static_cast<double>(a.size[axis]) - points.first) / points.step;
  const int64_t most = to_index(points.count, 0, int64_t{1} << 62);
  points.begin = points.step == 0 ? 0 : to_index(std::floor(std::min(edge, other)) - 1, 0, most);
  points.end = points.step == 0 ? most : to_index(std::ceil(std::max(edge, other)) + 2, 0, most);
  return points;
}

/// The neighbours of a point along one axis; false when it counts as 0.
bool point_taps(double at, int64_t size, SampleTap* taps) {
  const auto length = static_cast<double>(size);
  if (!(at >= -1 && at <= length)) return false;
  at = std::clamp(at, 0.0, length - 1);
  const int64_t low = static_cast<int64_t>(at);
  const double t = at - static_cast<double>(low);
  taps[0] = {low, 1 - t}, taps[1] = {std::min(low + 1, size - 1), t};
  return true;
}

double larger(double best, double value) { return value > best || value != value ? value : best; }

/// The value of one bin of the plane whose first element is `plane`.
double bin_value(const RoiAlignArgs& a, int64_t plane, const BinPoints& rows, const BinPoints& columns) {
  const int64_t step[2] = {a.size[1], 1};
  double sum = 0, best = -std::numeric_limits<double>::infinity(), visited = 0;
  SampleTap taps[4];
  for (int64_t i = rows.begin; i < rows.end; ++i) {
    if (!point_taps(rows.first + static_cast<double>(i) * rows.step, a.size[0], taps)) continue;
    for (int64_t j = columns.begin; j < columns.end; ++j) {
      if (!point_taps(columns.first + static_cast<double>(j) * columns.step, a.size[1], taps + 2)) continue;
      visited += 1;
      for_each_sample(taps, 2, 2, step, [&](int64_t offset, double weight) {
        double value;
        a.load(a.x, plane + offset, 1, 1, &value);
        sum += weight * value;
        best = larger(best, weight * value);
      });
    }
  }
  const double count = rows.count * columns.count;
  if (visited == 0) return 0;
  return !a.largest ? sum / count : visited < count ? larger(best, 0) : best;
}

Status run_roi_align(const void* block, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const RoiAlignArgs*>(block);
  const auto [first, last] = chunk_range(a.units, a.chunks, chunk);
  for (int64_t unit = first; unit < last; ++unit) {
    const int64_t roi = unit / a.channels, image = a.batch[roi];
    if (image < 0 || image >= a.images) return Status::index_out_of_range;
    double corners[4];  // x1, y1, x2, y2
    a.load(a.rois, roi * 4, 4, 1, corners);
    for (double& corner : corners) corner = corner * a.scale - a.shift;
    const int64_t plane = (image * a.channels + unit % a.channels) * a.size[0] * a.size[1];
    for (int64_t bin = 0; bin < a.bins[0] * a.bins[1]; ++bin) {
      const double value = a.size[0] == 0 || a.size[1] == 0 ? 0 : bin_value(a, plane, bin_points(a, 0, corners[1], corners[3], bin / a.bins[1]),
                                                                           bin_points(a, 1, corners[0], corners[2], bin % a.bins[1]));
      a.store(a.y, unit * a.bins[0] * a.bins[1] + bin, 1, 1, &value);
    }
  }
  return Status::ok;
}

void prepare_roi_align(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  const auto x = site.inputs[0].dims, y = site.outputs[0].dims;
  RoiAlignArgs args{};
  args.load = double_loader(site.inputs[0].dtype), args.store = double_storer(site.outputs[0].dtype);
  args.scale = static_cast<double>(site.attributes.get_float("spatial_scale", 1));
  args.half_pixel = site.attributes.get_string("coordinate_transformation_mode", "half_pixel") == "half_pixel";
  args.shift = args.half_pixel ? 0.5 : 0;
  args.largest = site.attributes.get_string("mode", "avg") == "max";
  args.images = x[0], args.channels = x[1], args.size[0] = x[2], args.size[1] = x[3];
  args.bins[0] = y[2], args.bins[1] = y[3];
  args.sampling_ratio = site.attributes.get_int("sampling_ratio", 0);
  args.units = y[0] * y[1];
  args.chunks = chunks_for_units(args.units, 200 * static_cast<double>(y[2]) * static_cast<double>(y[3]));
  using Args = RoiAlignArgs;
  builder.append(run_roi_align, args, args.chunks).input(&Args::x, 0).input(&Args::rois, 1).input(&Args::batch, 2).output(&Args::y, 0);
}

REGISTER_CPU_KERNEL("reference", "", "RoiAlign", "", "mean or maximum of points in each bin of each region",
                    {.supports = takes<dtypes::floats>, .prepare = prepare_roi_align});

}  // namespace
}  // namespace ge::reference
