// Max, Min, Sum, Mean of any number of inputs, and Clip. NaN in any operand gives NaN.
#include "ge/kernels/reference/broadcast.hpp"

namespace ge::reference {
namespace {

struct Max {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a > b || a != a ? a : b; }
};
struct Min {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a < b || a != a ? a : b; }
};
struct Sum {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a + b; }
};
constexpr BinaryOp max = numeric_op<Max>, min = numeric_op<Min>, sum = float_op<Sum>;

void prepare_mean(const KernelSite& site, TaskBuilder& builder) {
  append_broadcast(site, builder, sum, 0, static_cast<double>(site.inputs.size()));
}

/// ONNX Clip-13: min(max(x, low), high), so `high` wins where low > high. The limits are scalars read at run time.
template <class T>
struct ClipArgs {
  const void* x = nullptr;
  const void* low = nullptr;
  const void* high = nullptr;
  void* y = nullptr;
  LoadBlock<T> load = nullptr;
  StoreBlock<T> store = nullptr;
  int64_t count = 0;
  uint32_t chunks = 1;
};

template <class T>
Status run_clip(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const ClipArgs<T>*>(args);
  const BinaryParams none;
  T low{}, high{};
  if (a.low != nullptr) a.load(a.low, 0, 1, 1, &low);
  if (a.high != nullptr) a.load(a.high, 0, 1, 1, &high);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  T block[block_size];
  for (int64_t i = range.first; i < range.last; i += block_size) {
    const int64_t n = range.last - i < block_size ? range.last - i : block_size;
    a.load(a.x, i, n, 1, block);
    if (a.low != nullptr)
      for (int64_t j = 0; j < n; ++j) block[j] = Max::of(block[j], low, none);
    if (a.high != nullptr)
      for (int64_t j = 0; j < n; ++j) block[j] = Min::of(block[j], high, none);
    a.store(a.y, i, n, 1, block);
  }
  return Status::ok;
}

template <class T>
void append_clip(const KernelSite& site, TaskBuilder& builder) {
  ClipArgs<T> args;
  args.load = loader<T>(site.inputs[0].dtype);
  args.store = storer<T>(site.inputs[0].dtype);
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(args.count * 2);
  auto task = builder.append(run_clip<T>, args, args.chunks).input(&ClipArgs<T>::x, 0).output(&ClipArgs<T>::y, 0);
  if (site.has_input(1)) task.input(&ClipArgs<T>::low, 1);
  if (site.has_input(2)) task.input(&ClipArgs<T>::high, 2);
  builder.may_overwrite(0, 0);
}

void prepare_clip(const KernelSite& site, TaskBuilder& builder) {
  const DType dtype = site.inputs[0].dtype;
  if (is_float(dtype)) return append_clip<double>(site, builder);
  if (dtype == DType::uint64) return append_clip<uint64_t>(site, builder);
  append_clip<int64_t>(site, builder);
}

constexpr SupportsFn numeric = all_take<dtypes::numeric>;
constexpr SupportsFn floats = all_take<dtypes::floats>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Max", "", "the largest operand", {.supports = numeric, .prepare = prepare_broadcast<max>});
REGISTER_CPU_KERNEL("reference", "", "Min", "", "the smallest operand", {.supports = numeric, .prepare = prepare_broadcast<min>});
REGISTER_CPU_KERNEL("reference", "", "Sum", "", "the sum of the operands", {.supports = floats, .prepare = prepare_broadcast<sum>});
REGISTER_CPU_KERNEL("reference", "", "Mean", "", "the mean of the operands", {.supports = floats, .prepare = prepare_mean});
REGISTER_CPU_KERNEL("reference", "", "Clip", "", "x limited to low..high", {.supports = takes<dtypes::numeric>, .prepare = prepare_clip});

}  // namespace ge::reference
