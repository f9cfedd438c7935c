#pragma once
#include "ge/base/error.hpp"

#include <cstddef>
#include <string>

namespace ge::json {

/// Counts what reading a text makes the program allocate, so that a small text cannot become a large graph.
class MemoryBudget {
 public:
  explicit MemoryBudget(size_t limit) : limit_(limit) {}
  /// Before the memory is taken. Throws Error(out_of_memory) when the limit is passed.
  void add(size_t bytes) {
    if (bytes > limit_ - used_)
      throw Error(ErrorCode::out_of_memory, "the JSON text would need more than its limit of " + std::to_string(limit_) +
                                                " bytes of memory (4 × its size + 64 MiB, and what --max_memory allows)");
    used_ += bytes;
  }
  void release(size_t bytes) { used_ -= bytes; }
  size_t used() const { return used_; }

 private:
  size_t limit_;
  size_t used_ = 0;
};

}  // namespace ge::json
