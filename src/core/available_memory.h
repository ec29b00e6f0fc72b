// SPDX-License-Identifier: Apache-2.0
// Private: the limits that available_memory() (core/check.h) respects.
#pragma once

#include <string>

namespace foldout {

/// What the control groups of a process leave to it: the least over its group and all above it, of version 1 and 2.
/// `membership`: /proc/self/cgroup; `mount`: /sys/fs/cgroup. Infinite where there is no limit.
[[nodiscard]] double control_group_room(const std::string& membership, const std::string& mount);

/// What the limit of the address space leaves to this process. Infinite where there is no limit.
[[nodiscard]] double address_space_room();

}  // namespace foldout
