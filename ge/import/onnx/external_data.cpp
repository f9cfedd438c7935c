#include "ge/import/onnx/external_data.hpp"

#include "ge/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace ge::onnx {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  void reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void refuse(std::string_view location, const std::string& why) {
  throw Error(ErrorCode::invalid_model, "external data location '" + std::string(location.substr(0, location.find('\0'))) + "' " + why +
                                            "; external data must be a plain file inside the model's folder");
}

/// The location's parts, checked.
std::vector<std::string> parts_of(std::string_view location) {
  if (location.empty()) refuse(location, "is empty");
  if (location.front() == '/') refuse(location, "is an absolute path");
  if (location.find('\\') != std::string_view::npos) refuse(location, "has a backslash");
  if (location.find('\0') != std::string_view::npos) refuse(location, "has a zero byte");
  std::vector<std::string> parts;
  while (!location.empty()) {
    const size_t slash = location.find('/');
    const std::string_view part = location.substr(0, slash);
    if (part == "..") refuse(location, "has a '..'");
    if (!part.empty() && part != ".") parts.emplace_back(part);
    location = slash == std::string_view::npos ? std::string_view() : location.substr(slash + 1);
  }
  if (parts.empty()) refuse(location, "names no file");
  return parts;
}

}  // namespace

// Each part is opened relative to the one before without following links, so nothing can be swapped between a check
// and its use.
std::shared_ptr<const MappedFile> ExternalData::file(std::string_view location) {
  if (const auto known = files_.find(location); known != files_.end()) return known->second;
  const std::vector<std::string> parts = parts_of(location);
  if (folder_.empty()) refuse(location, "cannot be looked for: this model was read from memory, without a folder");

  Descriptor at(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (at.get() < 0) throw Error(ErrorCode::io, "cannot open the model's folder '" + folder_ + "': " + std::strerror(errno));
  for (size_t i = 0; i < parts.size(); ++i) {
    const int kind = i + 1 < parts.size() ? O_DIRECTORY : O_NONBLOCK;
    const int next = ::openat(at.get(), parts[i].c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
    const int reason = errno;
    struct stat status {};
    if (next < 0 && ::fstatat(at.get(), parts[i].c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode))
      refuse(location, "goes through the symbolic link '" + parts[i] + "'");
    if (next < 0)
      throw Error(ErrorCode::io, "cannot read external data '" + std::string(location) + "' in '" + folder_ + "': " + std::strerror(reason));
    at.reset(next);
  }
  struct stat status {};
  if (::fstat(at.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink > 1)
    refuse(location, "has " + std::to_string(status.st_nlink) + " hard links (copy the file to give it one)");
  auto file = MappedFile::from_descriptor(at.get(), folder_ + "/" + std::string(location));
  files_.emplace(location, file);
  return file;
}

}  // namespace ge::onnx
