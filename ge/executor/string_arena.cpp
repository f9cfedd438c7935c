#include "ge/executor/string_arena.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace ge {

StringRef StringArena::add(std::string_view text) noexcept {
  std::lock_guard lock(mutex_);
  while (current_ < blocks_.size() && blocks_[current_].size - blocks_[current_].used < text.size()) ++current_;
  if (current_ == blocks_.size()) {
    try {
      const size_t size = std::max<size_t>(text.size(), 64 * 1024);
      blocks_.push_back({std::make_unique<char[]>(size), size, 0});
    } catch (const std::bad_alloc&) {
      return {nullptr, 0};
    }
  }
  Block& block = blocks_[current_];
  char* to = block.memory.get() + block.used;
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  block.used += text.size();
  return {to, text.size()};
}

void StringArena::clear() noexcept {
  for (Block& block : blocks_) block.used = 0;
  current_ = 0;
}

}  // namespace ge
