// SPDX-License-Identifier: Apache-2.0
// Another program as a child process, with limits on its time and output: it may crash or loop.
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
  bool finished = false;  ///< it ended by itself, within its limits
  int exit_code = 0;      ///< if it finished
  std::string output;     ///< what it wrote to standard output
};

/// Runs a command to its end. It has nothing on standard input, and its standard error is dropped. A signal that is
/// handled here ends it. Throws IoError if it cannot be started.
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& command, const ChildLimits& limits);

}  // namespace foldout::cli
