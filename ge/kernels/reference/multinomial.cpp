// Multinomial (ONNX 22): class numbers drawn from rows of unnormalised log-probabilities.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/random_stream.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace ge::reference {
namespace {

/// x[batch, classes] to y[batch, samples].
struct MultinomialArgs {
  const void* x = nullptr;
  void* y = nullptr;
  double* sums = nullptr;  ///< scratch[chunks, classes]
  RandomSource source;
  LoadDoubles load = nullptr;
  StoreInt64s store = nullptr;
  int64_t batch = 0, classes = 0, samples = 0;
  uint32_t chunks = 1;
};

/// Makes running sums of the probabilities, up to a factor, of log-probabilities in place; false where they are none:
/// no class has more than probability 0, or one has NaN or infinity.
bool accumulate(double* row, int64_t n) noexcept {
  double largest = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < n; ++i) {
    if (std::isnan(row[i])) return false;
    largest = std::max(largest, row[i]);
  }
  if (!std::isfinite(largest)) return false;
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) row[i] = sum += std::exp(row[i] - largest);
  return true;
}

Status run_multinomial(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const MultinomialArgs*>(args);
  const RandomStream stream(a.source);
  double* const sums = a.sums + a.classes * chunk;
  const Range rows = chunk_range(a.batch, a.chunks, chunk);
  for (int64_t row = rows.first; row < rows.last; ++row) {
    a.load(a.x, row * a.classes, a.classes, 1, sums);
    if (!accumulate(sums, a.classes)) return Status::invalid_value;
    for (int64_t i = row * a.samples; i < (row + 1) * a.samples; ++i) {
      // The first class whose sum is above the number drawn: never one of probability 0. The last sum itself is not
      // drawn, but a product may be rounded to it.
      const double total = sums[a.classes - 1], drawn = std::min(stream.uniform(i) * total, std::nextafter(total, 0.0));
      const int64_t found = std::upper_bound(sums, sums + a.classes, drawn) - sums;
      a.store(a.y, i, 1, 1, &found);
    }
  }
  return Status::ok;
}

void prepare_multinomial(const KernelSite& site, TaskBuilder& builder) {
  MultinomialArgs args;
  args.source = random_source(site);
  args.load = double_loader(site.inputs[0].dtype);
  args.store = int64_storer(site.outputs[0].dtype);
  args.batch = site.outputs[0].dims[0], args.samples = site.outputs[0].dims[1], args.classes = site.inputs[0].dims[1];
  constexpr int64_t most = int64_t{1} << 40;
  if (args.classes > most) throw Error(ErrorCode::unsupported, "Multinomial has " + std::to_string(args.classes) + " classes, expected at most 2^40");
  args.chunks = chunks_for(std::min(site.inputs[0].count + site.outputs[0].count, most) * 32);
  args.chunks = std::min(args.chunks, static_cast<uint32_t>(std::clamp<int64_t>(args.batch, 1, 64)));
  auto task = builder.append(run_multinomial, args, args.chunks).input(&MultinomialArgs::x, 0).output(&MultinomialArgs::y, 0);
  task.workspace(&MultinomialArgs::sums, args.chunks * args.classes * static_cast<int64_t>(sizeof(double)));
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Multinomial", "", "by search in running sums", {.supports = takes<dtypes::floats>, .prepare = prepare_multinomial});

}  // namespace ge::reference
