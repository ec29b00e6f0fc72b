// SPDX-License-Identifier: Apache-2.0
#include "core/available_memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

#include "core/check.h"

namespace foldout {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// A file with one number; NaN if it does not exist or says "max".
double read_number(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : std::nan("");
}

// The value after a word, as in "inactive_file 4096"; 0 if there is none.
double find_number(const std::string& path, std::string_view word) {
  std::ifstream file(path);
  double value = 0;
  for (std::string next; file >> next;)
    if (next == word && file >> value) return value;
  return 0;
}

// Files that were read count as used, but make way.
double room_of(const std::string& group, const char* limit, const char* usage) {
  const double most = read_number(group + "/" + limit), used = read_number(group + "/" + usage);
  if (!std::isfinite(most) || !std::isfinite(used)) return kUnlimited;
  return std::max(0.0, most - used + find_number(group + "/memory.stat", "inactive_file"));
}

// In a container the path of the group may not exist below the mount; the mount itself is then the group.
double least_room(const std::string& mount, std::filesystem::path group, const char* limit, const char* usage) {
  double least = room_of(mount, limit, usage);
  for (; group.has_relative_path(); group = group.parent_path())
    least = std::min(least, room_of(mount + group.string(), limit, usage));
  return least;
}

}  // namespace

double control_group_room(const std::string& membership, const std::string& mount) {
  double least = room_of(mount, "memory.max", "memory.current");
  std::ifstream file(membership);
  for (std::string line; std::getline(file, line);) {  // "4:memory:/a/b" of version 1, "0::/a/b" of version 2
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    const std::string group = line.substr(second + 1);
    if (controllers == ",,")
      least = std::min(least, least_room(mount, group, "memory.max", "memory.current"));
    else if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, least_room(mount + "/memory", group, "memory.limit_in_bytes", "memory.usage_in_bytes"));
  }
  return least;
}

double address_space_room() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  const double pages = read_number("/proc/self/statm");
  const double used = std::isfinite(pages) ? pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) : 0;
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

double available_memory() {
  constexpr double kGuess = 8e9;  // conservative, if the system does not state it
  const double kilobytes = find_number("/proc/meminfo", "MemAvailable:");
  return std::min({kilobytes > 0 ? kilobytes * 1024 : kGuess, address_space_room(),
                   control_group_room("/proc/self/cgroup", "/sys/fs/cgroup")});
}

}  // namespace foldout
