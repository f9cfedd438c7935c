// ArgMax and ArgMin: where the extreme element of a row is, x[outer, n, inner] -> y[outer, inner] (ONNX opset 13). A NaN
// counts as the extreme, as in numpy.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

template <class T>
struct ArgArgs {
  const void* x = nullptr;
  int64_t* y = nullptr;
  LoadBlock<T> load = nullptr;
  int64_t outer = 1, n = 1, inner = 1;
  bool smallest = false, last = false;
  uint32_t chunks = 1;
};

template <class T>
Status run_arg(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const ArgArgs<T>*>(args);
  const Range rows = chunk_range(a.outer * a.inner, a.chunks, chunk);
  T block[block_size];
  for (int64_t row = rows.first; row < rows.last; ++row) {
    const int64_t base = row / a.inner * a.n * a.inner + row % a.inner;
    T best{};
    int64_t at = 0;
    for (int64_t i = 0; i < a.n; i += block_size) {
      const int64_t count = std::min(block_size, a.n - i);
      a.load(a.x, base + i * a.inner, count, a.inner, block);
      for (int64_t j = 0; j < count; ++j) {
        const bool best_nan = best != best, nan = block[j] != block[j];
        const bool better = !best_nan && (nan || (a.smallest ? block[j] < best : block[j] > best));
        const bool equal = block[j] == best || (best_nan && nan);
        if (i + j > 0 && !better && !(a.last && equal)) continue;
        best = block[j];
        at = i + j;
      }
    }
    a.y[row] = at;
  }
  return Status::ok;
}

template <class T>
void append_arg(const KernelSite& site, TaskBuilder& builder, bool smallest) {
  const Dims dims = make_dims(site.inputs[0].dims);
  ArgArgs<T> args;
  if (dims.rank > 0) {
    const int32_t axis = normal_axis(site.attributes.get_int("axis", 0), dims.rank);
    args.outer = count_of(dims, 0, axis);
    args.n = dims.size[axis];
    args.inner = count_of(dims, axis + 1, dims.rank);
  }
  args.load = loader<T>(site.inputs[0].dtype);
  args.smallest = smallest;
  args.last = site.attributes.get_int("select_last_index", 0) != 0;
  const int64_t rows = args.outer * args.inner;
  if (args.n == 0 && rows > 0)
    throw Error(ErrorCode::invalid_argument, std::string(site.op) + ": the axis of input " + dims_to_string(site.inputs[0].dims) + " has no elements");
  args.chunks = std::min(chunks_for(site.inputs[0].count * 2), static_cast<uint32_t>(std::clamp<int64_t>(rows, 1, 64)));
  builder.append(run_arg<T>, args, args.chunks).input(&ArgArgs<T>::x, 0).output(&ArgArgs<T>::y, 0);
}

template <bool Smallest>
void prepare_arg(const KernelSite& site, TaskBuilder& builder) {
  if (is_float(site.inputs[0].dtype)) append_arg<double>(site, builder, Smallest);
  else if (site.inputs[0].dtype == DType::uint64) append_arg<uint64_t>(site, builder, Smallest);
  else append_arg<int64_t>(site, builder, Smallest);
}

constexpr SupportsFn numeric = takes<dtypes::numeric>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "ArgMax", "", "index of the largest element", {.supports = numeric, .prepare = prepare_arg<false>});
REGISTER_CPU_KERNEL("reference", "", "ArgMin", "", "index of the smallest element", {.supports = numeric, .prepare = prepare_arg<true>});

}  // namespace ge::reference
