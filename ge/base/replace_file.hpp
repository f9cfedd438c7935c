#pragma once
#include "ge/base/export.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ge {

/// Writes a file that appears under its name all at once: into a temporary file in the same folder, which commit()
/// syncs and renames over `path`. Without commit() the temporary file is removed; what a killed writer left in the
/// folder is removed by the next one. Throws Error(io).
class GE_API ReplaceFile {
 public:
  explicit ReplaceFile(std::string path);
  ~ReplaceFile();
  ReplaceFile(const ReplaceFile&) = delete;
  ReplaceFile& operator=(const ReplaceFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  bool create();
  void flush();
  void write_out(std::span<const std::byte> bytes);
  [[noreturn]] void fail(const char* doing) const;

  std::string path_, folder_, temporary_;
  std::vector<std::byte> buffer_;
  int descriptor_ = -1;
};

}  // namespace ge
