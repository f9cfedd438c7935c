// MaxUnpool (ONNX 22): y is 0 but for y[index[i]] = x[i]. Indices number the elements of the whole tensor that the pool had,
// whose axes are (x - 1) * stride + kernel - pads; a larger output_shape adds 0 behind them. Of two elements with one index
// the later one counts.
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"
#include "ge/kernels/reference/window.hpp"

#include <cstring>

namespace ge::reference {
namespace {

struct MaxUnpoolArgs {
  const std::byte* x;
  const int64_t* indices;
  std::byte* y;
  Dims pooled;      ///< dims that the indices count in
  Strides strides;  ///< of y
  int64_t element_size, count, pooled_count, y_count;
};

/// In one chunk: elements of one index keep their order.
Status run_max_unpool(const void* block, uint32_t) noexcept {
  const auto& a = *static_cast<const MaxUnpoolArgs*>(block);
  std::memset(a.y, 0, static_cast<size_t>(a.y_count * a.element_size));
  for (int64_t i = 0; i < a.count; ++i) {
    int64_t index = a.indices[i], to = 0;
    if (index < 0 || index >= a.pooled_count) return Status::index_out_of_range;
    for (int32_t d = a.pooled.rank; d-- > 0; index /= a.pooled.size[d]) to += index % a.pooled.size[d] * a.strides.step[d];
    std::memcpy(a.y + to * a.element_size, a.x + i * a.element_size, static_cast<size_t>(a.element_size));
  }
  return Status::ok;
}

void prepare_max_unpool(const KernelSite& site, TaskBuilder& builder) {
  const auto x = site.inputs[0].dims, y = site.outputs[0].dims;
  if (site.outputs[0].count == 0) {
    if (site.inputs[0].count == 0) return;
    throw Error(ErrorCode::invalid_model, "MaxUnpool gives no element of the " + std::to_string(site.inputs[0].count) + " that it has");
  }
  const WindowNest nest = read_window_nest(site.attributes, x.subspan(2), y.subspan(2), site.attributes.get_ints("kernel_shape"));
  MaxUnpoolArgs args{};
  args.pooled = make_dims(y);
  for (int32_t i = 0; i < nest.rank; ++i) {
    const WindowAxis& axis = nest.axis[i];
    int64_t& size = args.pooled.size[i + 2];
    size = (axis.input - 1) * axis.stride + axis.kernel - axis.pad_begin - axis.pad_end;
    if (size < 0 || size > axis.output)
      throw Error(ErrorCode::invalid_model, "MaxUnpool gives dims " + dims_to_string(y) + ", expected at least " + std::to_string(size) + " on axis " + std::to_string(i + 2));
  }
  args.strides = row_major(make_dims(y));
  args.element_size = element_size(site.inputs[0].dtype);
  args.count = site.inputs[0].count;
  args.pooled_count = count_of(args.pooled);
  args.y_count = site.outputs[0].count;
  using Args = MaxUnpoolArgs;
  builder.append(run_max_unpool, args).input(&Args::x, 0).input(&Args::indices, 1).output(&Args::y, 0);
}

REGISTER_CPU_KERNEL("reference", "", "MaxUnpool", "", "maxima put back where they were", {.supports = takes<dtypes::floats>, .prepare = prepare_max_unpool});

}  // namespace
}  // namespace ge::reference
