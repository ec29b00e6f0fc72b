// SPDX-License-Identifier: Apache-2.0
// A bar on standard error with the phase and the remaining time. It moves also while the work is inside one long call,
// such as a dense eigenproblem, which reports nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "foldout/core/context.h"

namespace foldout::cli {

class ProgressBar {
 public:
  void show(const Progress& progress);
  /// Removes the bar from the screen.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void start_clock();
  void redraw_at_intervals(const std::stop_token& stop);
  void draw(Clock::time_point now);

  std::mutex mutex_;
  std::condition_variable_any stopped_;
  Progress last_;
  Clock::time_point phase_start_;
  Clock::time_point last_shown_;
  bool running_ = false;
  bool visible_ = false;
  std::jthread clock_;  // the last member: it uses the others
};

}  // namespace foldout::cli
