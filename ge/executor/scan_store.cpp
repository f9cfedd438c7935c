#include "ge/executor/scan_store.hpp"

#include <cstring>

namespace ge {
namespace {

/// Types of 4 and 2 bits, whose slices may end within a byte: element by element, in the order of the iterations, the
/// first element in a byte clearing what is left of it.
void store_packed(const ScanStoreArgs& a, int64_t first) {
  const unsigned per_byte = 8 / a.width, mask = (1u << a.width) - 1;
  for (int64_t i = 0; i < a.slice_count; ++i) {
    const auto shift_in = static_cast<unsigned>(i % per_byte) * a.width, shift_out = static_cast<unsigned>((first + i) % per_byte) * a.width;
    const unsigned code = (std::to_integer<unsigned>(a.from[i / per_byte]) >> shift_in) & mask;
    std::byte& to = a.to[(first + i) / per_byte];
    to = static_cast<std::byte>((shift_out == 0 ? 0u : std::to_integer<unsigned>(to)) | code << shift_out);
  }
}

}  // namespace

ScanStoreArgs scan_store_args(const ValueState& slice, int64_t number) {
  ScanStoreArgs args;
  args.number = number;
  args.slice_bytes = slice.size_bytes;
  args.slice_count = slice.count;
  args.width = bits_of(slice.dtype);
  return args;
}

Status run_scan_store(const void* raw, uint32_t) noexcept {
  const auto& args = *static_cast<const ScanStoreArgs*>(raw);
  const int64_t iteration = args.iteration != nullptr ? *args.iteration : args.number;
  if (args.width < 8) store_packed(args, iteration * args.slice_count);
  else if (args.slice_bytes > 0) std::memcpy(args.to + iteration * args.slice_bytes, args.from, static_cast<size_t>(args.slice_bytes));
  return Status::ok;
}

bool ends_with_a_byte(const ValueState& slice) { return bits_of(slice.dtype) >= 8 || slice.count % (8 / bits_of(slice.dtype)) == 0; }

}  // namespace ge
