// GatherND (ONNX 13): data[batch, addressed axes, inner], indices[batch, tuples, length] -> y[batch, tuples, inner].
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/index_tuple.hpp"

namespace ge::reference {
namespace {

struct GatherNdArgs {
  const std::byte* data = nullptr;
  const int64_t* indices = nullptr;
  std::byte* y = nullptr;
  CopyElements copy = nullptr;
  TupleAxes axes;
  int64_t element_size = 1, tuples = 1, all_tuples = 1, batch_step = 0, inner = 1;
  uint32_t chunks = 1;
};

Status run_gather_nd(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const GatherNdArgs*>(args);
  const Range range = chunk_range(a.all_tuples, a.chunks, chunk);
  for (int64_t i = range.first; i < range.last; ++i) {
    const int64_t offset = a.axes.offset(a.indices + i * a.axes.length);
    if (offset < 0) return Status::index_out_of_range;
    a.copy(a.y + i * a.inner * a.element_size, 1, a.data + (i / a.tuples * a.batch_step + offset) * a.element_size, 1, a.inner);
  }
  return Status::ok;
}

void prepare_gather_nd(const KernelSite& site, TaskBuilder& builder) {
  const Dims data = make_dims(site.inputs[0].dims), indices = make_dims(site.inputs[1].dims);
  const auto batch = static_cast<int32_t>(site.attributes.get_int("batch_dims", 0));
  const auto length = static_cast<int32_t>(indices.size[indices.rank - 1]);
  GatherNdArgs args;
  args.element_size = element_size(site.inputs[0].dtype);
  args.copy = copier(args.element_size);
  args.axes = TupleAxes::of(data, batch, length);
  args.tuples = count_of(indices, batch, indices.rank - 1);
  args.all_tuples = count_of(indices, 0, indices.rank - 1);
  args.batch_step = count_of(data, batch, data.rank);
  args.inner = count_of(data, batch + length, data.rank);
  if (args.all_tuples == 0) return;
  args.chunks = chunks_for(args.all_tuples * (4 + length + args.inner * args.element_size / 8));
  using Args = GatherNdArgs;
  builder.append(run_gather_nd, args, args.chunks).input(&Args::data, 0).input(&Args::indices, 1).output(&Args::y, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "GatherND", "", "slices picked by index tuples", {.supports = whole_bytes, .prepare = prepare_gather_nd});

}  // namespace ge::reference
