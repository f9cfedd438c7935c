// TopK (ONNX 24): the k largest or smallest elements along an axis in order, and where they were; of equal ones the first
// come first. x[outer, n, inner] -> y[outer, k, inner]. A NaN is larger than every number. With sorted = 0 any order is
// allowed; this one is given.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <numeric>

namespace ge::reference {
namespace {

template <class T>
struct TopKArgs {
  const void* x = nullptr;
  void* values = nullptr;
  int64_t* indices = nullptr;  ///< null: not wanted
  T* rows = nullptr;           ///< workspace: n elements for each chunk
  int64_t* orders = nullptr;   ///< workspace: as many numbers
  LoadBlock<T> load = nullptr;
  StoreBlock<T> store = nullptr;
  int64_t outer = 1, n = 1, inner = 1, k = 0;
  bool largest = true;
  uint32_t chunks = 1;
};

/// a > b, where NaN is above everything.
template <class T>
bool above(T a, T b) {
  return a != a ? b == b : a > b;
}

template <class T>
Status run_top_k(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const TopKArgs<T>*>(args);
  const Range rows = chunk_range(a.outer * a.inner, a.chunks, chunk);
  T* row_values = a.rows + static_cast<int64_t>(chunk) * a.n;
  int64_t* order = a.orders + static_cast<int64_t>(chunk) * a.n;
  for (int64_t row = rows.first; row < rows.last; ++row) {
    const int64_t outer = row / a.inner, inner = row % a.inner;
    a.load(a.x, outer * a.n * a.inner + inner, a.n, a.inner, row_values);
    std::iota(order, order + a.n, int64_t{0});
    std::partial_sort(order, order + a.k, order + a.n, [&](int64_t i, int64_t j) {
      const T left = a.largest ? row_values[i] : row_values[j], right = a.largest ? row_values[j] : row_values[i];
      if (above(left, right)) return true;
      return !above(right, left) && i < j;
    });
    for (int64_t i = 0; i < a.k; ++i) {
      const int64_t to = (outer * a.k + i) * a.inner + inner;
      a.store(a.values, to, 1, 1, row_values + order[i]);
      if (a.indices != nullptr) a.indices[to] = order[i];
    }
  }
  return Status::ok;
}

template <class T>
void append_top_k(const KernelSite& site, TaskBuilder& builder) {
  const Dims in = make_dims(site.inputs[0].dims), out = make_dims(site.outputs[0].dims);
  const int32_t axis = normal_axis(site.attributes.get_int("axis", -1), in.rank);
  TopKArgs<T> args;
  args.load = loader<T>(site.inputs[0].dtype);
  args.store = storer<T>(site.outputs[0].dtype);
  args.outer = count_of(in, 0, axis);
  args.n = in.size[axis];
  args.inner = count_of(in, axis + 1, in.rank);
  args.k = out.size[axis];
  args.largest = site.attributes.get_int("largest", 1) != 0;
  if (args.k > args.n)
    throw Error(ErrorCode::invalid_argument, "TopK: K is " + std::to_string(args.k) + ", expected at most the " + std::to_string(args.n) + " elements along axis " +
                                                 std::to_string(axis) + " of the input " + dims_to_string(site.inputs[0].dims));
  const int64_t rows = args.outer * args.inner;
  args.chunks = std::min(chunks_for(rows * args.n * 10), static_cast<uint32_t>(std::clamp<int64_t>(rows, 1, 64)));
  const int64_t scratch = args.n * static_cast<int64_t>(args.chunks);
  using Args = TopKArgs<T>;
  auto task = builder.append(run_top_k<T>, args, args.chunks).input(&Args::x, 0).output(&Args::values, 0);
  task.workspace(&Args::rows, scratch * static_cast<int64_t>(sizeof(T))).workspace(&Args::orders, scratch * static_cast<int64_t>(sizeof(int64_t)));
  if (site.has_output(1)) task.output(&Args::indices, 1);
}

void prepare_top_k(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  if (is_float(site.inputs[0].dtype)) append_top_k<double>(site, builder);
  else if (site.inputs[0].dtype == DType::uint64) append_top_k<uint64_t>(site, builder);
  else append_top_k<int64_t>(site, builder);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "TopK", "", "largest or smallest elements and where they are", {.supports = takes<dtypes::numeric>, .prepare = prepare_top_k});

}  // namespace ge::reference
