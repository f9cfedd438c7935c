// Where: x or y by condition, all three broadcast.
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/element.hpp"

#include <cstring>

namespace ge::reference {
namespace {

/// Steps in elements.
using Choose = void (*)(std::byte* to, const uint8_t* condition, int64_t condition_step, const std::byte* x, int64_t x_step,
                        const std::byte* y, int64_t y_step, int64_t count) noexcept;
template <int64_t Size>
void choose(std::byte* to, const uint8_t* condition, int64_t condition_step, const std::byte* x, int64_t x_step,
            const std::byte* y, int64_t y_step, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i)
    std::memmove(to + i * Size, condition[i * condition_step] != 0 ? x + i * x_step * Size : y + i * y_step * Size, Size);
}
Choose chooser(int64_t element_size) {
  switch (element_size) {
    case 1: return choose<1>;
    case 2: return choose<2>;
    case 4: return choose<4>;
    case 8: return choose<8>;
    default: return choose<16>;
  }
}

struct WhereArgs {
  const uint8_t* condition = nullptr;
  const std::byte* x = nullptr;
  const std::byte* y = nullptr;
  std::byte* out = nullptr;
  Choose choose = nullptr;
  int64_t element_size = 1, count = 0;
  uint32_t chunks = 1;
  LoopNest<3> nest;
};
Status run_where(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const WhereArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  const int32_t inner = a.nest.rank - 1;
  return for_each_run(a.nest, range.first, range.last, [&](int64_t number, const int64_t* offsets, int64_t count) {
    a.choose(a.out + number * a.element_size, a.condition + offsets[0], a.nest.step[0][inner], a.x + offsets[1] * a.element_size,
             a.nest.step[1][inner], a.y + offsets[2] * a.element_size, a.nest.step[2][inner], count);
    return Status::ok;
  });
}

void prepare_where(const KernelSite& site, TaskBuilder& builder) {
  const Dims to = make_dims(site.outputs[0].dims);
  WhereArgs args;
  args.element_size = element_size(site.outputs[0].dtype);
  args.choose = chooser(args.element_size);
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(args.count * 2);
  args.nest.set_dims(to);
  for (int k = 0; k < 3; ++k) args.nest.set_steps(k, broadcast_strides(make_dims(site.inputs[static_cast<size_t>(k)].dims), to));
  args.nest.coalesce();
  using Args = WhereArgs;
  builder.append(run_where, args, args.chunks).input(&Args::condition, 0).input(&Args::x, 1).input(&Args::y, 2).output(&Args::out, 0);
  for (size_t i = 0; i < 3; ++i)
    if (site.inputs[i].count == args.count && bits_of(site.inputs[i].dtype) == bits_of(site.outputs[0].dtype)) builder.may_overwrite(0, i);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Where", "", "x where the condition holds, else y", {.supports = writes_whole_bytes, .prepare = prepare_where});

}  // namespace ge::reference
