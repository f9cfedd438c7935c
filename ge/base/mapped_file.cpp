#include "ge/base/mapped_file.hpp"

#include "ge/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ge {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::io, "cannot read file '" + path + "': " + why);
}

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: opening a named pipe that nobody writes must not hang; it is refused as no regular file below.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) refuse(path, std::strerror(errno));
  return from_descriptor(file.fd, path);
}

std::shared_ptr<const MappedFile> MappedFile::from_descriptor(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) refuse(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse(path, "it is a folder, expected a file");
  if (!S_ISREG(status.st_mode)) refuse(path, "it is not a regular file");
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) return std::make_shared<const MappedFile>(nullptr, 0);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED) refuse(path, std::string("mapping it failed: ") + std::strerror(errno));
  return std::make_shared<const MappedFile>(static_cast<const std::byte*>(data), size);
}

}  // namespace ge
