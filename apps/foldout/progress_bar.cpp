// SPDX-License-Identifier: Apache-2.0
#include "progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace foldout::cli {
namespace {

constexpr int kWidth = 30;
constexpr std::chrono::milliseconds kBeforeShown{300}, kBetween{80};

}  // namespace

void ProgressBar::show(const Progress& progress) {
  const auto now = Clock::now();
  if (progress.phase != phase_) {
    phase_ = progress.phase;
    phase_start_ = now;
  }
  const auto elapsed = now - phase_start_;
  if (elapsed < kBeforeShown || now - last_shown_ < kBetween) return;  // short work needs no bar
  last_shown_ = now;
  visible_ = true;
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const double seconds = std::chrono::duration<double>(elapsed).count();
  const int filled = static_cast<int>(fraction * kWidth);
  const std::string remaining = fraction > 0.01 ? fmt::format("{:.0f} s left", seconds / fraction * (1 - fraction))
                                                : fmt::format("{:.0f} s", seconds);
  const std::string bar(static_cast<std::size_t>(filled), '#');
  fmt::print(stderr, "\r\033[K{:<24} [{:<{}}] {:3.0f} %  {}", phase_, bar, kWidth, fraction * 100, remaining);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (visible_) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace foldout::cli
