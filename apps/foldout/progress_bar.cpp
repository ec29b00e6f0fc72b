// SPDX-License-Identifier: Apache-2.0
#include "progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <system_error>

namespace foldout::cli {
namespace {

constexpr int kWidth = 30;
constexpr std::chrono::milliseconds kBeforeShown{300}, kBetween{80}, kTick{250};

}  // namespace

void ProgressBar::show(const Progress& progress) {
  const std::scoped_lock lock(mutex_);
  const auto now = Clock::now();
  if (!running_ || progress.phase != last_.phase) phase_start_ = now;
  last_ = progress;
  running_ = true;
  if (!clock_.joinable()) start_clock();
  if (now - phase_start_ >= kBeforeShown && now - last_shown_ >= kBetween) draw(now);  // short work needs no bar
}

void ProgressBar::clear() {
  const std::scoped_lock lock(mutex_);
  if (visible_) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  running_ = visible_ = false;
}

// Signals are for the main thread, whose reads they interrupt.
void ProgressBar::start_clock() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    clock_ = std::jthread([this](const std::stop_token& stop) { redraw_at_intervals(stop); });
  } catch (const std::system_error&) {  // no further thread: the bar moves when the work reports
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ProgressBar::redraw_at_intervals(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, stop, kTick, [&] { return stop.stop_requested(); })) {
    const auto now = Clock::now();
    if (running_ && now - phase_start_ >= kBeforeShown && now - last_shown_ >= kTick) draw(now);
  }
}

void ProgressBar::draw(Clock::time_point now) {
  last_shown_ = now;
  visible_ = true;
  const double fraction = std::clamp(last_.fraction, 0.0, 1.0);
  const double seconds = std::chrono::duration<double>(now - phase_start_).count();
  const std::string bar(static_cast<std::size_t>(fraction * kWidth), '#');
  const std::string left =
      fraction > 0.01 ? fmt::format(", {:.0f} s left", seconds / fraction * (1 - fraction)) : std::string();
  fmt::print(stderr, "\r\033[K{:<24} [{:<{}}] {:3.0f} %  {:.1f} s{}", last_.phase, bar, kWidth, fraction * 100, seconds,
             left);
  std::fflush(stderr);
}

}  // namespace foldout::cli
