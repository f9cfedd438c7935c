#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/resize.hpp"

#include <algorithm>
#include <cstring>

namespace ge::reference {
namespace {

struct NearestArgs {
  const std::byte* x;
  std::byte* y;
  const ResizeTap* taps;
  const int64_t* first;
  int32_t rank;
  bool last_is_identity;
  int64_t output[max_rank], start[max_rank];
  int64_t rows;
  size_t element;            ///< bytes
  std::byte outside[16];     ///< extrapolation_value as an element
  uint32_t chunks;
};

/// Where output row `row` starts in the input, in elements; -1 when it lies outside.
int64_t row_start(const NearestArgs& args, int64_t row) {
  int64_t at = 0;
  for (int32_t i = args.rank - 2; i >= 0; --i) {
    const int64_t* first = args.first + args.start[i] + row % args.output[i];
    row /= args.output[i];
    if (first[0] == first[1]) return -1;
    at += args.taps[first[0]].position;
  }
  return at;
}

template <size_t Size>
void copy_row(const NearestArgs& args, int64_t from, std::byte* to) {
  const int32_t inner = args.rank - 1;
  const int64_t* first = args.first + args.start[inner];
  for (int64_t j = 0; j < args.output[inner]; ++j, to += Size) {
    const bool inside = from >= 0 && (args.last_is_identity || first[j] != first[j + 1]);
    std::memcpy(to, inside ? args.x + static_cast<size_t>(from + (args.last_is_identity ? j : args.taps[first[j]].position)) * Size : args.outside, Size);
  }
}

Status run_nearest(const void* block, uint32_t chunk) noexcept {
  const auto& args = *static_cast<const NearestArgs*>(block);
  const auto row_bytes = static_cast<size_t>(args.output[args.rank - 1]) * args.element;
  const auto [first, last] = chunk_range(args.rows, args.chunks, chunk);
  for (int64_t row = first; row < last; ++row) {
    const int64_t from = row_start(args, row);
    std::byte* to = args.y + static_cast<size_t>(row) * row_bytes;
    if (from >= 0 && args.last_is_identity) {
      std::memcpy(to, args.x + static_cast<size_t>(from) * args.element, row_bytes);
      continue;
    }
    switch (args.element) {
      case 1: copy_row<1>(args, from, to); break;
      case 2: copy_row<2>(args, from, to); break;
      case 4: copy_row<4>(args, from, to); break;
      case 8: copy_row<8>(args, from, to); break;
      default: copy_row<16>(args, from, to); break;
    }
  }
  return Status::ok;
}

}  // namespace

void append_resize_nearest(const KernelSite& site, const ResizeTable& table, TaskBuilder& builder) {
  const DType dtype = site.inputs[0].dtype;
  NearestArgs args{};
  args.rank = table.rank;
  args.last_is_identity = table.last_is_identity;
  std::copy_n(table.output, max_rank, args.output);
  std::copy_n(table.start, max_rank, args.start);
  args.rows = table.rows();
  args.element = static_cast<size_t>(element_size(dtype));
  const auto value = static_cast<double>(site.attributes.get_float("extrapolation_value", 0));
  if (contains(convertible, dtype)) {
    alignas(16) std::byte element[16] = {};
    store_doubles(dtype, element, 0, 1, 1, &value);
    std::copy_n(element, sizeof element, args.outside);
  }
  args.chunks = chunks_for_units(args.rows, static_cast<double>(table.output[table.rank - 1]));
  builder.append(run_nearest, args, args.chunks)
      .input(&NearestArgs::x, 0)
      .output(&NearestArgs::y, 0)
      .constant(&NearestArgs::taps, std::as_bytes(std::span(table.taps)))
      .constant(&NearestArgs::first, std::as_bytes(std::span(table.first)));
}

}  // namespace ge::reference
