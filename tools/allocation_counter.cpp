#include "tools/allocation_counter.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define GE_SANITIZED 1
#endif
#endif
#if defined(__GLIBC__) && !defined(GE_SANITIZED) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GE_COUNT_ALLOCATIONS 1
#endif

namespace {

// Constant initialisation: malloc is called before any constructor runs.
[[maybe_unused]] constinit std::atomic<bool> counting{false};
constinit std::atomic<uint64_t> allocations{0};

[[maybe_unused]] void note_allocation() noexcept {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

#ifdef GE_COUNT_ALLOCATIONS
// glibc's own names of the allocator, kept for such replacements. Memory from them goes back through the normal free().
extern "C" {
void* __libc_malloc(size_t size) noexcept;
void* __libc_calloc(size_t count, size_t size) noexcept;
void* __libc_realloc(void* memory, size_t size) noexcept;
void* __libc_memalign(size_t alignment, size_t size) noexcept;

#define GE_REPLACES __attribute__((visibility("default")))
GE_REPLACES void* malloc(size_t size) noexcept { return note_allocation(), __libc_malloc(size); }
GE_REPLACES void* calloc(size_t count, size_t size) noexcept { return note_allocation(), __libc_calloc(count, size); }
GE_REPLACES void* realloc(void* memory, size_t size) noexcept { return note_allocation(), __libc_realloc(memory, size); }
GE_REPLACES void* memalign(size_t alignment, size_t size) noexcept { return note_allocation(), __libc_memalign(alignment, size); }
GE_REPLACES void* aligned_alloc(size_t alignment, size_t size) noexcept { return note_allocation(), __libc_memalign(alignment, size); }
GE_REPLACES int posix_memalign(void** memory, size_t alignment, size_t size) noexcept {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  note_allocation();
  void* found = __libc_memalign(alignment, size);
  if (found == nullptr) return ENOMEM;
  *memory = found;
  return 0;
}
#undef GE_REPLACES
}
#endif

namespace ge::tools {

AllocationCount::AllocationCount() noexcept {
  allocations.store(0, std::memory_order_relaxed);
  counting.store(true, std::memory_order_relaxed);
}

AllocationCount::~AllocationCount() { counting.store(false, std::memory_order_relaxed); }

std::optional<uint64_t> AllocationCount::taken() const noexcept {
#ifdef GE_COUNT_ALLOCATIONS
  return allocations.load(std::memory_order_relaxed);
#else
  return std::nullopt;
#endif
}

}  // namespace ge::tools
