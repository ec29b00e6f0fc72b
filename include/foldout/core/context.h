// SPDX-License-Identifier: Apache-2.0
// How a call runs: how many threads, who watches, how much memory. It never changes a result.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] foldout {

struct Progress {
  std::string phase;    ///< what is being done: "neighbors", "eigenvectors", …
  double fraction = 0;  ///< of this phase, from 0 to 1
};

/// Called now and then from the calling thread; returning false cancels (the call throws Cancelled).
using ProgressCallback = std::function<bool(const Progress&)>;

struct RunContext {
  int n_threads = 1;               ///< 1 … ; 0 means all cores. Results are the same bits for any number.
  ProgressCallback progress = {};  ///< may be empty
  double memory_limit = 0;         ///< bytes a single table may take; 0 means what the machine has free

  /// Tells the watcher; throws Cancelled if it says stop.
  void tick(std::string_view phase, double fraction) const;
  /// n_threads with 0 resolved.
  [[nodiscard]] int threads() const;
};

}  // namespace foldout
