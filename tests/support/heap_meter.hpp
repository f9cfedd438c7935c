#pragma once
#include <cstdint>

namespace ge::testing {

/// Counts the heap of the whole test program, all threads: what malloc and its kin hand out, mapped files not included.
/// Works in plain builds (it stands in front of malloc) and under AddressSanitizer (through its hooks).
class HeapMeter {
 public:
  /// Starts a new measure: forgets the peak so far.
  HeapMeter() noexcept;
  /// The most bytes that were held at one time since the start, less what was held at the start.
  int64_t peak_bytes() const noexcept;
  /// What is held now, less what was held at the start.
  int64_t held_bytes() const noexcept;

 private:
  int64_t start_;
};

}  // namespace ge::testing
