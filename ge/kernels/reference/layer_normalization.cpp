// LayerNormalization (ONNX 17) and RMSNormalization (ONNX 23): rows of all axes from `axis` on, x[rows, each].
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cmath>

namespace ge::reference {
namespace {

struct LayerNormArgs {
  const void* x = nullptr;
  const void* scale = nullptr;
  const void* bias = nullptr;  ///< null: none
  void* y = nullptr;
  void* mean = nullptr;        ///< null: not wanted
  void* deviation = nullptr;
  LoadDoubles load = nullptr, load_scale = nullptr;
  StoreDoubles store = nullptr, store_mean = nullptr, store_deviation = nullptr;
  double epsilon = 0;
  int64_t rows = 1, each = 1;
  bool centers = true;         ///< takes the mean off (LayerNormalization)
  uint32_t chunks = 1;
  LoopNest<2> nest;            ///< over x: where scale and bias, broadcast, are
};

template <class Term>
double mean_over_row(const LayerNormArgs& a, int64_t row, Term term) {
  double block[block_size], sum = 0;
  for (int64_t i = 0; i < a.each; i += block_size) {
    const int64_t count = std::min(block_size, a.each - i);
    a.load(a.x, row * a.each + i, count, 1, block);
    for (int64_t j = 0; j < count; ++j) sum += term(block[j]);
  }
  return sum / static_cast<double>(a.each);
}

Status run_layer_normalization(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const LayerNormArgs*>(args);
  const Range rows = chunk_range(a.rows, a.chunks, chunk);
  const int32_t inner = a.nest.rank - 1;
  for (int64_t row = rows.first; row < rows.last; ++row) {
    const double mean = a.centers ? mean_over_row(a, row, [](double x) { return x; }) : 0;
    const double variance = mean_over_row(a, row, [&](double x) { return (x - mean) * (x - mean); });
    const double inverse = 1 / std::sqrt(variance + a.epsilon);
    if (a.mean != nullptr) a.store_mean(a.mean, row, 1, 1, &mean);
    if (a.deviation != nullptr) a.store_deviation(a.deviation, row, 1, 1, &inverse);
    for_each_run(a.nest, row * a.each, (row + 1) * a.each, [&](int64_t number, const int64_t* offsets, int64_t count) {
      double block[block_size], other[block_size];
      for (int64_t i = 0; i < count; i += block_size) {
        const int64_t n = std::min(block_size, count - i);
        a.load(a.x, number + i, n, 1, block);
        a.load_scale(a.scale, offsets[0] + i * a.nest.step[0][inner], n, a.nest.step[0][inner], other);
        for (int64_t j = 0; j < n; ++j) block[j] = (block[j] - mean) * inverse * other[j];
        if (a.bias != nullptr) {
          a.load_scale(a.bias, offsets[1] + i * a.nest.step[1][inner], n, a.nest.step[1][inner], other);
          for (int64_t j = 0; j < n; ++j) block[j] += other[j];
        }
        a.store(a.y, number + i, n, 1, block);
      }
      return Status::ok;
    });
  }
  return Status::ok;
}

template <bool Centers>
void prepare_layer_normalization(const KernelSite& site, TaskBuilder& builder) {
  const Dims dims = make_dims(site.inputs[0].dims);
  const int32_t axis = normal_axis(site.attributes.get_int("axis", -1), dims.rank);
  LayerNormArgs args;
  args.load = double_loader(site.inputs[0].dtype);
  args.load_scale = double_loader(site.inputs[1].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  args.epsilon = static_cast<double>(site.attributes.get_float("epsilon", 1e-5f));
  args.centers = Centers;
  args.rows = count_of(dims, 0, axis);
  args.each = count_of(dims, axis, dims.rank);
  args.nest.set_dims(dims);
  args.nest.set_steps(0, broadcast_strides(make_dims(site.inputs[1].dims), dims));
  if (site.has_input(2)) args.nest.set_steps(1, broadcast_strides(make_dims(site.inputs[2].dims), dims));
  args.nest.coalesce();
  if (site.has_output(1)) args.store_mean = double_storer(site.outputs[1].dtype);
  if (site.has_output(2)) args.store_deviation = double_storer(site.outputs[2].dtype);
  args.chunks = std::min(chunks_for(site.inputs[0].count * 4), static_cast<uint32_t>(std::clamp<int64_t>(args.rows, 1, 64)));
  using Args = LayerNormArgs;
  auto task = builder.append(run_layer_normalization, args, args.chunks).input(&Args::x, 0).input(&Args::scale, 1).output(&Args::y, 0);
  if (site.has_input(2)) task.input(&Args::bias, 2);
  if (site.has_output(1)) task.output(&Args::mean, 1);
  if (site.has_output(2)) task.output(&Args::deviation, 2);
  builder.may_overwrite(0, 0);
}

constexpr SupportsFn floats = takes<dtypes::floats>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "LayerNormalization", "", "rows to mean 0 and variance 1, then scale and bias",
                    {.supports = floats, .prepare = prepare_layer_normalization<true>});
REGISTER_CPU_KERNEL("reference", "", "RMSNormalization", "", "rows to mean square 1, then scale",
                    {.supports = floats, .prepare = prepare_layer_normalization<false>});

}  // namespace ge::reference
