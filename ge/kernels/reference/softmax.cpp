// Softmax and LogSoftmax along one axis (ONNX opset 13 and later), x[outer, n, inner]. The largest element is taken off
// first, so that nothing overflows.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ge::reference {
namespace {

struct SoftmaxArgs {
  const void* x = nullptr;
  void* y = nullptr;
  LoadDoubles load = nullptr;
  StoreDoubles store = nullptr;
  int64_t outer = 1, n = 1, inner = 1;
  bool logarithm = false;
  uint32_t chunks = 1;
};

Status run_softmax(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const SoftmaxArgs*>(args);
  const Range rows = chunk_range(a.outer * a.inner, a.chunks, chunk);
  double block[block_size];
  for (int64_t row = rows.first; row < rows.last; ++row) {
    const int64_t base = row / a.inner * a.n * a.inner + row % a.inner;
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
        block[j] = a.logarithm ? block[j] - largest - log_sum : std::exp(block[j] - largest) / sum;
      a.store(a.y, first, count, a.inner, block);
    });
  }
  return Status::ok;
}

template <bool Logarithm>
void prepare_softmax(const KernelSite& site, TaskBuilder& builder) {
  const Dims dims = make_dims(site.inputs[0].dims);
  SoftmaxArgs args;
  // A scalar counts as one row of one element.
  if (dims.rank > 0) {
    const int32_t axis = normal_axis(site.attributes.get_int("axis", -1), dims.rank);
    args.outer = count_of(dims, 0, axis);
    args.n = dims.size[axis];
    args.inner = count_of(dims, axis + 1, dims.rank);
  }
  args.load = double_loader(site.inputs[0].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  args.logarithm = Logarithm;
  const int64_t rows = args.outer * args.inner;
  args.chunks = std::min(chunks_for(rows * args.n * 20), static_cast<uint32_t>(std::clamp<int64_t>(rows, 1, 64)));
  builder.append(run_softmax, args, args.chunks).input(&SoftmaxArgs::x, 0).output(&SoftmaxArgs::y, 0);
  // The first two passes over a row only read it; the third reads each block just before it writes it.
  builder.may_overwrite(0, 0);
}

constexpr SupportsFn floats = takes<dtypes::floats>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Softmax", "", "e^x over its sum along an axis", {.supports = floats, .prepare = prepare_softmax<false>});
REGISTER_CPU_KERNEL("reference", "", "LogSoftmax", "", "logarithm of Softmax", {.supports = floats, .prepare = prepare_softmax<true>});

}  // namespace ge::reference
