#include "ge/base/stale_files.hpp"

#include <fcntl.h>
#include <filesystem>
#include <new>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ge {
namespace {

/// Under the lock the name cannot come to mean another file: only the file's writer, who is dead, or another remover,
/// who waits for this lock, would take it away.
void remove_if_unlocked(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  const bool ours = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (ours && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && names_file(path, descriptor)) ::unlink(path.c_str());
  ::close(descriptor);
}

}  // namespace

bool names_file(const std::string& path, int descriptor) noexcept {
  struct stat named {}, open {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 && named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

void remove_stale_temporaries(const std::string& folder) noexcept {
  try {
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with(temporary_prefix) && name.ends_with(temporary_suffix)) remove_if_unlocked(entry->path().string());
    }
  } catch (const std::bad_alloc&) {  // no memory for a path: the files stay
  }
}

}  // namespace ge
