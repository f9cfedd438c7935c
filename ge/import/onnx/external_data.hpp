#pragma once
#include "ge/base/mapped_file.hpp"

#include <map>
#include <string>
#include <string_view>

namespace ge::onnx {

/// The files beside a model that hold its large tensors, each mapped once.
class ExternalData {
 public:
  /// `folder` "" : there is no folder, every access is refused.
  explicit ExternalData(std::string folder) : folder_(std::move(folder)) {}

  /// The mapped file at `location` (relative to the folder, '/' separated). Throws Error(invalid_model) when the
  /// location leads, or could lead, out of the folder: absolute, with a "..", through a symbolic link, or a file with
  /// several hard links. Throws Error(io) when the file cannot be read.
  std::shared_ptr<const MappedFile> file(std::string_view location);

 private:
  std::string folder_;
  std::map<std::string, std::shared_ptr<const MappedFile>, std::less<>> files_;
};

}  // namespace ge::onnx
