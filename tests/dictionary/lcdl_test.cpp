// SPDX-License-Identifier: Apache-2.0
#include "foldout/dictionary/lcdl.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "core/random.h"
#include "core/rows.h"
#include "dictionary/improve.h"
#include "dictionary/local_codes.h"
#include "dictionary/outlier_term.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/golden.h"

namespace foldout {
namespace {

const LcdlOptions kGolden{.tau = 3, .ridge = 1e-3, .max_iterations = 5, .tolerance = 0};

TEST(LocalCodes, MatchThePrototype) {
  const Matrix D = golden("lcdl_start"), Y = golden("lcdl_samples");
  const Matrix neighbors = golden("lcdl_neighbors1"), expected = golden("lcdl_codes1");
  const LocalCodes codes = LocalCoding(D, 3, {}).code(Y);
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index j = 0; j < 3; ++j)
      EXPECT_NEAR(codes.codes.coeff(i, static_cast<Index>(neighbors(i, j))), expected(i, j), 1e-10);
}

// Eq. (9) as written, by a general solver.
Vector textbook_code(const Matrix& neighbors, const Eigen::RowVectorXd& y, const LocalCodeWeights& weights) {
  const Matrix differences = neighbors.rowwise() - y;
  Matrix G = differences * differences.transpose();
  G += Matrix(weights.locality * G.diagonal().asDiagonal());
  G.diagonal().array() += weights.ridge;
  const Vector x = G.fullPivLu().solve(Vector::Ones(G.rows()));
  return x / x.sum();
}

TEST(LocalCodes, OfManyAtomsMatchTheTextbook) {
  const Matrix D = Rng(1).normal_matrix(100, 30), Y = Rng(2).normal_matrix(50, 30);
  const LocalCodeWeights weights{0.2, 1e-2};
  for (const int tau : {1, 2, 8, 9, 40, 100}) {
    const LocalCodes result = LocalCoding(D, tau, weights).code(Y);
    for (Index i = 0; i < Y.rows(); ++i) {
      Matrix near(tau, D.cols());
      Vector code(tau);
      Index j = 0;
      for (SparseMatrix::InnerIterator x(result.codes, i); x; ++x, ++j) {
        near.row(j) = D.row(x.col());
        code[j] = x.value();
      }
      ASSERT_EQ(j, tau);
      EXPECT_LE((code - textbook_code(near, Y.row(i), weights)).norm(), 1e-10) << tau;
      const double cost = (Y.row(i) - code.transpose() * near).squaredNorm() + weights.ridge * code.squaredNorm() +
                          weights.locality * code.cwiseAbs2().dot((near.rowwise() - Y.row(i)).rowwise().squaredNorm());
      EXPECT_NEAR(result.costs[i], cost, 1e-10 * cost);
    }
  }
}

TEST(LocalCodes, DoNotDependOnTheOtherRowsOrOnThreads) {
  const Matrix D = Rng(1).normal_matrix(300, 12), Y = Rng(2).normal_matrix(700, 12);
  for (const int tau : {2, 30}) {
    const LocalCoding coding(D, tau, {});
    const Matrix all = coding.code(Y, {.n_threads = 2}).codes;
    for (const Index i : {0, 57, 699})
      EXPECT_TRUE(dataset::same_bits(coding.code(Y.middleRows(i, 1)).codes, all.middleRows(i, 1)));
  }
}

// One distant atom shifts the mean; inner products of the others about it then cancel completely.
TEST(LocalCodes, UseTheNearestAtomsDespiteADistantOne) {
  Matrix D = Rng(1).normal_matrix(100, 3);
  D.row(99).setConstant(1e10);
  constexpr int kTau = 12;
  const SparseMatrix codes = LocalCoding(D, kTau, {}).code(D.topRows(99)).codes;
  const NeighborTable nearest = make_neighbor_index(D)->query(D.topRows(99), kTau);
  for (Index i = 0; i < 99; ++i)
    for (const int j : nearest.of(i)) EXPECT_NE(codes.coeff(i, j), 0) << i;
}

TEST(LocalCodes, OfASampleOnAnAtomAreFinite) {
  Matrix D = Rng(1).normal_matrix(20, 3);
  D.row(1) = D.row(0);
  for (const int tau : {1, 3, 12})
    for (const double ridge : {0.0, 1e-3}) {
      const Matrix code = LocalCoding(D, tau, {0.1, ridge}).code(D).codes;
      EXPECT_TRUE(code.allFinite());
      EXPECT_LE((code.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
    }
  // All atoms coincide.
  const Matrix one = Matrix::Ones(5, 3);
  EXPECT_TRUE(Matrix(LocalCoding(one, 3, {0, 0}).code(one).codes).allFinite());
}

TEST(Lcdl, AtomsAndObjectivesMatchThePrototype) {
  const Matrix Y = golden("lcdl_samples"), expected = golden("lcdl_objective");
  LcdlOptions one = kGolden;
  one.max_iterations = 1;
  EXPECT_LE((improve_lcdl(Y, golden("lcdl_start"), one).atoms - golden("lcdl_atoms1")).norm(), 1e-8);
  const Dictionary five = improve_lcdl(Y, golden("lcdl_start"), kGolden);
  EXPECT_LE((five.atoms - golden("lcdl_atoms5")).norm(), 1e-8);
  ASSERT_EQ(five.objective.size(), 5u);
  for (std::size_t t = 0; t < 5; ++t) {
    EXPECT_NEAR(five.objective[t].after_codes, expected(static_cast<Index>(t), 0), 1e-8);
    EXPECT_NEAR(five.objective[t].after_atoms, expected(static_cast<Index>(t), 1), 1e-8);
  }
}

// Eq. (5) as written.
double slow_objective(const Matrix& Y, const Matrix& X, const Matrix& D, double locality, double ridge) {
  double sum = (Y - X * D).squaredNorm() + ridge * X.squaredNorm();
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index j = 0; j < D.rows(); ++j) sum += locality * X(i, j) * X(i, j) * (Y.row(i) - D.row(j)).squaredNorm();
  return sum;
}

TEST(Lcdl, ObjectivesAreThoseOfItsCodesAndAtomsAlsoFarFromTheOrigin) {
  const LcdlOptions o{.tau = 3, .locality = 0.3, .ridge = 0.01, .max_iterations = 1};
  for (const double shift : {0.0, 1e5}) {
    const Matrix Y = dataset::roll(300).array() + shift, start = Y.topRows(40);
    const Dictionary learnt = improve_lcdl(Y, start, o);
    const Matrix X = LocalCoding(start, o.tau, {o.locality, *o.ridge}).code(Y).codes;
    const double before = slow_objective(Y, X, start, o.locality, *o.ridge);
    const double after = slow_objective(Y, X, learnt.atoms, o.locality, *o.ridge);
    EXPECT_LT(after, 0.9 * before);
    EXPECT_NEAR(learnt.objective[0].after_codes, before, 1e-8 * before) << shift;
    EXPECT_NEAR(learnt.objective[0].after_atoms, after, 1e-8 * before) << shift;
  }
}

// The objective is that of the samples without their outliers.
TEST(Lcdl, ObjectivesWithOutliersAreThoseOfTheCleanedSamples) {
  const LcdlOptions o{.tau = 3, .locality = 0.3, .ridge = 0.01, .max_iterations = 1, .outliers = 3, .seed = 4};
  Matrix Y = dataset::lifted_roll(200, 8);
  for (Index i = 0; i < 200; i += 10) Y(i, i % 8) += 60;
  const Matrix start = Y.middleRows(1, 5), first = without_gross_errors(Y, 5, o.outliers, o.seed, {});
  const Dictionary learnt = improve_lcdl(Y, start, o);
  const Matrix X = LocalCoding(start, o.tau, {o.locality, *o.ridge}).code(first).codes;
  const Matrix cleaned = without_outliers(Y, X * start, o.outliers);
  EXPECT_GT((cleaned - Y).norm(), 100);
  const double before = slow_objective(cleaned, X, start, o.locality, *o.ridge);
  const double after = slow_objective(cleaned, X, learnt.atoms, o.locality, *o.ridge);
  EXPECT_NEAR(learnt.objective[0].after_codes, before, 1e-8 * before);
  EXPECT_NEAR(learnt.objective[0].after_atoms, after, 1e-8 * before);
}

TEST(Lcdl, MonotoneObjectivesMatchThePrototype) {
  const Matrix expected = golden("lcdl_objective_monotone");
  LcdlOptions o = kGolden;
  o.monotone = true;
  const Dictionary learnt = improve_lcdl(golden("lcdl_samples"), golden("lcdl_start"), o);
  for (std::size_t t = 0; t < 5; ++t) {
    EXPECT_NEAR(learnt.objective[t].after_codes, expected(static_cast<Index>(t), 0), 1e-8);
    EXPECT_NEAR(learnt.objective[t].after_atoms, expected(static_cast<Index>(t), 1), 1e-8);
  }
}

TEST(Lcdl, MovingAtomsNeverIncreasesTheObjectiveAndMonotoneNothingDoes) {
  const Matrix Y = dataset::roll(1000);
  bool rises = false;
  for (const bool monotone : {false, true}) {
    const Dictionary learnt = learn_lcdl(Y, {},
                                         {.n_atoms = 150,
                                          .max_iterations = 30,
                                          .tolerance = 0,
                                          .start = DictionaryStart::kSamples,
                                          .monotone = monotone});
    ASSERT_EQ(learnt.objective.size(), 30u);
    for (std::size_t t = 0; t < 30; ++t) {
      const auto [codes, atoms] = learnt.objective[t];
      EXPECT_LE(atoms, codes * (1 + 1e-12));
      if (t == 0) continue;
      const double before = learnt.objective[t - 1].after_atoms;
      if (monotone) {
        EXPECT_LE(codes, before * (1 + 1e-12));
      }
      rises = rises || codes > before * (1 + 1e-6);
    }
  }
  EXPECT_TRUE(rises) << "selecting the nearest atoms again may increase it: the reason for monotone";
}

TEST(LocalCodes, DefaultRidgeIsAFractionOfTheSquaredGapsBetweenAtoms) {
  Matrix atoms(4, 1);
  atoms << 0, 1, 3, 3.5;
  EXPECT_NEAR(usual_ridge(atoms), 1e-2 * (1 + 1 + 0.25 + 0.25) / 4, 1e-15);
  EXPECT_EQ(usual_ridge(Matrix::Ones(1, 3)), 0);
  EXPECT_EQ(usual_ridge(Matrix::Ones(4, 3)), 0);
}

TEST(Lcdl, DoesNotDependOnTheUnit) {
  const Matrix Y = dataset::roll(400);
  for (const std::optional<int> batch_size : {std::optional<int>(), std::optional(100)})
    for (const double unit : {0x1p-20, 0x1p+20}) {
      const LcdlOptions o{.n_atoms = 50, .max_iterations = 5, .batch_size = batch_size};
      const Matrix small = learn_lcdl(unit * Y, {}, o).atoms;
      EXPECT_TRUE(dataset::same_bits(small, unit * learn_lcdl(Y, {}, o).atoms));
    }
}

TEST(Lcdl, StopsWhenTheObjectiveHardlyChanges) {
  const Dictionary learnt =
      learn_lcdl(dataset::roll(500), {}, {.n_atoms = 80, .max_iterations = 500, .tolerance = 1e-2});
  EXPECT_LT(learnt.objective.size(), 100u);
  EXPECT_DOUBLE_EQ(*learnt.report.find_figure("objective_001"), learnt.objective[0].after_atoms);
}

// 50 iterations, or 15 passes over batches, even if the objective stagnates by chance.
TEST(Lcdl, MakesAllIterationsByDefault) {
  const Matrix Y = dataset::roll(500);
  EXPECT_EQ(learn_lcdl(Y, {}, {.n_atoms = 80}).objective.size(), 50u);
  EXPECT_EQ(learn_lcdl(Y, {}, {.n_atoms = 80, .batch_size = 100}).objective.size(), 15u);
  EXPECT_EQ(learn_lcdl(Y, {}, {.n_atoms = 80, .max_iterations = 7}).objective.size(), 7u);
}

TEST(Lcdl, UnusedAtomsAreReset) {
  const Matrix Y = dataset::roll(400);
  Matrix start = dataset::rows_of(Y, dataset::random_order(400, 3)).topRows(60);
  start.bottomRows(10).array() += 1e4;
  const Dictionary learnt = improve_lcdl(Y, start, {});
  EXPECT_TRUE(learnt.report.has_note("atoms_reseeded"));
  EXPECT_LT(learnt.atoms.cwiseAbs().maxCoeff(), 2 * Y.cwiseAbs().maxCoeff());
  const Matrix usage = LocalCoding(learnt.atoms, 2, {}).code(Y).codes;
  EXPECT_GT(usage.cwiseAbs().colwise().sum().minCoeff(), 0);
}

TEST(Lcdl, AtomsOfAClassAreLearnedFromItsSamplesAlone) {
  const Matrix Y = dataset::blobs(60, 3, 4, 50);
  std::vector<int> labels(180);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i / 60);
  const Dictionary learnt = learn_lcdl(Y, labels, {.atoms_per_class = 5});
  ASSERT_EQ(learnt.atoms.rows(), 15);
  for (Index c = 0; c < 3; ++c) {
    const Dictionary alone = learn_lcdl(Y.middleRows(60 * c, 60), {}, {.n_atoms = 5});
    EXPECT_TRUE(dataset::same_bits(learnt.atoms.middleRows(5 * c, 5), alone.atoms));
    EXPECT_EQ(learnt.labels[static_cast<std::size_t>(5 * c)], c);
  }
}

TEST(Lcdl, IsTheSameOnAnyNumberOfThreads) {
  const Matrix Y = dataset::lifted_roll(1500, 20);
  const LcdlOptions o{.n_atoms = 100};
  EXPECT_TRUE(dataset::same_bits(learn_lcdl(Y, {}, o).atoms, learn_lcdl(Y, {}, o, {.n_threads = 2}).atoms));
}

// One feature in fifty of every tenth sample has a gross error.
TEST(Lcdl, OutliersDoNotMoveAtoms) {
  const Matrix clean = dataset::lifted_roll(2000, 50);
  Matrix dirty = clean;
  Rng rng(7);
  for (Index i = 0; i < dirty.rows(); ++i)
    if (rng.uniform() < 0.1) dirty(i, static_cast<Index>(rng.below(50))) += 100;
  const auto error = [&](double outliers) {
    const Dictionary learnt = learn_lcdl(dirty, {}, {.n_atoms = 150, .outliers = outliers});
    // Distance of the atoms from the manifold: from their reconstructions by its samples.
    const LocalCodes codes = LocalCoding(clean, 6, {0, 1e-6}).code(learnt.atoms);
    return (learnt.atoms - codes.codes * clean).norm() / std::sqrt(static_cast<double>(learnt.atoms.rows()));
  };
  const double with = error(3), without = error(0);
  RecordProperty("off_the_manifold", std::to_string(with) + " against " + std::to_string(without));
  EXPECT_LT(with, 0.2 * without) << with << " against " << without;
}

TEST(Lcdl, BadInputIsNamed) {
  const Matrix Y = dataset::roll(30);
  const auto text = [&](const std::vector<int>& labels, const LcdlOptions& o) {
    return message_of<InvalidArgument>([&] { (void)learn_lcdl(Y, labels, o); });
  };
  EXPECT_TRUE(contains(text({}, {.n_atoms = 31}), "n_atoms = 31 must be at most the number of samples, 30"));
  EXPECT_TRUE(contains(text({}, {.atoms_per_class = 3}), "atoms_per_class needs labels"));
  EXPECT_TRUE(contains(text(std::vector<int>(30), {.n_atoms = 3, .atoms_per_class = 3}), "exclude each other"));
  EXPECT_TRUE(contains(text(std::vector<int>(29), {.atoms_per_class = 3}), "29 labels for 30 samples"));
  EXPECT_TRUE(contains(text({}, {.monotone = true, .outliers = 3}), "exclude each other"));
  Matrix bad = Y;
  bad(3, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)learn_lcdl(bad, {}); }), "row 3"));
}

TEST(Lcdl, HandlesHardInput) {
  const Dictionary copies = learn_lcdl(dataset::repeated(dataset::roll(10), 5), {}, {.n_atoms = 20});
  EXPECT_EQ(copies.atoms.rows(), 10);
  EXPECT_TRUE(copies.report.has_note("atoms_reduced"));
  const Dictionary constant = learn_lcdl(Matrix::Ones(40, 3), {}, {.n_atoms = 4});
  EXPECT_TRUE(dataset::same_bits(constant.atoms, Matrix::Ones(1, 3)));
  std::vector<int> labels(30, 0);
  labels[0] = labels[1] = 1;
  const Dictionary small = learn_lcdl(dataset::roll(30), labels, {.atoms_per_class = 4});
  EXPECT_EQ(small.atoms.rows(), 6);
  EXPECT_TRUE(small.report.has_note("class_smaller_than_atoms"));
  EXPECT_TRUE(small.atoms.allFinite());
}

}  // namespace
}  // namespace foldout
