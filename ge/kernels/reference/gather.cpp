// Gather and GatherElements. Negative indices count from the end; others out of range end the run.
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/element.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

/// The index counted from the front, or -1 when it is out of range.
int64_t checked_index(int64_t index, int64_t size) {
  if (index < 0) index += size;
  return index >= 0 && index < size ? index : -1;
}

/// data[outer, size, inner], indices[n] -> y[outer, n, inner] (ONNX Gather-13).
struct GatherArgs {
  const std::byte* data = nullptr;
  const void* indices = nullptr;
  std::byte* y = nullptr;
  LoadInt64s load = nullptr;
  CopyElements copy = nullptr;
  int64_t element_size = 1, outer = 1, size = 1, inner = 1, n = 1;
  uint32_t chunks = 1;
};
Status run_gather(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const GatherArgs*>(args);
  const Range rows = chunk_range(a.outer * a.n, a.chunks, chunk);
  const int64_t row_bytes = a.inner * a.element_size;
  int64_t indices[block_size];
  for (int64_t row = rows.first; row < rows.last;) {
    const int64_t outer = row / a.n, first = row % a.n;
    const int64_t count = std::min({block_size, a.n - first, rows.last - row});
    a.load(a.indices, first, count, 1, indices);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t index = checked_index(indices[i], a.size);
      if (index < 0) return Status::index_out_of_range;
      a.copy(a.y + (row + i) * row_bytes, 1, a.data + (outer * a.size + index) * row_bytes, 1, a.inner);
    }
    row += count;
  }
  return Status::ok;
}
void prepare_gather(const KernelSite& site, TaskBuilder& builder) {
  const Dims data = make_dims(site.inputs[0].dims);
  const int32_t axis = normal_axis(site.attributes.get_int("axis", 0), data.rank);
  GatherArgs args;
  args.load = int64_loader(site.inputs[1].dtype);
  args.element_size = element_size(site.inputs[0].dtype);
  args.copy = copier(args.element_size);
  args.outer = count_of(data, 0, axis);
  args.size = data.size[axis];
  args.inner = count_of(data, axis + 1, data.rank);
  args.n = site.inputs[1].count;
  args.chunks = chunks_for(args.outer * args.n * (4 + args.inner * args.element_size / 8));
  builder.append(run_gather, args, args.chunks).input(&GatherArgs::data, 0).input(&GatherArgs::indices, 1).output(&GatherArgs::y, 0);
}

/// ONNX GatherElements-13: y[i, j, …] = data[i, index[i, j, …], …] for axis 1.
struct GatherElementsArgs {
  const std::byte* data = nullptr;
  const void* indices = nullptr;
  std::byte* y = nullptr;
  LoadInt64s load = nullptr;
  CopyElements copy = nullptr;
  int64_t element_size = 1, size = 1, axis_step = 1, count = 0;
  uint32_t chunks = 1;
  LoopNest<1> nest;  ///< over the output; the operand is `data` without the gathered axis
};
Status run_gather_elements(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const GatherElementsArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  const int32_t inner = a.nest.rank - 1;
  return for_each_run(a.nest, range.first, range.last, [&](int64_t number, const int64_t* offsets, int64_t count) {
    int64_t indices[block_size];
    for (int64_t i = 0; i < count; i += block_size) {
      const int64_t n = std::min(block_size, count - i);
      a.load(a.indices, number + i, n, 1, indices);
      for (int64_t j = 0; j < n; ++j) {
        const int64_t index = checked_index(indices[j], a.size);
        if (index < 0) return Status::index_out_of_range;
        const int64_t from = offsets[0] + (i + j) * a.nest.step[0][inner] + index * a.axis_step;
        a.copy(a.y + (number + i + j) * a.element_size, 1, a.data + from * a.element_size, 1, 1);
      }
    }
    return Status::ok;
  });
}
void prepare_gather_elements(const KernelSite& site, TaskBuilder& builder) {
  const Dims data = make_dims(site.inputs[0].dims);
  const int32_t axis = normal_axis(site.attributes.get_int("axis", 0), data.rank);
  Strides strides = row_major(data);
  GatherElementsArgs args;
  args.load = int64_loader(site.inputs[1].dtype);
  args.element_size = element_size(site.inputs[0].dtype);
  args.copy = copier(args.element_size);
  args.size = data.size[axis];
  args.axis_step = strides.step[axis];
  strides.step[axis] = 0;
  args.nest.set_dims(make_dims(site.outputs[0].dims));
  args.nest.set_steps(0, strides);
  args.nest.coalesce();
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(args.count * 4);
  using Args = GatherElementsArgs;
  builder.append(run_gather_elements, args, args.chunks).input(&Args::data, 0).input(&Args::indices, 1).output(&Args::y, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Gather", "", "slices picked along an axis", {.supports = whole_bytes, .prepare = prepare_gather});
REGISTER_CPU_KERNEL("reference", "", "GatherElements", "", "elements picked along an axis", {.supports = whole_bytes, .prepare = prepare_gather_elements});

}  // namespace ge::reference
