// SPDX-License-Identifier: Apache-2.0
// A program as a child process, with limits on its time and output, because it may crash or loop.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace foldout::cli {

struct ChildLimits {
  double cpu_seconds = 0;
  std::size_t output_bytes = 0;
};

struct ChildResult {
  bool finished = false;  ///< it exited by itself, within its limits
  int exit_code = 0;      ///< if it finished
  std::string output;     ///< what it wrote to standard output
};

/// Runs a command to its end, with empty standard input and without its standard error. A signal that this process
/// handles terminates it. Throws IoError if it cannot be started.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& command, const ChildLimits& limits);

}  // namespace foldout::cli
