#include "ge/kernels/reference/reduce.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

template <class T>
struct ReduceArgs {
  const void* x = nullptr;
  void* y = nullptr;
  LoadBlock<T> load = nullptr;
  StoreBlock<T> store = nullptr;
  Reduction<T> reduction;
  int64_t outputs = 0, each = 0;
  uint32_t chunks = 1;
  LoopNest<1> kept, reduced;
};

template <class T>
Status run_reduction(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const ReduceArgs<T>*>(args);
  const Range range = chunk_range(a.outputs, a.chunks, chunk);
  const int64_t kept_step = a.kept.step[0][a.kept.rank - 1], step = a.reduced.step[0][a.reduced.rank - 1];
  T block[block_size];
  return for_each_run(a.kept, range.first, range.last, [&](int64_t number, const int64_t* base, int64_t outputs) {
    for (int64_t o = 0; o < outputs; ++o) {
      T state[2] = {a.reduction.initial[0], a.reduction.initial[1]};
      for_each_run(a.reduced, 0, a.each, [&](int64_t, const int64_t* offset, int64_t count) {
        for (int64_t i = 0; i < count; i += block_size) {
          const int64_t n = std::min(block_size, count - i);
          a.load(a.x, base[0] + o * kept_step + offset[0] + i * step, n, step, block);
          a.reduction.step(state, block, n);
        }
        return Status::ok;
      });
      const T result = a.reduction.finish(state, a.each);
      a.store(a.y, number + o, 1, 1, &result);
    }
    return Status::ok;
  });
}

}  // namespace

std::vector<bool> reduced_axes(const KernelSite& site) {
  const auto rank = static_cast<int32_t>(site.inputs[0].dims.size());
  std::vector<int64_t> axes;
  if (site.has_input(1)) axes = site.input_ints(1);
  std::vector<bool> reduced(static_cast<size_t>(rank), axes.empty() && site.attributes.get_int("noop_with_empty_axes", 0) == 0);
  for (int64_t axis : axes) reduced[static_cast<size_t>(normal_axis(axis, rank))] = true;
  return reduced;
}

template <class T>
void append_reduction(const KernelSite& site, TaskBuilder& builder, const Reduction<T>& reduction) {
  const Dims dims = make_dims(site.inputs[0].dims);
  const Strides strides = row_major(dims);
  const std::vector<bool> reduced = reduced_axes(site);
  ReduceArgs<T> args;
  for (int32_t i = 0; i < dims.rank; ++i) {
    LoopNest<1>& nest = reduced[static_cast<size_t>(i)] ? args.reduced : args.kept;
    nest.size[nest.rank] = dims.size[i];
    nest.step[0][nest.rank++] = strides.step[i];
  }
  args.kept.coalesce();
  args.reduced.coalesce();
  args.outputs = args.kept.count();
  args.each = args.reduced.count();
  args.load = loader<T>(site.inputs[0].dtype);
  args.store = storer<T>(site.outputs[0].dtype);
  args.reduction = reduction;
  args.chunks = std::min(chunks_for(args.outputs * (args.each + 8)), static_cast<uint32_t>(std::clamp<int64_t>(args.outputs, 1, 64)));
  builder.append(run_reduction<T>, args, args.chunks).input(&ReduceArgs<T>::x, 0).output(&ReduceArgs<T>::y, 0);
}

template void append_reduction(const KernelSite&, TaskBuilder&, const Reduction<double>&);
template void append_reduction(const KernelSite&, TaskBuilder&, const Reduction<int64_t>&);
template void append_reduction(const KernelSite&, TaskBuilder&, const Reduction<uint64_t>&);

}  // namespace ge::reference
