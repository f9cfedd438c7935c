#pragma once
#include "ge/executor/device/device.hpp"

#include <cstdint>
#include <unordered_map>

namespace ge {

/// Another device, of which all allocations together may hold `limit_bytes`: what max_memory means for an instance
/// (CR-10). One thread at a time allocates and releases; `inner` must outlive it.
class GE_API BudgetDevice final : public Device {
 public:
  BudgetDevice(Device& inner, int64_t limit_bytes) : inner_(inner), limit_bytes_(limit_bytes) {}

  std::string_view name() const noexcept override { return inner_.name(); }
  /// Throws Error(out_of_memory) with the sizes when the limit would be passed.
  std::byte* allocate(int64_t size_bytes) override;
  void release(std::byte* memory) noexcept override;
  void copy(std::byte* to, const std::byte* from, int64_t size_bytes) noexcept override { inner_.copy(to, from, size_bytes); }
  void fill(std::byte* to, int value, int64_t size_bytes) noexcept override { inner_.fill(to, value, size_bytes); }
  RunResult execute(const TaskList& list, const std::byte* args, const RunContext& context) noexcept override { return inner_.execute(list, args, context); }

  int64_t held_bytes() const noexcept { return held_bytes_; }

 private:
  Device& inner_;
  int64_t limit_bytes_;
  int64_t held_bytes_ = 0;
  std::unordered_map<std::byte*, int64_t> sizes_;
};

}  // namespace ge
