#pragma once
#include "ge/kernels/task.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace ge {

/// The StringPool of one instance: characters in blocks that are reused by the next run. Thread-safe.
class GE_API StringArena final : public StringPool {
 public:
  char* room(size_t bytes) noexcept override;
  /// Forgets all strings, keeps the memory. No task may be running.
  void clear() noexcept;

 private:
  struct Block {
    std::unique_ptr<char[]> memory;
    size_t size = 0, used = 0;
  };
  std::mutex mutex_;
  std::vector<Block> blocks_;
  size_t current_ = 0;
};

}  // namespace ge
