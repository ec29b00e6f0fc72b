// SPDX-License-Identifier: Apache-2.0
// How a call runs: threads, progress and cancellation, memory. It never changes a result.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] foldout {

class SharedWork;

struct Progress {
  std::string phase;    ///< what is being done: "neighbors", "eigenvectors", …
  double fraction = 0;  ///< of this phase, from 0 to 1
};

/// Called at intervals on the calling thread; returning false cancels (the call throws Cancelled).
using ProgressCallback = std::function<bool(const Progress&)>;

struct RunContext {
  int n_threads = 1;               ///< 0: all cores. Results do not depend on it, bit for bit.
  ProgressCallback progress = {};  ///< may be empty
  double memory_limit = 0;         ///< bytes that a single table may take; 0: the available memory
  SharedWork* shared = nullptr;    ///< private to foldout-mpi: other processes that take part in the work

  /// Calls `progress`; throws Cancelled if it returns false.
  void tick(std::string_view phase, double fraction) const;
  /// n_threads with 0 resolved.
  [[nodiscard]] int threads() const;
};

}  // namespace foldout
