// ScatterND (ONNX 18): slices of `data` at index tuples are replaced by, or combined with, updates[tuples, inner].
#include "ge/kernels/reference/index_tuple.hpp"
#include "ge/kernels/reference/scatter.hpp"

#include <cstring>

namespace ge::reference {
namespace {

struct ScatterNdArgs {
  const std::byte* data = nullptr;
  const int64_t* indices = nullptr;
  const std::byte* updates = nullptr;
  std::byte* y = nullptr;
  CombineElements combine = nullptr;
  TupleAxes axes;
  DType dtype = DType::undefined;
  int64_t element_size = 1, count = 0, tuples = 0, inner = 1;
};

/// In one chunk: updates of one place keep their order.
Status run_scatter_nd(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const ScatterNdArgs*>(args);
  if (a.count > 0) std::memcpy(a.y, a.data, static_cast<size_t>(a.count * a.element_size));
  for (int64_t i = 0; i < a.tuples; ++i) {
    const int64_t offset = a.axes.offset(a.indices + i * a.axes.length);
    if (offset < 0) return Status::index_out_of_range;
    a.combine(a.y + offset * a.element_size, a.updates + i * a.inner * a.element_size, a.dtype, a.inner);
  }
  return Status::ok;
}

void prepare_scatter_nd(const KernelSite& site, TaskBuilder& builder) {
  const Dims data = make_dims(site.inputs[0].dims), indices = make_dims(site.inputs[1].dims);
  const auto length = static_cast<int32_t>(indices.size[indices.rank - 1]);
  ScatterNdArgs args;
  args.combine = combiner(site);
  args.axes = TupleAxes::of(data, 0, length);
  args.dtype = site.inputs[0].dtype;
  args.element_size = element_size(args.dtype);
  args.count = site.outputs[0].count;
  args.tuples = count_of(indices, 0, indices.rank - 1);
  args.inner = count_of(data, length, data.rank);
  using Args = ScatterNdArgs;
  builder.append(run_scatter_nd, args).input(&Args::data, 0).input(&Args::indices, 1).input(&Args::updates, 2).output(&Args::y, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "ScatterND", "", "slices replaced at index tuples", {.supports = supports_scatter, .prepare = prepare_scatter_nd});

}  // namespace ge::reference
