#include "ge/base/replace_file.hpp"

#include "ge/base/error.hpp"
#include "ge/base/stale_files.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace ge {
namespace {

constexpr size_t buffer_bytes = size_t{1} << 20;
constexpr size_t most_at_once = size_t{1} << 30;  // Linux writes at most 2^31 - 4096 bytes a call

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

ReplaceFile::ReplaceFile(std::string path) : path_(std::move(path)), folder_(folder_of(path_)) {
  remove_stale_temporaries(folder_);
  while (!create()) {
  }
}

/// False when another name is to be tried. The lock says that the writer lives; a remover that came between opening and
/// locking has taken the name away.
bool ReplaceFile::create() {
  static std::atomic<unsigned> counter{0};
  temporary_ = folder_ + "/" + temporary_prefix + std::to_string(::getpid()) + "-" + std::to_string(counter++) + temporary_suffix;
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0 && errno == EEXIST) return false;  // of a living process with this number, in another container
  if (descriptor_ < 0) fail("creating a temporary file beside it");
  while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
  if (names_file(temporary_, descriptor_)) return true;
  ::close(descriptor_);
  return false;
}

ReplaceFile::~ReplaceFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void ReplaceFile::fail(const char* doing) const {
  throw Error(ErrorCode::io, "cannot write '" + path_ + "': " + doing + " failed: " + std::strerror(errno));
}

void ReplaceFile::write(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > buffer_bytes) flush();
  if (bytes.size() >= buffer_bytes) return write_out(bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void ReplaceFile::flush() {
  write_out(buffer_);
  buffer_.clear();
}

void ReplaceFile::write_out(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), most_at_once));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("writing");
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

void ReplaceFile::commit() {
  flush();
  if (::fsync(descriptor_) != 0) fail("syncing");
  // Closed only under its last name: until then the lock keeps others from taking it for a dead writer's.
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("renaming the temporary file");
  temporary_.clear();
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail("closing");
  // The new name must survive a power failure too. Some file systems cannot sync a folder and say EINVAL.
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail("opening its folder to sync it");
  const int synced = ::fsync(folder);
  const int reason = errno;
  ::close(folder);
  errno = reason;
  if (synced != 0 && errno != EINVAL) fail("syncing its folder");
}

}  // namespace ge
