// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "foldout/core/error.h"
#include "support/errors.h"

namespace foldout {
namespace {

TEST(ParallelFor, RunsEachIndexOnce) {
  for (const int threads : {0, 1, 2, 5, 64})
    for (const Index n : {1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(n));
      parallel_for(n, {.n_threads = threads}, [&](Index i) { ++runs[static_cast<std::size_t>(i)]; });
      for (const auto& count : runs) ASSERT_EQ(count, 1);
    }
}

TEST(ParallelFor, DoesNothingForNothing) {
  for (const Index n : {0, -1})
    parallel_for(
        n, {.n_threads = 2}, [](Index) { FAIL(); }, "phase");
  parallel_blocks(0, 10, {.n_threads = 2}, [](Index, Index) { FAIL(); });
}

TEST(ParallelFor, RethrowsTheFirstError) {
  for (const int threads : {1, 2, 4}) {
    std::atomic<int> runs = 0;
    const auto text = message_of<InvalidArgument>([&] {
      parallel_for(100000, {.n_threads = threads}, [&](Index i) {
        ++runs;
        if (i == 3) throw InvalidArgument("index three");
      });
    });
    EXPECT_EQ(text, "index three");
    EXPECT_LT(runs, 100000);
  }
}

TEST(ParallelFor, IsCancelledThroughProgress) {
  for (const int threads : {1, 2}) {
    std::atomic<int> runs = 0;
    const RunContext context{.n_threads = threads, .progress = [](const Progress& p) { return p.fraction < 0.1; }};
    EXPECT_THROW(parallel_for(
                     100000, context, [&](Index) { ++runs; }, "phase"),
                 Cancelled);
    if (threads == 1) {
      EXPECT_LT(runs, 20000);
    }
  }
}

TEST(ParallelFor, ReportsItsPhaseOnTheCallingThread) {
  const auto caller = std::this_thread::get_id();
  std::vector<Progress> reported;
  const RunContext context{.n_threads = 2, .progress = [&](const Progress& p) {
                             EXPECT_EQ(std::this_thread::get_id(), caller);
                             reported.push_back(p);
                             return true;
                           }};
  parallel_for(
      500, context, [](Index) {}, "sorting");
  ASSERT_FALSE(reported.empty());
  EXPECT_EQ(reported.back().phase, "sorting");
  EXPECT_EQ(reported.back().fraction, 1);
  for (std::size_t i = 1; i < reported.size(); ++i) EXPECT_LE(reported[i - 1].fraction, reported[i].fraction);
  reported.clear();
  parallel_for(500, context, [](Index) {});
  EXPECT_TRUE(reported.empty());
}

TEST(ParallelFor, RethrowsErrorsOfTheProgressCallback) {
  const RunContext context{.progress = [](const Progress&) -> bool { throw std::runtime_error("watcher"); }};
  EXPECT_THROW(parallel_for(
                   10, context, [](Index) {}, "phase"),
               std::runtime_error);
}

TEST(ParallelFor, CanBeNested) {
  std::atomic<int> runs = 0;
  const RunContext context{.n_threads = 3};
  parallel_for(7, context, [&](Index) {
    parallel_for(11, context, [&](Index) { parallel_for(5, context, [&](Index) { ++runs; }); });
  });
  EXPECT_EQ(runs, 7 * 11 * 5);
}

TEST(ParallelFor, RethrowsErrorsOfNestedCalls) {
  const RunContext context{.n_threads = 3};
  const auto nested = [&](Index i) {
    parallel_for(100, context, [&](Index j) {
      if (i == 1 && j == 50) throw InvalidArgument("inner");
    });
  };
  for (int repeat = 0; repeat < 100; ++repeat)
    EXPECT_EQ(message_of<InvalidArgument>([&] { parallel_for(3, context, nested); }), "inner");
}

TEST(ParallelFor, ServesSeveralCallersAtOnce) {
  std::vector<std::atomic<int>> runs(5);
  {
    std::vector<std::jthread> callers;
    for (std::size_t c = 0; c < runs.size(); ++c)
      callers.emplace_back([&, c] {
        for (int repeat = 0; repeat < 200; ++repeat) parallel_for(9, {.n_threads = 3}, [&](Index) { ++runs[c]; });
      });
  }
  for (const auto& count : runs) EXPECT_EQ(count, 200 * 9);
}

// An index waits until another one has begun: both are at work at the same time.
TEST(ParallelFor, RunsOnSeveralThreadsAtOnce) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::atomic<int> begun = 0;
    parallel_for(4, {.n_threads = 4}, [&](Index) {
      ++begun;
      while (begun < 4) std::this_thread::yield();
    });
    EXPECT_EQ(begun, 4);
  }
}

#ifndef __SANITIZE_THREAD__  // which does not allow threads after a fork
// In the child of a fork the threads of its parent do not exist; the loop starts its own.
TEST(ParallelFor, WorksInTheChildOfAFork) {
  const auto sum = [] {
    std::atomic<Index> total = 0;
    parallel_for(100, {.n_threads = 4}, [&](Index i) { total += i; });
    return total.load();
  };
  EXPECT_EQ(sum(), 4950);
  const pid_t child = fork();
  if (child == 0) std::exit(sum() == 4950 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(sum(), 4950);
}
#endif

TEST(ParallelBlocks, CoverTheRangeInFixedPieces) {
  for (const int threads : {1, 3}) {
    std::vector<std::pair<Index, Index>> blocks(4);
    parallel_blocks(70, 20, {.n_threads = threads}, [&](Index begin, Index end) {
      blocks[static_cast<std::size_t>(begin / 20)] = {begin, end};
    });
    EXPECT_EQ(blocks, (std::vector<std::pair<Index, Index>>{{0, 20}, {20, 40}, {40, 60}, {60, 70}}));
  }
}

TEST(RunContext, ResolvesAllCores) {
  EXPECT_GE(RunContext{.n_threads = 0}.threads(), 1);
  EXPECT_EQ(RunContext{.n_threads = 3}.threads(), 3);
}

}  // namespace
}  // namespace foldout
