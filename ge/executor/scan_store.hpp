#pragma once
#include "ge/executor/value_state.hpp"

namespace ge {

/// Arguments of the task that puts what one iteration of a loop gives at its place in the whole.
struct ScanStoreArgs {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  const int64_t* iteration = nullptr;  ///< null: `number`
  int64_t number = 0;
  int64_t slice_bytes = 0, slice_count = 0;
  unsigned width = 8;                  ///< bits of an element
};
ScanStoreArgs scan_store_args(const ValueState& slice, int64_t number = 0);
Status run_scan_store(const void* args, uint32_t chunk) noexcept;

/// Whether slices lie on bytes of their own in the whole.
bool ends_with_a_byte(const ValueState& slice);

}  // namespace ge
