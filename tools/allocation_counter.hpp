#pragma once
#include <cstdint>
#include <optional>

namespace ge::tools {

/// Counts the allocations of all threads (malloc family, and so operator new) from construction to taken(). One at a
/// time. The counting replaces the C library's functions in this program alone, not in the libraries' other users; it
/// exists for glibc, and not under a sanitizer, which replaces them itself.
class AllocationCount {
 public:
  AllocationCount() noexcept;
  ~AllocationCount();
  AllocationCount(const AllocationCount&) = delete;
  AllocationCount& operator=(const AllocationCount&) = delete;

  /// nullopt where allocations cannot be counted.
  std::optional<uint64_t> taken() const noexcept;
};

}  // namespace ge::tools
