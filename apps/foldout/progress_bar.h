// SPDX-License-Identifier: Apache-2.0
// A bar on standard error with the phase and the remaining time.
#pragma once

#include <chrono>
#include <string>

#include "foldout/core/context.h"

namespace foldout::cli {

class ProgressBar {
 public:
  void show(const Progress& progress);
  /// Removes the bar from the screen.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string phase_;
  Clock::time_point phase_start_;
  Clock::time_point last_shown_;
  bool visible_ = false;
};

}  // namespace foldout::cli
