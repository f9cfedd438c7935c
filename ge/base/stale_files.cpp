#include "ge/base/stale_files.hpp"

#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
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
  DIR* entries = ::opendir(folder.c_str());
  if (entries == nullptr) return;
  while (const dirent* entry = ::readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with(temporary_prefix) || !name.ends_with(temporary_suffix)) continue;
    try {
      remove_if_unlocked(folder + "/" + std::string(name));
    } catch (...) {  // no memory for the path: the file stays
    }
  }
  ::closedir(entries);
}

}  // namespace ge
