#pragma once
#include "ge/base/export.hpp"

#include <optional>
#include <string>

namespace ge {

/// The CPU quota of this process's control groups (version 1 or 2, the smallest of the group and all above it), rounded
/// up to whole CPUs; nullopt where nothing limits it. `root` is put before "/proc" and "/sys".
GE_API std::optional<unsigned> cgroup_cpu_quota(const std::string& root = "");

/// min(CPUs this process may be scheduled on, cgroup_cpu_quota()), at least 1.
GE_API unsigned available_cpus();

}  // namespace ge
