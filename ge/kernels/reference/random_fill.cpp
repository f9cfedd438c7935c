// RandomNormal, RandomUniform, RandomNormalLike, RandomUniformLike and Bernoulli (ONNX 22).
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/random_stream.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace ge::reference {
namespace {

struct RandomArgs {
  void* y = nullptr;
  const void* probability = nullptr;  ///< Bernoulli
  RandomSource source;
  LoadDoubles load = nullptr;
  StoreDoubles store = nullptr;
  double first = 0, second = 1;  ///< mean and scale, or low and high
  double least = 0, most = 0;    ///< uniform: of the dtype's values in [low, high)
  int64_t count = 0;
  uint32_t chunks = 1;
};

/// y[i] = draw(stream, i), block by block.
template <class Draw>
Status fill(const RandomArgs& a, uint32_t chunk, Draw draw) noexcept {
  const RandomStream stream(a.source);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  double block[block_size] = {};
  for (int64_t i = range.first; i < range.last; i += block_size) {
    const int64_t n = std::min(block_size, range.last - i);
    if (a.probability != nullptr) a.load(a.probability, i, n, 1, block);
    for (int64_t j = 0; j < n; ++j) block[j] = draw(stream, i + j, block[j]);
    a.store(a.y, i, n, 1, block);
  }
  return Status::ok;
}

Status run_normal(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const RandomArgs*>(args);
  return fill(a, chunk, [&](const RandomStream& stream, int64_t i, double) { return a.first + a.second * stream.normal(i); });
}
/// In [low, high): no rounding, to the dtype or before, leads out of it.
Status run_uniform(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const RandomArgs*>(args);
  return fill(a, chunk, [&](const RandomStream& stream, int64_t i, double) {
    return std::clamp(a.first + (a.second - a.first) * stream.uniform(i), a.least, a.most);
  });
}
/// 1 with probability p: never for p <= 0 or NaN, always for p >= 1.
Status run_bernoulli(const void* args, uint32_t chunk) noexcept {
  return fill(*static_cast<const RandomArgs*>(args), chunk,
              [](const RandomStream& stream, int64_t i, double p) { return stream.uniform(i) < p ? 1.0 : 0.0; });
}

RandomArgs random_args(const KernelSite& site) {
  RandomArgs args;
  args.source = random_source(site);
  args.store = double_storer(site.outputs[0].dtype);
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(times(args.count, 32));
  return args;
}

/// `value` rounded to the dtype.
double as_stored(DType dtype, double value) {
  uint64_t bits = 0;
  double back = 0;
  store_doubles(dtype, &bits, 0, 1, 1, &value);
  load_doubles(dtype, &bits, 0, 1, 1, &back);
  return back;
}

/// The value of the dtype next to `from`, in steps of `sign`, for which `holds`.
template <class Holds>
double next_stored(DType dtype, double from, double sign, Holds holds) {
  double found = as_stored(dtype, from);
  for (double step = std::max(std::fabs(from) * 0x1p-54, 0x1p-1074); !holds(found); step *= 2) found = as_stored(dtype, from + sign * step);
  return found;
}

/// The first and last value of the dtype in [low, high); where it has none there, the one nearest to low.
void set_bounds(RandomArgs& args, DType dtype) {
  const double low = args.first, high = args.second;
  if (!std::isfinite(as_stored(dtype, low)) || !std::isfinite(as_stored(dtype, high)))
    throw Error(ErrorCode::unsupported, "numbers from " + std::to_string(low) + " to " + std::to_string(high) + " do not fit in " + std::string(to_string(dtype)));
  args.least = next_stored(dtype, low, 1, [&](double value) { return value >= low; });
  args.most = next_stored(dtype, high, -1, [&](double value) { return value < high; });
  if (args.least > args.most) args.least = args.most = as_stored(dtype, low);
}

void prepare_normal(const KernelSite& site, TaskBuilder& builder) {
  RandomArgs args = random_args(site);
  args.first = static_cast<double>(site.attributes.get_float("mean", 0));
  args.second = static_cast<double>(site.attributes.get_float("scale", 1));
  builder.append(run_normal, args, args.chunks).output(&RandomArgs::y, 0);
}
void prepare_uniform(const KernelSite& site, TaskBuilder& builder) {
  RandomArgs args = random_args(site);
  args.first = static_cast<double>(site.attributes.get_float("low", 0));
  args.second = static_cast<double>(site.attributes.get_float("high", 1));
  set_bounds(args, site.outputs[0].dtype);
  builder.append(run_uniform, args, args.chunks).output(&RandomArgs::y, 0);
}
void prepare_bernoulli(const KernelSite& site, TaskBuilder& builder) {
  RandomArgs args = random_args(site);
  args.load = double_loader(site.inputs[0].dtype);
  builder.append(run_bernoulli, args, args.chunks).input(&RandomArgs::probability, 0).output(&RandomArgs::y, 0);
}

bool writes_floats(const KernelQuery& query) { return !query.outputs.empty() && contains(dtypes::floats, query.outputs[0]); }
bool flips(const KernelQuery& query) { return takes<dtypes::floats>(query) && !query.outputs.empty() && contains(convertible, query.outputs[0]); }

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "RandomNormal", "", "by Box and Muller, from Philox", {.supports = writes_floats, .prepare = prepare_normal});
REGISTER_CPU_KERNEL("reference", "", "RandomNormalLike", "", "by Box and Muller, from Philox", {.supports = writes_floats, .prepare = prepare_normal});
REGISTER_CPU_KERNEL("reference", "", "RandomUniform", "", "from Philox", {.supports = writes_floats, .prepare = prepare_uniform});
REGISTER_CPU_KERNEL("reference", "", "RandomUniformLike", "", "from Philox", {.supports = writes_floats, .prepare = prepare_uniform});
REGISTER_CPU_KERNEL("reference", "", "Bernoulli", "", "ones with a given probability", {.supports = flips, .prepare = prepare_bernoulli});

}  // namespace ge::reference
