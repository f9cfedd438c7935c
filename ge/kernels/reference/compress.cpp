// Compress (ONNX 28): the slices along an axis, or without an axis the elements of the flat tensor, whose condition holds. The
// condition may be shorter than the axis; those behind it are left out. A condition that holds beyond the axis is an error.
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/element.hpp"

#include <algorithm>
#include <cstring>

namespace ge::reference {
namespace {

struct CompressArgs {
  const std::byte* x = nullptr;
  const uint8_t* condition = nullptr;
  Dims dims;                                           ///< of the output but for the axis
  int32_t axis = 0;
  int64_t outer = 1, size = 0, row_bytes = 0, length = 0;  ///< x as [outer, size, row]; length of the condition
};

Status run_compress(const void* block, OutputAllocator& outputs) noexcept {
  const auto& a = *static_cast<const CompressArgs*>(block);
  int64_t kept = 0;
  for (int64_t i = 0; i < a.length; ++i) {
    if (a.condition[i] == 0) continue;
    if (i >= a.size) return Status::index_out_of_range;
    ++kept;
  }
  Dims dims = a.dims;
  dims.size[a.axis] = kept;
  std::byte* y = outputs.allocate(0, std::span<const int64_t>(dims.size, static_cast<size_t>(dims.rank)));
  if (y == nullptr) return Status::out_of_memory;
  if (kept == 0 || a.row_bytes == 0) return Status::ok;
  for (int64_t o = 0; o < a.outer; ++o)
    for (int64_t i = 0; i < std::min(a.length, a.size); ++i)
      if (a.condition[i] != 0) {
        std::memcpy(y, a.x + (o * a.size + i) * a.row_bytes, static_cast<size_t>(a.row_bytes));
        y += a.row_bytes;
      }
  return Status::ok;
}

void prepare_compress(const KernelSite& site, TaskBuilder& builder) {
  CompressArgs args;
  const Dims x = make_dims(site.inputs[0].dims);
  const int64_t bytes = element_size(site.inputs[0].dtype);
  if (site.attributes.has("axis")) {
    args.dims = x;
    args.axis = normal_axis(site.attributes.get_int("axis", 0), x.rank);
    args.size = x.size[args.axis];
    args.outer = count_of(x, 0, args.axis);
    args.row_bytes = site.inputs[0].count == 0 ? 0 : count_of(x, args.axis + 1, x.rank) * bytes;
  } else {
    args.dims.rank = 1;
    args.size = site.inputs[0].count;
    args.row_bytes = bytes;
  }
  args.length = site.inputs[1].count;
  builder.append_dynamic(run_compress, args).input(&CompressArgs::x, 0).input(&CompressArgs::condition, 1);
}

REGISTER_CPU_KERNEL("reference", "", "Compress", "", "the slices whose condition holds", {.supports = whole_bytes, .prepare = prepare_compress});

}  // namespace
}  // namespace ge::reference
