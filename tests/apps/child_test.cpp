// SPDX-License-Identifier: Apache-2.0
#include "foldout/child.h"

#include <gtest/gtest.h>

#include <chrono>

#include "foldout/core/error.h"

namespace foldout::cli {
namespace {

ChildResult shell(const std::string& script, const ChildLimits& limits = {.cpu_seconds = 10, .output_bytes = 1 << 20}) {
  return run_child({"/bin/sh", "-c", script}, limits);
}

TEST(Child, ReturnsOutputAndExitCode) {
  const ChildResult done = shell("echo hello; echo lost >&2; cat; exit 3");
  EXPECT_TRUE(done.finished);
  EXPECT_EQ(done.exit_code, 3);
  EXPECT_EQ(done.output, "hello\n");
}

TEST(Child, MayCrash) { EXPECT_FALSE(shell("echo some; kill -SEGV $$").finished); }

TEST(Child, IsKilledIfItWritesTooMuch) {
  EXPECT_FALSE(shell("while :; do echo more and more; done").finished);
  EXPECT_TRUE(shell("printf 1234567890", {.cpu_seconds = 10, .output_bytes = 10}).finished);
  EXPECT_FALSE(shell("printf 12345678901", {.cpu_seconds = 10, .output_bytes = 10}).finished);
}

TEST(Child, IsKilledIfItTakesTooLong) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(shell("while :; do :; done", {.cpu_seconds = 0, .output_bytes = 10}).finished);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(Child, NamesACommandThatCannotBeStarted) {
  try {
    (void)run_child({"/no/such/command"}, {});
    FAIL() << "nothing was thrown";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("/no/such/command"), std::string::npos);
  }
}

}  // namespace
}  // namespace foldout::cli
