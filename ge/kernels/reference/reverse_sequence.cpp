// ReverseSequence (ONNX 28): for each index b of the batch axis the first lengths[b] slices of the time axis in reverse order,
// then the others as they are. The two axes are 0 and 1.
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/element.hpp"

#include <cstring>

namespace ge::reference {
namespace {

struct ReverseArgs {
  const std::byte* x = nullptr;
  const int64_t* lengths = nullptr;
  std::byte* y = nullptr;
  bool time_first = true;
  int64_t times = 1, row_bytes = 0, second = 1, rows = 0;  ///< x as [first, second, row]
  uint32_t chunks = 1;
};

Status run_reverse(const void* block, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const ReverseArgs*>(block);
  const auto [first, last] = chunk_range(a.rows, a.chunks, chunk);
  for (int64_t row = first; row < last; ++row) {
    const int64_t i = row / a.second, j = row % a.second, time = a.time_first ? i : j, length = a.lengths[a.time_first ? j : i];
    if (length < 0 || length > a.times) return Status::index_out_of_range;
    const int64_t from = time < length ? length - 1 - time : time;
    const int64_t from_row = a.time_first ? from * a.second + j : i * a.second + from;
    std::memcpy(a.y + row * a.row_bytes, a.x + from_row * a.row_bytes, static_cast<size_t>(a.row_bytes));
  }
  return Status::ok;
}

void prepare_reverse(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  const Dims dims = make_dims(site.inputs[0].dims);
  ReverseArgs args;
  args.time_first = site.attributes.get_int("time_axis", 0) == 0;
  args.second = dims.size[1];
  args.times = dims.size[args.time_first ? 0 : 1];
  args.rows = dims.size[0] * dims.size[1];
  args.row_bytes = count_of(dims, 2, dims.rank) * element_size(site.inputs[0].dtype);
  args.chunks = chunks_for(site.outputs[0].count);
  builder.append(run_reverse, args, args.chunks).input(&ReverseArgs::x, 0).input(&ReverseArgs::lengths, 1).output(&ReverseArgs::y, 0);
}

REGISTER_CPU_KERNEL("reference", "", "ReverseSequence", "", "the first elements of each sequence in reverse order",
                    {.supports = whole_bytes, .prepare = prepare_reverse});

}  // namespace
}  // namespace ge::reference
