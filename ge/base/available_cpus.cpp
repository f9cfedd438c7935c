/// Formats: cgroups(7) and the kernel's cgroup-v1/cgroup-v2 documentation.
///  - /proc/self/cgroup has lines "hierarchy:controllers:path"; version 2 is hierarchy 0 with no controllers.
///  - version 2: "cpu.max" holds "<quota or max> <period>"; version 1: "cpu.cfs_quota_us" (-1: none) and
///    "cpu.cfs_period_us".
/// In a container the path may not exist below the mount; walking up to the mount's root finds the container's own group.
#include "ge/base/available_cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace ge {
namespace {

using Quota = std::optional<unsigned>;

Quota smaller(Quota a, Quota b) { return a && b ? std::min(*a, *b) : (a ? a : b); }

Quota whole_cpus(int64_t quota, int64_t period) {
  if (quota <= 0 || period <= 0) return std::nullopt;
  return static_cast<unsigned>(std::min<int64_t>((quota - 1) / period + 1, 1 << 16));
}

Quota read_version_1(const std::string& group) {
  int64_t quota = -1, period = -1;
  if (!(std::ifstream(group + "/cpu.cfs_quota_us") >> quota) || !(std::ifstream(group + "/cpu.cfs_period_us") >> period)) return std::nullopt;
  return whole_cpus(quota, period);
}

Quota read_version_2(const std::string& group) {
  std::ifstream file(group + "/cpu.max");
  int64_t quota = -1, period = -1;
  if (!(file >> quota >> period)) return std::nullopt;  // "max 100000", or no such file
  return whole_cpus(quota, period);
}

/// The smallest quota of `path` and all groups above it, below one mount point.
Quota walk_up(const std::string& mount, std::string path, Quota (*read)(const std::string&)) {
  Quota found = read(mount);
  while (!path.empty() && path != "/") {
    found = smaller(found, read(mount + path));
    path.erase(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'));
  }
  return found;
}

bool names_cpu(const std::string& controllers) {
  std::istringstream list(controllers);
  for (std::string name; std::getline(list, name, ',');)
    if (name == "cpu") return true;
  return false;
}

unsigned allowed_by_affinity() {
  // The kernel refuses a set smaller than its own mask, so grow it until it fits.
  for (size_t cpus = 1024; cpus <= size_t{1} << 20; cpus *= 4) {
    std::vector<cpu_set_t> set(CPU_ALLOC_SIZE(cpus) / sizeof(cpu_set_t));
    const size_t size_bytes = set.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, size_bytes, set.data()) == 0) return static_cast<unsigned>(CPU_COUNT_S(size_bytes, set.data()));
  }
  return std::thread::hardware_concurrency();
}

}  // namespace

std::optional<unsigned> cgroup_cpu_quota(const std::string& root) {
  Quota found;
  std::ifstream groups(root + "/proc/self/cgroup");
  const std::string mounts = root + "/sys/fs/cgroup";
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (controllers.empty()) {
      found = smaller(found, walk_up(mounts, path, read_version_2));
      found = smaller(found, walk_up(mounts + "/unified", path, read_version_2));  // both versions mounted
    } else if (names_cpu(controllers)) {
      found = smaller(found, walk_up(mounts + "/cpu", path, read_version_1));
      found = smaller(found, walk_up(mounts + "/" + controllers, path, read_version_1));
    }
  }
  return found;
}

unsigned available_cpus() {
  const unsigned affinity = std::max(1u, allowed_by_affinity());
  return std::min(affinity, cgroup_cpu_quota().value_or(affinity));
}

}  // namespace ge
