// GridSample (ONNX 22): x[n, c, d1, …, dr] at the coordinates grid[n, o1, …, or, r] gives y[n, c, o1, …, or]. A coordinate of
// -1..1 spans an axis; those of a place are listed from the last axis to the first. Outside of the image "zeros" reads 0,
// "border" the nearest element and "reflection" the mirrored one; the coordinate itself is moved inside first, then each
// neighbour. A coordinate that is NaN, or infinite where it would have to be mirrored, is nowhere: it reads 0.
#include "ge/kernels/reference/component.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/sampling.hpp"
#include "ge/kernels/reference/stored_range.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <cstring>

namespace ge::reference {
namespace {

enum class Padding : uint8_t { zeros, border, reflection };
enum class Sampling : uint8_t { nearest, linear, cubic };

/// Neighbours along an axis that each mode reads.
constexpr int32_t taps_of(Sampling mode) { return mode == Sampling::nearest ? 1 : mode == Sampling::linear ? 2 : 4; }

struct GridSampleArgs {
  const std::byte* x;
  const void* grid;
  std::byte* y;
  LoadDoubles load, load_grid;
  StoreDoubles store;
  Sampling mode;
  Padding padding;
  bool align_corners;
  StoredRange range;
  int32_t rank, components;  ///< components: numbers of an element (complex: 2)
  int64_t size[max_rank], step[max_rank];  ///< of the image, by axis
  int64_t channels, image, places, units, element_size;
  uint32_t chunks;
};

/// The borders that coordinates are mirrored at: centres of the outer elements, or their edges.
double mirrored(double x, int64_t size, bool align_corners) {
  const double low = align_corners ? 0 : -0.5, length = static_cast<double>(size) - (align_corners ? 1 : 0), high = low + length;
  if (x >= low && x <= high) return x;
  if (length <= 0) return low;
  const double away = std::fmod(x < low ? low - x : x - high, 2 * length);
  const double back = away <= length ? away : 2 * length - away;
  return x < low ? low + back : high - back;
}

int64_t neighbour(const GridSampleArgs& a, double position, int64_t size) {
  if (a.padding == Padding::zeros || size == 0) return inside(position, size);
  return to_index(a.padding == Padding::border ? position : mirrored(position, size, a.align_corners), 0, size - 1);
}

/// Keys' cubic convolution with a = -0.75.
void cubic_weights(double t, SampleTap* taps) {
  constexpr double a = -0.75;
  const auto near = [](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  taps[0].weight = far(t + 1), taps[1].weight = near(t), taps[2].weight = near(1 - t), taps[3].weight = far(2 - t);
}

/// What the place reads along one axis; false: it is nowhere.
bool axis_taps(const GridSampleArgs& a, double coordinate, int64_t size, SampleTap* taps) {
  const auto length = static_cast<double>(size);
  double x = a.align_corners ? (coordinate + 1) / 2 * (length - 1) : ((coordinate + 1) * length - 1) / 2;
  if (a.mode == Sampling::nearest) x = std::nearbyint(x);
  const double low = a.align_corners ? 0 : -0.5, high = low + length - (a.align_corners ? 1 : 0);
  if (a.padding == Padding::border && (x < low || x > high)) x = x < 0 ? 0 : length - 1;
  if (a.padding == Padding::reflection) x = mirrored(x, size, a.align_corners);
  if (std::isnan(x)) return false;
  if (a.mode == Sampling::nearest) {
    taps[0] = {neighbour(a, x, size), 1};
    return true;
  }
  const double floor = std::floor(x), t = x - floor;
  const int32_t count = taps_of(a.mode);
  for (int32_t k = 0; k < count; ++k) taps[k].position = neighbour(a, floor + k - (count == 4 ? 1 : 0), size);
  if (count == 4)
    cubic_weights(t, taps);
  else
    taps[0].weight = 1 - t, taps[1].weight = t;
  return true;
}

bool place_taps(const GridSampleArgs& a, int64_t place, SampleTap* taps) {
  double at[max_rank];
  a.load_grid(a.grid, place * a.rank, a.rank, 1, at);
  for (int32_t i = 0; i < a.rank; ++i)
    if (!axis_taps(a, at[a.rank - 1 - i], a.size[i], taps + i * taps_of(a.mode))) return false;
  return true;
}

void copy_element(const GridSampleArgs& a, const SampleTap* taps, bool somewhere, int64_t from, int64_t to) {
  std::byte* y = a.y + to * a.element_size;
  std::memset(y, 0, static_cast<size_t>(a.element_size));
  if (somewhere)
    for_each_sample(taps, 1, a.rank, a.step, [&](int64_t offset, double) { std::memcpy(y, a.x + (from + offset) * a.element_size, static_cast<size_t>(a.element_size)); });
}

void weigh_elements(const GridSampleArgs& a, const SampleTap* taps, bool somewhere, int64_t from, int64_t to) {
  for (int32_t c = 0; c < a.components; ++c) {
    double sum = 0;
    if (somewhere)
      for_each_sample(taps, taps_of(a.mode), a.rank, a.step, [&](int64_t offset, double weight) {
        double value;
        a.load(a.x, (from + offset) * a.components + c, 1, 1, &value);
        sum += weight * value;
      });
    a.range.settle(&sum, 1);
    a.store(a.y, to * a.components + c, 1, 1, &sum);
  }
}

Status run_grid_sample(const void* block, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const GridSampleArgs*>(block);
  const auto [first, last] = chunk_range(a.units, a.chunks, chunk);
  SampleTap taps[4 * max_rank];
  for (int64_t n = first; n < last; ++n) {
    const bool somewhere = place_taps(a, n, taps);
    const int64_t image = n / a.places;
    for (int64_t c = 0; c < a.channels; ++c) {
      const int64_t map = image * a.channels + c;
      (a.mode == Sampling::nearest ? copy_element : weigh_elements)(a, taps, somewhere, map * a.image, map * a.places + n % a.places);
    }
  }
  return Status::ok;
}

/// "nearest" moves elements of any kind; strings cannot be weighed.
bool supports_grid_sample(const KernelQuery& query) {
  return query.attributes.get_string("mode", "linear") == "nearest" ? whole_bytes(query) : contains(convertible, component_of(query.inputs[0]));
}

void prepare_grid_sample(const KernelSite& site, TaskBuilder& builder) {
  const Dims x = make_dims(site.inputs[0].dims), y = make_dims(site.outputs[0].dims);
  if (site.outputs[0].count == 0) return;
  const DType dtype = site.inputs[0].dtype;
  GridSampleArgs args{};
  args.load = double_loader(component_of(dtype)), args.store = double_storer(component_of(dtype));
  args.load_grid = double_loader(site.inputs[1].dtype);
  const std::string mode = site.attributes.get_string("mode", "linear"), padding = site.attributes.get_string("padding_mode", "zeros");
  args.mode = mode == "nearest" ? Sampling::nearest : mode == "cubic" ? Sampling::cubic : Sampling::linear;
  args.padding = padding == "border" ? Padding::border : padding == "reflection" ? Padding::reflection : Padding::zeros;
  args.align_corners = site.attributes.get_int("align_corners", 0) != 0;
  args.range = StoredRange::of(dtype);
  args.rank = x.rank - 2;
  args.components = components_of(dtype);
  const Strides strides = row_major(x);
  for (int32_t i = 0; i < args.rank; ++i) args.size[i] = x.size[i + 2], args.step[i] = strides.step[i + 2];
  args.channels = x.size[1];
  args.image = count_of(x, 2, x.rank);
  args.places = count_of(y, 2, y.rank);
  args.units = y.size[0] * args.places;
  args.element_size = element_size(dtype);
  const double each = std::pow(static_cast<double>(taps_of(args.mode)), args.rank) * 10 * static_cast<double>(args.channels);
  args.chunks = chunks_for_units(args.units, each + 100);
  using Args = GridSampleArgs;
  builder.append(run_grid_sample, args, args.chunks).input(&Args::x, 0).input(&Args::grid, 1).output(&Args::y, 0);
}

REGISTER_CPU_KERNEL("reference", "", "GridSample", "", "images read at places that a grid names, any number of axes",
                    {.supports = supports_grid_sample, .prepare = prepare_grid_sample});

}  // namespace
}  // namespace ge::reference
