// SPDX-License-Identifier: Apache-2.0
#include "foldout/dictionary/kmeans.h"

#include <gtest/gtest.h>

#include "foldout/core/error.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

std::vector<int> thirds(Index n) {
  std::vector<int> labels(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i % 3);
  return labels;
}

TEST(RandomAtoms, AreDistinctSamples) {
  const Matrix Y = dataset::roll(200);
  const Dictionary drawn = learn_random(Y, {}, {.n_atoms = 30});
  ASSERT_EQ(drawn.atoms.rows(), 30);
  EXPECT_EQ(oracle::distances(drawn.atoms, Y).rowwise().minCoeff().maxCoeff(), 0);
  for (const double gap : oracle::nearest_others(drawn.atoms, 1).distances) EXPECT_GT(gap, 0);
  EXPECT_TRUE(drawn.objective.empty());
  EXPECT_FALSE(dataset::same_bits(drawn.atoms, learn_random(Y, {}, {.n_atoms = 30, .seed = 1}).atoms));
  EXPECT_EQ(learn_random(Y, {}).atoms.rows(), 40) << "a fifth of the number of samples";
}

TEST(KmeansAtoms, AreTheCentres) {
  const Matrix Y = dataset::roll(500);
  const Dictionary learnt = learn_kmeans(Y, {}, {.n_atoms = 40, .restarts = 3, .seed = 5});
  const Kmeans fit = fit_kmeans(Y, {.n_clusters = 40, .restarts = 3, .max_iterations = 100, .seed = 5});
  EXPECT_TRUE(dataset::same_bits(learnt.atoms, fit.centers));
  ASSERT_EQ(learnt.objective.size(), static_cast<std::size_t>(fit.iterations));
  const Matrix distances = oracle::distances(Y, learnt.atoms);
  const double sum = distances.rowwise().minCoeff().squaredNorm();
  EXPECT_NEAR(learnt.objective.back().after_atoms, sum, 1e-10 * sum);
  for (const auto& [before, after] : learnt.objective) EXPECT_LE(after, before * (1 + 1e-12));
  EXPECT_TRUE(learn_kmeans(Y, {}, {.n_atoms = 40, .max_iterations = 1}).report.has_note("kmeans_unfinished"));
}

TEST(LandmarkAtoms, OfAClassComeFromItsSamplesAlone) {
  const Matrix Y = dataset::roll(90);
  const Dictionary drawn = learn_random(Y, thirds(90), {.atoms_per_class = 4});
  const Dictionary centers = learn_kmeans(Y, thirds(90), {.atoms_per_class = 4});
  EXPECT_EQ(drawn.labels, (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
  EXPECT_EQ(centers.labels, drawn.labels);
  const NeighborTable nearest = oracle::nearest(Y, drawn.atoms, 1);
  for (std::size_t j = 0; j < 12; ++j) EXPECT_EQ(nearest.indices[j] % 3, drawn.labels[j]);
}

TEST(LandmarkAtoms, BadAndHardInput) {
  const Matrix Y = dataset::roll(20), copies = dataset::repeated(dataset::roll(4), 5);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)learn_random(Y, {}, {.n_atoms = 21}); }),
                       "random: n_atoms = 21 must be at most the number of samples, 20"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)learn_kmeans(Y, {}, {.atoms_per_class = 2}); }),
                       "kmeans: atoms_per_class needs labels"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)learn_kmeans(Y, {}, {.restarts = 0}); }), "restarts"));
  for (const Dictionary& learnt :
       {learn_random(copies, {}, {.n_atoms = 6}), learn_kmeans(copies, {}, {.n_atoms = 6})}) {
    EXPECT_EQ(learnt.atoms.rows(), 4);
    ASSERT_EQ(learnt.report.notes.size(), 1u);
    EXPECT_TRUE(learnt.report.has_note("atoms_reduced"));
  }
}

}  // namespace
}  // namespace foldout
