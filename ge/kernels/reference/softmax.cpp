// Softmax and LogSoftmax along one axis (ONNX opset 13 and later), x[outer, n, inner]. The largest element is taken off
// first, so that nothing overflows.
#include "ge/kernels/reference/axis_rows.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ge::reference {
namespace {

template <bool Logarithm>
Status run_softmax(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const AxisRows*>(args);
  const Range rows = a.rows_of(chunk);
  double block[block_size];
  for (int64_t row = rows.first; row < rows.last; ++row) {
    const int64_t base = a.base_of(row);
    const auto for_each_block = [&](auto visit) {
      for (int64_t i = 0; i < a.n; i += block_size) {
        const int64_t count = std::min(block_size, a.n - i);
        a.load(a.x, base + i * a.inner, count, a.inner, block);
        visit(base + i * a.inner, count);
      }
    };
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for_each_block([&](int64_t, int64_t count) {
      for (int64_t j = 0; j < count; ++j) largest = block[j] > largest || block[j] != block[j] ? block[j] : largest;
    });
    for_each_block([&](int64_t, int64_t count) {
      for (int64_t j = 0; j < count; ++j) sum += std::exp(block[j] - largest);
    });
    const double log_sum = std::log(sum);
    for_each_block([&](int64_t first, int64_t count) {
      for (int64_t j = 0; j < count; ++j)
        block[j] = Logarithm ? block[j] - largest - log_sum : std::exp(block[j] - largest) / sum;
      a.store(a.y, first, count, a.inner, block);
    });
  }
  return Status::ok;
}

template <bool Logarithm>
void prepare_softmax(const KernelSite& site, TaskBuilder& builder) {
  const AxisRows args = axis_rows(site, 20);
  builder.append(run_softmax<Logarithm>, args, args.chunks).input(&AxisRows::x, 0).output(&AxisRows::y, 0);
  // The first two passes over a row only read it; the third reads each block just before it writes it.
  builder.may_overwrite(0, 0);
}

constexpr SupportsFn floats = takes<dtypes::floats>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Softmax", "", "e^x over its sum along an axis", {.supports = floats, .prepare = prepare_softmax<false>});
REGISTER_CPU_KERNEL("reference", "", "LogSoftmax", "", "logarithm of Softmax", {.supports = floats, .prepare = prepare_softmax<true>});

}  // namespace ge::reference
