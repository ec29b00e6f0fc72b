// SPDX-License-Identifier: Apache-2.0
#include "foldout/progress_bar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace foldout::cli {
namespace {

using namespace std::chrono_literals;

// How often the bar is drawn, and what is on the screen at the end.
struct Screen {
  std::ptrdiff_t draws;
  std::string last_line;
};

Screen screen_of(const auto& work) {
  testing::internal::CaptureStderr();
  work();
  const std::string text = testing::internal::GetCapturedStderr();
  const auto start = text.rfind("\033[K");
  return {std::ranges::count(text, '['), start == std::string::npos ? text : text.substr(start + 3)};
}

TEST(ProgressBar, MovesWhileTheWorkReportsNothing) {
  ProgressBar bar;
  const Screen screen = screen_of([&] {
    bar.show({"eigenvectors", 0.5});
    std::this_thread::sleep_for(2s);  // one call of LAPACK
  });
  EXPECT_GE(screen.draws, 2 * 3);  // two brackets each: of the escape sequence and of the bar
  EXPECT_TRUE(screen.last_line.starts_with("eigenvectors")) << screen.last_line;
  EXPECT_TRUE(screen.last_line.find(" 50 %") != std::string::npos) << screen.last_line;
}

TEST(ProgressBar, IsNotDrawnForShortWorkNorAfterItsEnd) {
  ProgressBar bar;
  const Screen screen = screen_of([&] {
    bar.show({"graph", 0});
    bar.clear();
    std::this_thread::sleep_for(1s);
  });
  EXPECT_EQ(screen.draws, 0);
}

TEST(ProgressBar, LeavesAnEmptyLine) {
  ProgressBar bar;
  const Screen screen = screen_of([&] {
    bar.show({"graph", 0});
    std::this_thread::sleep_for(400ms);
    bar.show({"graph", 0.7});
    bar.clear();
  });
  EXPECT_GT(screen.draws, 0);
  EXPECT_EQ(screen.last_line, "");
}

}  // namespace
}  // namespace foldout::cli
