#include "ge/executor/device/budget_device.hpp"

#include "ge/base/error.hpp"

#include <algorithm>
#include <string>

namespace ge {

std::byte* BudgetDevice::allocate(int64_t size_bytes) {
  const int64_t size = std::max<int64_t>(size_bytes, 0);
  if (size > limit_bytes_ - held_bytes_)
    throw Error(ErrorCode::out_of_memory, "this run needs " + std::to_string(size) + " bytes more for tensors and holds " + std::to_string(held_bytes_) + ", the limit is " +
                                              std::to_string(limit_bytes_) + "; raise max_memory or use smaller inputs");
  std::byte* memory = inner_.allocate(size_bytes);
  try {
    sizes_.emplace(memory, size);
  } catch (...) {
    inner_.release(memory);
    throw;
  }
  held_bytes_ += size;
  return memory;
}

void BudgetDevice::release(std::byte* memory) noexcept {
  if (const auto it = sizes_.find(memory); it != sizes_.end()) {
    held_bytes_ -= it->second;
    sizes_.erase(it);
  }
  inner_.release(memory);
}

}  // namespace ge
