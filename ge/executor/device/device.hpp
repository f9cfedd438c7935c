#pragma once
#include "ge/base/thread_pool.hpp"
#include "ge/kernels/task_list.hpp"

#include <atomic>
#include <memory>
#include <string_view>
#include <utility>

namespace ge {

/// How a task list ended: ok, or the status of the task that failed.
struct RunResult {
  Status status = Status::ok;
  uint32_t task = 0;
};

class Profile;

/// What a run of a task list needs beside its arguments.
struct RunContext {
  TaskRunner& runner;                       ///< runs the chunks of one task
  const std::atomic<bool>* cancel = nullptr;///< looked at before each task and each chunk; null: cannot be cancelled
  OutputAllocator* outputs = nullptr;       ///< for dynamic tasks
  Profile* profile = nullptr;               ///< gets a sample per task and chunk; null: nothing is measured
  uint32_t profile_segment = UINT32_MAX;    ///< the list's number there
};

/// Where kernels run: memory and execution of task lists. Thread-safe; must outlive what it allocated.
class GE_API Device {
 public:
  virtual ~Device() = default;
  virtual std::string_view name() const noexcept = 0;
  /// Memory aligned to 64, at least 64 bytes. Throws Error(out_of_memory) with the size.
  virtual std::byte* allocate(int64_t size_bytes) = 0;
  virtual void release(std::byte* memory) noexcept = 0;
  /// Copies between any two of: host memory, memory of this device.
  virtual void copy(std::byte* to, const std::byte* from, int64_t size_bytes) noexcept = 0;
  virtual void fill(std::byte* to, int value, int64_t size_bytes) noexcept = 0;
  /// Runs all tasks in order, following jumps; `args` is the list's argument block with all slots set. Waits for the
  /// end. Allocates nothing.
  virtual RunResult execute(const TaskList& list, const std::byte* args, const RunContext& context) noexcept = 0;
};

/// This machine's CPU; process-wide.
GE_API Device& cpu_device() noexcept;

/// A block of device memory that grows and never shrinks by itself; its content is lost when it grows.
class GE_API DeviceBuffer {
 public:
  explicit DeviceBuffer(Device& device) : device_(&device) {}
  ~DeviceBuffer() { reset(); }
  DeviceBuffer(DeviceBuffer&& other) noexcept : device_(other.device_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(device_, other.device_), std::swap(data_, other.data_), std::swap(size_, other.size_);
    return *this;
  }
  /// At least `size_bytes`, and never null: a zero-sized tensor has an address too.
  std::byte* reserve(int64_t size_bytes) {
    if (size_bytes > size_ || data_ == nullptr) {
      reset();
      data_ = device_->allocate(size_bytes);
      size_ = size_bytes;
    }
    return data_;
  }
  void reset() noexcept {
    if (data_ != nullptr) device_->release(data_);
    data_ = nullptr, size_ = 0;
  }
  std::byte* data() const noexcept { return data_; }
  int64_t size_bytes() const noexcept { return size_; }

 private:
  Device* device_;
  std::byte* data_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace ge
