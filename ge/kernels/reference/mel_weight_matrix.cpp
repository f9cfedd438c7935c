// MelWeightMatrix (ONNX 17): triangles over the bins of a spectrum, equally spaced on the mel scale.
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <cmath>

namespace ge::reference {
namespace {

struct MelArgs {
  const void* rate = nullptr;
  const void* lower = nullptr;
  const void* upper = nullptr;
  void* y = nullptr;
  LoadInt64s load_rate = nullptr;
  LoadDoubles load_edge = nullptr;
  StoreDoubles store = nullptr;
  int64_t length = 0, bins = 1, bands = 0;
};

double mel_of(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double hertz_of(double mel) { return 700 * (std::pow(10, mel / 2595) - 1); }

/// Where the triangles begin, peak and end: corner i of bands + 2. As ONNX's definition has it, the range of frequencies
/// is cut into bands + 2 steps, so that the last corner stays one step below the upper edge.
struct Corners {
  double rate, first, step;
  int64_t length;
  /// A double: may be outside of the spectrum, or no number.
  double operator()(int64_t i) const {
    return std::floor(static_cast<double>(length + 1) * hertz_of(first + static_cast<double>(i) * step) / rate);
  }
};

Status run_mel(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const MelArgs*>(args);
  int64_t rate = 0;
  double lower = 0, upper = 0;
  a.load_rate(a.rate, 0, 1, 1, &rate);
  a.load_edge(a.lower, 0, 1, 1, &lower);
  a.load_edge(a.upper, 0, 1, 1, &upper);
  if (rate == 0) return Status::division_by_zero;
  const double from = mel_of(lower);
  const Corners corner{static_cast<double>(rate), from, (mel_of(upper) - from) / static_cast<double>(a.bands + 2), a.length};
  for (int64_t band = 0; band < a.bands; ++band) {
    const double begin = corner(band), peak = corner(band + 1), end = corner(band + 2);
    const auto bins = static_cast<double>(a.bins);
    if (!(begin >= 0 && peak >= 0 && begin < bins && peak < bins && end <= bins)) return Status::invalid_value;
    for (int64_t i = 0; i < a.bins; ++i) {
      const auto bin = static_cast<double>(i);
      double weight = 0;
      if (bin == peak && begin == peak) weight = 1;
      else if (bin >= begin && bin <= peak) weight = (bin - begin) / (peak - begin);
      if (end > peak && bin >= peak && bin < end) weight = (end - bin) / (end - peak);
      a.store(a.y, i * a.bands + band, 1, 1, &weight);
    }
  }
  return Status::ok;
}

void prepare_mel(const KernelSite& site, TaskBuilder& builder) {
  MelArgs args;
  args.length = site.input_ints(1).at(0);
  args.bins = site.outputs[0].dims[0], args.bands = site.outputs[0].dims[1];
  args.load_rate = int64_loader(site.inputs[2].dtype);
  args.load_edge = double_loader(site.inputs[3].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  builder.append(run_mel, args).input(&MelArgs::rate, 2).input(&MelArgs::lower, 3).input(&MelArgs::upper, 4).output(&MelArgs::y, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "MelWeightMatrix", "", "triangles on the mel scale", {.supports = takes<dtypes::ints>, .prepare = prepare_mel});

}  // namespace ge::reference
