#include "ge/executor/string_arena.hpp"

#include <algorithm>
#include <new>

namespace ge {

char* StringArena::room(size_t bytes) noexcept {
  std::lock_guard lock(mutex_);
  while (current_ < blocks_.size() && blocks_[current_].size - blocks_[current_].used < bytes) ++current_;
  if (current_ == blocks_.size()) {
    try {
      const size_t size = std::max<size_t>(bytes, 64 * 1024);
      blocks_.push_back({std::make_unique<char[]>(size), size, 0});
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  Block& block = blocks_[current_];
  char* to = block.memory.get() + block.used;
  block.used += bytes;
  return to;
}

void StringArena::clear() noexcept {
  for (Block& block : blocks_) block.used = 0;
  current_ = 0;
}

}  // namespace ge
