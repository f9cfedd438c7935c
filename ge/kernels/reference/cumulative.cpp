// CumSum (ONNX 14) and CumProd (ONNX 26) along an axis that is read at run time.
#include "ge/kernels/reference/broadcast.hpp"

namespace ge::reference {
namespace {

template <class T>
struct CumulativeArgs {
  const void* x = nullptr;
  const void* axis = nullptr;
  void* y = nullptr;
  LoadBlock<T> load = nullptr;
  StoreBlock<T> store = nullptr;
  LoadInt64s load_axis = nullptr;
  Dims dims;
  bool product = false, exclusive = false, reverse = false;
};

template <class T>
Status run_cumulative(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const CumulativeArgs<T>*>(args);
  int64_t axis = 0;
  a.load_axis(a.axis, 0, 1, 1, &axis);
  if (axis < 0) axis += a.dims.rank;
  if (axis < 0 || axis >= a.dims.rank) return Status::index_out_of_range;
  const auto at = static_cast<int32_t>(axis);
  const int64_t outer = count_of(a.dims, 0, at), n = a.dims.size[at], inner = count_of(a.dims, at + 1, a.dims.rank);
  for (int64_t row = 0; row < outer * inner; ++row) {
    const int64_t first = row / inner * n * inner + row % inner;
    T so_far = a.product ? T{1} : T{0};
    for (int64_t i = 0; i < n; ++i) {
      const int64_t place = first + (a.reverse ? n - 1 - i : i) * inner;
      T element;
      a.load(a.x, place, 1, 1, &element);
      const T with = a.product ? wrapping_mul(so_far, element) : wrapping_add(so_far, element);
      a.store(a.y, place, 1, 1, a.exclusive ? &so_far : &with);
      so_far = with;
    }
  }
  return Status::ok;
}

template <class T>
void append_cumulative(const KernelSite& site, TaskBuilder& builder, bool product) {
  using Args = CumulativeArgs<T>;
  Args args;
  args.load = loader<T>(site.inputs[0].dtype);
  args.store = storer<T>(site.outputs[0].dtype);
  args.load_axis = int64_loader(site.inputs[1].dtype);
  args.dims = make_dims(site.inputs[0].dims);
  args.product = product;
  args.exclusive = site.attributes.get_int("exclusive", 0) != 0;
  args.reverse = site.attributes.get_int("reverse", 0) != 0;
  builder.append(run_cumulative<T>, args).input(&Args::x, 0).input(&Args::axis, 1).output(&Args::y, 0);
  builder.may_overwrite(0, 0);
}

template <bool Product>
void prepare_cumulative(const KernelSite& site, TaskBuilder& builder) {
  if (is_float(site.inputs[0].dtype)) append_cumulative<double>(site, builder, Product);
  else append_cumulative<int64_t>(site, builder, Product);  // sums and products of uint64 wrap to the same bits
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "CumSum", "", "running sums", {.supports = takes<dtypes::numeric>, .prepare = prepare_cumulative<false>});
REGISTER_CPU_KERNEL("reference", "", "CumProd", "", "running products", {.supports = takes<dtypes::numeric>, .prepare = prepare_cumulative<true>});

}  // namespace ge::reference
