#pragma once
#include <string>

namespace ge {

/// How temporary files of ReplaceFile are named: ".ge-new-PID-N.tmp". Their writer holds an exclusive flock on them, which the
/// system lets go when it dies.
inline constexpr const char* temporary_prefix = ".ge-new-";
inline constexpr const char* temporary_suffix = ".tmp";

/// Removes the temporary files in a folder whose writers are dead. What cannot be looked at, locked or removed
/// stays; never throws. Safe beside other writers and other removers, in this process and others.
void remove_stale_temporaries(const std::string& folder) noexcept;

/// Whether the open file is still what `path` names.
bool names_file(const std::string& path, int descriptor) noexcept;

}  // namespace ge
