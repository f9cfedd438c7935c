#pragma once
#include "ge/base/export.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace ge {

/// A whole file mapped for reading, unmapped when the last owner lets go: copy `owner` into whatever keeps views of
/// `bytes`. Pages are read from disk at first touch. Thread-safe to read. Who cuts the file short while it is mapped
/// gets SIGBUS at the lost pages; replace files by renaming a new one over them.
class GE_API MappedFile {
 public:
  /// Throws Error(io) with the path and the system's reason: no such file, no permission, not a regular file.
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  /// Maps the file of an open descriptor (left open); `path` is for messages.
  static std::shared_ptr<const MappedFile> from_descriptor(int descriptor, const std::string& path);

  MappedFile(const std::byte* data, size_t size) : bytes_(data, size) {}
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace ge
