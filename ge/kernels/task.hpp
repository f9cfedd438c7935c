#pragma once
#include "ge/base/dtype.hpp"
#include "ge/base/export.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace ge {

/// What a task returns. Anything but ok ends the run; the executor turns it into an Error that names the node.
enum class Status : uint32_t {
  ok = 0,
  cancelled,
  index_out_of_range,   ///< an index tensor points outside the data (Gather)
  division_by_zero,     ///< integer division or modulo by zero
  invalid_value,        ///< a runtime value is not allowed (a string that is no number, …)
  out_of_memory,
  size_mismatch,        ///< sizes known only now do not fit each other
};
GE_API const char* to_string(Status status) noexcept;

/// A task's code: a plain function over an argument block. `args` points to the struct that prepare() appended, with
/// its pointer slots filled; `chunk` is in [0, chunks). Chunks of one task may run at the same time on several threads
/// and must write disjoint bytes. Never throws, never allocates, never blocks.
using RunFn = Status (*)(const void* args, uint32_t chunk) noexcept;

/// Where a kernel whose output sizes depend on values gets its output memory. Not thread-safe.
class GE_API OutputAllocator {
 public:
  virtual ~OutputAllocator() = default;
  /// Memory for output `index` with these dims, aligned to 64; null when there is none left. Reports the dims.
  /// Once per output and run.
  virtual std::byte* allocate(size_t index, std::span<const int64_t> dims) noexcept = 0;
};

/// The second form: reads its inputs from `args`, finds the dims, asks for memory, writes. Runs as one chunk.
using DynamicRunFn = Status (*)(const void* args, OutputAllocator& outputs) noexcept;

/// Characters of the strings that a run makes. Owned by the running instance, cleared when its next run starts; chunks
/// of one task may add at the same time.
class GE_API StringPool {
 public:
  virtual ~StringPool() = default;
  /// Memory for a string of `size` bytes, to be filled by the caller, that lives until the instance's next run; null when
  /// memory is gone.
  virtual char* room(size_t size) noexcept = 0;
  /// A copy of `text` that lives as long; data is null when memory is gone.
  StringRef add(std::string_view text) noexcept {
    char* copy = room(text.size());
    if (copy == nullptr) return {nullptr, 0};
    if (!text.empty()) std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }
};

}  // namespace ge
