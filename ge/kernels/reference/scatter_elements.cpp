// ScatterElements (ONNX 18): y[i, index[i, j, …], …] is replaced by, or combined with, updates[i, j, …] for axis 1.
#include "ge/kernels/reference/index_tuple.hpp"
#include "ge/kernels/reference/scatter.hpp"

#include <cstring>

namespace ge::reference {
namespace {

struct ScatterElementsArgs {
  const std::byte* data = nullptr;
  const void* indices = nullptr;
  const std::byte* updates = nullptr;
  std::byte* y = nullptr;
  LoadInt64s load = nullptr;
  CombineElements combine = nullptr;
  DType dtype = DType::undefined;
  int64_t element_size = 1, count = 0, size = 1, axis_step = 1;
  LoopNest<1> nest;  ///< over the updates; the operand is the output without the scattered axis
};

/// In one chunk: updates of one place keep their order.
Status run_scatter_elements(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const ScatterElementsArgs*>(args);
  if (a.count > 0) std::memcpy(a.y, a.data, static_cast<size_t>(a.count * a.element_size));
  const int32_t inner = a.nest.rank - 1;
  return for_each_run(a.nest, 0, a.nest.count(), [&](int64_t number, const int64_t* offsets, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t index;
      a.load(a.indices, number + i, 1, 1, &index);
      index = index_from_front(index, a.size);
      if (index < 0) return Status::index_out_of_range;
      const int64_t to = offsets[0] + i * a.nest.step[0][inner] + index * a.axis_step;
      a.combine(a.y + to * a.element_size, a.updates + (number + i) * a.element_size, a.dtype, 1);
    }
    return Status::ok;
  });
}

void prepare_scatter_elements(const KernelSite& site, TaskBuilder& builder) {
  const Dims data = make_dims(site.inputs[0].dims), updates = make_dims(site.inputs[2].dims);
  const int32_t axis = normal_axis(site.attributes.get_int("axis", 0), data.rank);
  // Positions of updates are positions of data on every other axis.
  for (int32_t i = 0; i < data.rank; ++i)
    if (i != axis && updates.size[i] > data.size[i])
      throw Error(ErrorCode::invalid_argument, "ScatterElements: updates have dims " + dims_to_string(site.inputs[2].dims) + ", expected at most " +
                                                   std::to_string(data.size[i]) + " on axis " + std::to_string(i) + " for data of dims " +
                                                   dims_to_string(site.inputs[0].dims));
  Strides strides = row_major(data);
  ScatterElementsArgs args;
  args.load = int64_loader(site.inputs[1].dtype);
  args.combine = combiner(site);
  args.dtype = site.inputs[0].dtype;
  args.element_size = element_size(args.dtype);
  args.count = site.outputs[0].count;
  args.size = data.size[axis];
  args.axis_step = strides.step[axis];
  strides.step[axis] = 0;
  args.nest.set_dims(updates);
  args.nest.set_steps(0, strides);
  args.nest.coalesce();
  using Args = ScatterElementsArgs;
  builder.append(run_scatter_elements, args).input(&Args::data, 0).input(&Args::indices, 1).input(&Args::updates, 2).output(&Args::y, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "ScatterElements", "", "elements replaced along an axis",
                    {.supports = supports_scatter, .prepare = prepare_scatter_elements});

}  // namespace ge::reference
