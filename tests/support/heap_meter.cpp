#include "support/heap_meter.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GE_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define GE_ADDRESS_SANITIZER 1
#endif

namespace {

// Constant initialisation: malloc is called before any constructor runs.
constinit std::atomic<int64_t> held{0}, peak{0};

[[maybe_unused]] void note(int64_t change) noexcept {
  const int64_t now = held.fetch_add(change, std::memory_order_relaxed) + change;
  int64_t most = peak.load(std::memory_order_relaxed);
  while (now > most && !peak.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
}

}  // namespace

#if defined(GE_ADDRESS_SANITIZER)

// From the sanitizers' allocator_interface.h, which GCC does not install.
extern "C" {
size_t __sanitizer_get_allocated_size(const volatile void* memory);
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, size_t), void (*on_free)(const volatile void*));
}

namespace {

void on_malloc(const volatile void*, size_t size) { note(static_cast<int64_t>(size)); }
void on_free(const volatile void* memory) {
  if (memory != nullptr) note(-static_cast<int64_t>(__sanitizer_get_allocated_size(memory)));
}
const int installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);

}  // namespace

#elif defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)
#include <malloc.h>

// glibc's own names of the allocator, kept for such replacements.
extern "C" {
void* __libc_malloc(size_t size) noexcept;
void* __libc_calloc(size_t count, size_t size) noexcept;
void* __libc_realloc(void* memory, size_t size) noexcept;
void* __libc_memalign(size_t alignment, size_t size) noexcept;
void __libc_free(void* memory) noexcept;
}

namespace {

void* taken(void* memory) noexcept {
  if (memory != nullptr) note(static_cast<int64_t>(malloc_usable_size(memory)));
  return memory;
}
void returned(void* memory) noexcept {
  if (memory != nullptr) note(-static_cast<int64_t>(malloc_usable_size(memory)));
}

}  // namespace

extern "C" {
#define GE_REPLACES __attribute__((visibility("default")))
GE_REPLACES void* malloc(size_t size) noexcept { return taken(__libc_malloc(size)); }
GE_REPLACES void* calloc(size_t count, size_t size) noexcept { return taken(__libc_calloc(count, size)); }
GE_REPLACES void* realloc(void* memory, size_t size) noexcept {
  const auto before = memory == nullptr ? 0 : static_cast<int64_t>(malloc_usable_size(memory));
  void* found = __libc_realloc(memory, size);
  if (found != nullptr || size == 0) note(-before);
  return taken(found);
}
GE_REPLACES void* memalign(size_t alignment, size_t size) noexcept { return taken(__libc_memalign(alignment, size)); }
GE_REPLACES void* aligned_alloc(size_t alignment, size_t size) noexcept { return taken(__libc_memalign(alignment, size)); }
GE_REPLACES int posix_memalign(void** memory, size_t alignment, size_t size) noexcept {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void* found = taken(__libc_memalign(alignment, size));
  if (found == nullptr) return ENOMEM;
  *memory = found;
  return 0;
}
GE_REPLACES void free(void* memory) noexcept {
  returned(memory);
  __libc_free(memory);
}
#undef GE_REPLACES
}
#endif

namespace ge::testing {

HeapMeter::HeapMeter() noexcept : start_(held.load(std::memory_order_relaxed)) { peak.store(start_, std::memory_order_relaxed); }
int64_t HeapMeter::peak_bytes() const noexcept { return peak.load(std::memory_order_relaxed) - start_; }
int64_t HeapMeter::held_bytes() const noexcept { return held.load(std::memory_order_relaxed) - start_; }

}  // namespace ge::testing
