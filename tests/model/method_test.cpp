// SPDX-License-Identifier: Apache-2.0
// What holds for every method of the table.
#include <gtest/gtest.h>

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
  // Landmarks are chosen by position, so only all of them are the same in any order.
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
  for (const std::string solver : {"dense", "shift_invert", "lanczos"}) {
    try {
      const FittedMethod fitted = fit(X, {}, "n_components=2,solver=" + solver);
      EXPECT_LT(oracle::difference_up_to_sign(fitted.embedding->coordinates, expected), 1e-7) << solver;
    } catch (const NumericalError& error) {  // a spectrum without gaps is too hard for it, and it says so
      EXPECT_EQ(solver, "lanczos") << error.what();
    } catch (const InvalidArgument& error) {  // dense problems have no sparse factor
      EXPECT_EQ(solver, "shift_invert") << error.what();
      EXPECT_TRUE(GetParam() == "isomap" || GetParam() == "mds" || GetParam() == "kpca") << GetParam();
    }
  }
}

TEST_P(Method, WritesItsKeysOutInFull) {
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

TEST_P(Method, StopsWhenAskedTo) {
  int calls = 0;
  const RunContext context{.progress = [&](const Progress&) { return ++calls < 2; }};
  try {
    (void)fit(dataset::lifted_roll(600, 12), context);
  } catch (const Cancelled&) {
    EXPECT_EQ(calls, 2);
    return;
  }
  EXPECT_LT(calls, 2) << "the method went on";  // it never asked twice
}

TEST_P(Method, TellsItsProgress) {
  std::vector<Progress> told;
  (void)fit(dataset::lifted_roll(400, 12), {.progress = [&](const Progress& p) {
              told.push_back(p);
              return true;
            }});
  for (const Progress& p : told) {
    EXPECT_FALSE(p.phase.empty());
    EXPECT_GE(p.fraction, 0);
    EXPECT_LE(p.fraction, 1);
  }
}

TEST_P(Method, ReportsTheTimeOfItsPhases) {
  const FittedMethod fitted = fit(dataset::roll(80));
  EXPECT_FALSE(fitted.embedding->report.phases.empty());
  for (const auto& [phase, seconds] : fitted.embedding->report.phases) EXPECT_GE(seconds, 0) << phase;
}

INSTANTIATE_TEST_SUITE_P(Methods, Method, testing::ValuesIn(method_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace foldout
