// SPDX-License-Identifier: Apache-2.0
// Properties of every method in the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "components/rows.h"
#include "core/rows.h"
#include "foldout/core/error.h"
#include "model/methods.h"
#include "support/datasets.h"
#include "support/oracles.h"

namespace foldout {
namespace {

class Method : public testing::TestWithParam<std::string> {
 protected:
  static FittedMethod fit(const Matrix& X, const RunContext& context = {}, const std::string& keys = "n_components=2") {
    const Component<MethodRow> method(GetParam() + ":" + keys);
    return method.row().fit(X, dataset::classes(X), method, context);
  }
  // Landmarks are selected by position; only the full set does not depend on the order.
  static std::string all_landmarks(Index n) {
    return GetParam() == "landmark_isomap" ? "n_landmarks=" + std::to_string(n) : "n_components=2";
  }
};

TEST_P(Method, GivesTheSameBitsOnTwoThreadsAndOnEveryRun) {
  for (const Index n : {150, 600})
    for (const Index d : {3, 14}) {
      const Matrix X = d == 3 ? dataset::roll(n) : dataset::lifted_roll(n, d);
      const FittedMethod one = fit(X), again = fit(X), two = fit(X, {.n_threads = 2}), all = fit(X, {.n_threads = 0});
      for (const FittedMethod* other : {&again, &two, &all}) {
        EXPECT_TRUE(dataset::same_bits(one.embedding->coordinates, other->embedding->coordinates));
        EXPECT_TRUE(dataset::same_bits(one.embedding->eigenvalues, other->embedding->eigenvalues));
      }
    }
}

TEST_P(Method, PermutesItsRowsWithTheSamples) {
  for (const Index n : {160, 320}) {
    const Matrix X = dataset::lifted_roll(n, 6);
    const auto order = dataset::random_order(n, 4);
    const Matrix straight = fit(X, {}, all_landmarks(n)).embedding->coordinates;
    const Matrix shuffled = fit(dataset::rows_of(X, order), {}, all_landmarks(n)).embedding->coordinates;
    EXPECT_LT(oracle::difference_up_to_sign(shuffled, dataset::rows_of(straight, order)), 1e-8);
  }
}

TEST_P(Method, DoesNotDependOnTheSolver) {
  const auto keys = keys_of(Component<MethodRow>(GetParam()).row());
  if (std::ranges::none_of(keys, [](const KeyInfo& key) { return key.name == "solver"; })) return;
  const Matrix X = dataset::roll(320);
  const Matrix expected = fit(X).embedding->coordinates;
  for (const std::string solver : {"dense", "shift_invert", "lanczos", "multigrid"}) {
    try {
      const FittedMethod fitted = fit(X, {}, "n_components=2,solver=" + solver);
      EXPECT_LT(oracle::difference_up_to_sign(fitted.embedding->coordinates, expected), 1e-7) << solver;
    } catch (const NumericalError& error) {  // does not converge for a spectrum without gaps, and reports it
      EXPECT_EQ(solver, "lanczos") << error.what();
    } catch (const InvalidArgument& error) {  // dense problems have no sparse factor
      EXPECT_TRUE(solver == "shift_invert" || solver == "multigrid") << error.what();
      EXPECT_TRUE(GetParam() == "isomap" || GetParam() == "mds" || GetParam() == "kpca") << GetParam();
    }
  }
}

TEST_P(Method, WritesAllItsKeys) {
  const FittedMethod fitted = fit(dataset::roll(60));
  const ComponentSpec spec = ComponentSpec::parse(fitted.method.text());
  EXPECT_EQ(spec.name, GetParam());
  for (const KeyInfo& key : keys_of(Component<MethodRow>(GetParam()).row())) {
    ASSERT_TRUE(spec.find(key.name)) << key.name;
    EXPECT_EQ(*spec.find(key.name), key.name == "n_components" ? "2" : key.default_value);
  }
  const Component<MethodRow> read(spec.text());
  const FittedMethod again = read.row().fit(dataset::roll(60), dataset::classes(dataset::roll(60)), read, {});
  EXPECT_TRUE(dataset::same_bits(again.embedding->coordinates, fitted.embedding->coordinates));
}

TEST_P(Method, StopsOnCancellation) {
  const Matrix X = dataset::lifted_roll(600, 12);
  int all = 0;
  (void)fit(X, {.progress = [&](const Progress&) { return ++all > 0; }});
  ASSERT_GT(all, 1) << "too few checks for cancellation";
  for (const int last : {1, 2, all / 2, all}) {
    int calls = 0;
    EXPECT_THROW((void)fit(X, {.progress = [&](const Progress&) { return ++calls < last; }}), Cancelled) << last;
    EXPECT_EQ(calls, last) << "it did not stop";
  }
}

// The phases whose time is reported are those that progress names, in the same order.
TEST_P(Method, ReportsProgressInEachPhase) {
  std::vector<Progress> seen;
  const FittedMethod fitted = fit(dataset::lifted_roll(400, 12), {.progress = [&](const Progress& p) {
                                    seen.push_back(p);
                                    return true;
                                  }});
  std::vector<std::string> phases;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_GE(seen[i].fraction, 0);
    EXPECT_LE(seen[i].fraction, 1);
    const bool same_phase = i > 0 && seen[i].phase == seen[i - 1].phase;
    EXPECT_TRUE(!same_phase || seen[i].fraction >= seen[i - 1].fraction || seen[i].fraction == 0) << seen[i].phase;
    if (std::ranges::find(phases, seen[i].phase) == phases.end()) phases.push_back(seen[i].phase);
  }
  std::vector<std::string> timed;
  for (const auto& [phase, seconds] : fitted.embedding->report.phases)
    if (std::ranges::find(timed, phase) == timed.end()) timed.push_back(phase);
  EXPECT_EQ(phases, timed);
  EXPECT_TRUE(std::ranges::count(timed, "eigenvectors") + std::ranges::count(timed, "singular vectors") == 1);
}

// Phases do not overlap and cover most of the time, in the best of several runs, since the machine may be busy.
TEST_P(Method, ReportsTheTimeOfItsPhases) {
  const Matrix X = dataset::lifted_roll(600, 12);
  double best = 0;
  for (int run = 0; run < 10 && best < 0.3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const FittedMethod fitted = fit(X);
    const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
    double sum = 0;
    for (const auto& [phase, seconds] : fitted.embedding->report.phases) {
      EXPECT_GT(seconds, 0) << phase;
      sum += seconds;
    }
    EXPECT_LT(sum, whole.count());
    best = std::max(best, sum / whole.count());
  }
  EXPECT_GT(best, 0.3);
}

INSTANTIATE_TEST_SUITE_P(Methods, Method, testing::ValuesIn(method_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace foldout
