// SPDX-License-Identifier: Apache-2.0
// Runs code that may crash on damaged input in a child process, and brings its answer back.
#pragma once

#include <functional>
#include <string>

namespace foldout {

/// Appends pieces of the answer, in the child.
using SendPiece = std::function<void(const void* data, std::size_t size)>;

struct IsolatedLimits {
  double seconds = 0;           ///< of processor time
  std::size_t answer_size = 0;  ///< bytes
};

/// The bytes that `work` sent. What `work` throws as std::exception, a crash, and an exceeded limit become
/// IoError with `name` in front. The child sees no standard output or error.
[[nodiscard]] std::string run_isolated(const std::function<void(const SendPiece&)>& work, const IsolatedLimits& limits,
                                       const std::string& name);

}  // namespace foldout
