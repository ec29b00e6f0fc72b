// SPDX-License-Identifier: Apache-2.0
#include "dictionary/outlier_term.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "dictionary/improve.h"
#include "dictionary/local_codes.h"
#include "foldout/dictionary/lcdl.h"
#include "support/datasets.h"

namespace foldout {
namespace {

// In this fraction of the samples, one feature is off by ±`size`.
Matrix spoilt(const Matrix& clean, double part, double size, std::uint64_t seed) {
  Matrix dirty = clean;
  Rng rng(seed);
  for (Index i = 0; i < dirty.rows(); ++i)
    if (rng.uniform() < part)
      dirty(i, static_cast<Index>(rng.below(static_cast<std::uint64_t>(dirty.cols())))) +=
          rng.uniform() < 0.5 ? -size : size;
  return dirty;
}

// Distance of the atoms from the manifold: from their reconstructions by its samples.
double off(const Matrix& atoms, const Matrix& clean) {
  const SparseMatrix codes = LocalCoding(clean, 6, {0, 1e-6}).code(atoms).codes;
  return (atoms - codes * clean).norm() / std::sqrt(static_cast<double>(atoms.rows()));
}

TEST(OutlierTerm, KeepsErrorsOfTypicalSize) {
  const Matrix model = Rng(1).normal_matrix(200, 10);
  Matrix Y = model + 0.1 * Rng(2).normal_matrix(200, 10);
  Y(3, 4) += 2;
  Y(7, 0) -= 2;
  Y(9, 5) += 50;
  const Matrix left = without_outliers(Y, model, 3) - model;
  // Nine in ten of normal errors of deviation 0.1 stay below 0.1645.
  EXPECT_NEAR(left(3, 4), 0.3, 0.03);
  EXPECT_NEAR(left(7, 0), -0.3, 0.03);
  EXPECT_EQ(left(9, 5), 0) << "gross";
  EXPECT_LT(((left - Y + model).array().abs() > 1e-12).count(), 20);
}

TEST(OutlierTerm, RemovesGrossErrorsBeforeInitialisation) {
  const Matrix clean = dataset::lifted_roll(1000, 40);
  for (const double size : {5.0, 50.0, 1e6}) {
    const Matrix dirty = spoilt(clean, 0.2, size, 3), cleaned = without_gross_errors(dirty, 80, 3, 0, {});
    double worst = 0;
    Index wrong = 0, changed = 0;
    for (Index i = 0; i < clean.rows(); ++i)
      for (Index f = 0; f < clean.cols(); ++f)
        if (dirty(i, f) != clean(i, f)) {
          ++wrong;
          worst = std::max(worst, std::abs(cleaned(i, f) - clean(i, f)));
        } else if (cleaned(i, f) != clean(i, f)) {
          ++changed;
        }
    EXPECT_GT(wrong, 150);
    EXPECT_LT(worst, 3) << "errors of " << size << " are reduced to differences between neighbours";
    EXPECT_LT(changed, clean.size() / 20);
    EXPECT_LT((cleaned - clean).norm(), 0.1 * clean.norm());
  }
}

TEST(OutlierTerm, AtomsAreAtLeastFiveTimesNearerToTheManifold) {
  const Matrix clean = dataset::lifted_roll(1500, 50, 4);
  for (const double part : {0.05, 0.1, 0.2})
    for (const double size : {5.0, 20.0, 1000.0}) {
      const Matrix dirty = spoilt(clean, part, size, 11);
      const double without = off(learn_lcdl(dirty, {}, {.n_atoms = 120}).atoms, clean);
      const double with = off(learn_lcdl(dirty, {}, {.n_atoms = 120, .outliers = 3}).atoms, clean);
      EXPECT_LT(5 * with, without) << 100 * part << " % of the samples, errors of " << size;
    }
}

// The residual of clean samples over several starts, which differ by a few per cent each. With few features, errors are
// harder to distinguish from curvature.
TEST(OutlierTerm, DoesLittleHarmToCleanSamples) {
  for (const auto& [d, most] : {std::pair<Index, double>{10, 1.12}, {50, 1.12}}) {
    double with = 0, without = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Matrix Y = dataset::lifted_roll(1000, d, 20 + seed);
      const auto left = [&](double outliers) {
        const Dictionary learnt = learn_lcdl(Y, {}, {.n_atoms = 100, .outliers = outliers, .seed = seed});
        return LocalCoding(learnt.atoms, 2, {}).code(Y).costs.sum();
      };
      with += left(3);
      without += left(0);
    }
    RecordProperty("left_in_" + std::to_string(d), std::to_string(with / without));
    EXPECT_LT(with, most * without) << d;
  }
}

// Even after many iterations: an atom must not follow a corrupted sample.
TEST(OutlierTerm, AtomsOnCorruptedSamplesAreReset) {
  const Matrix clean = dataset::lifted_roll(800, 50), dirty = spoilt(clean, 0.1, 100, 5);
  Matrix start = clean.topRows(60);
  start.topRows(5).col(0).array() += 100;
  for (const int iterations : {15, 60}) {
    const Dictionary learnt = improve_lcdl(dirty, start, {.max_iterations = iterations, .tolerance = 0, .outliers = 3});
    EXPECT_TRUE(learnt.report.has_note("atoms_reseeded"));
    EXPECT_LT(off(learnt.atoms, clean), 1);
  }
}

TEST(OutlierTerm, HardInputAndThreads) {
  const Matrix dirty = spoilt(dataset::lifted_roll(600, 20), 0.1, 30, 1);
  const LcdlOptions o{.n_atoms = 40, .outliers = 3};
  EXPECT_TRUE(dataset::same_bits(learn_lcdl(dirty, {}, o).atoms, learn_lcdl(dirty, {}, o, {.n_threads = 2}).atoms));
  EXPECT_TRUE(
      dataset::same_bits(learn_lcdl(Matrix::Ones(30, 4), {}, {.n_atoms = 5, .outliers = 3}).atoms, Matrix::Ones(1, 4)));
  EXPECT_TRUE(learn_lcdl(dataset::roll(4), {}, {.n_atoms = 3, .outliers = 3}).atoms.allFinite());
  EXPECT_TRUE(learn_lcdl(Vector::LinSpaced(50, 0, 1), {}, {.n_atoms = 8, .outliers = 3}).atoms.allFinite());
}

}  // namespace
}  // namespace foldout
