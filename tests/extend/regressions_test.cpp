// SPDX-License-Identifier: Apache-2.0
// linear, rbf, kernel_extrapolation, elm, lvm: against their definitions.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/extend/elm.h"
#include "foldout/extend/kernel_extrapolation.h"
#include "foldout/extend/linear.h"
#include "foldout/extend/lle.h"
#include "foldout/extend/lvm.h"
#include "foldout/extend/rbf.h"
#include "foldout/extend/sparse.h"
#include "foldout/maps/explicit_map.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

Matrix heat_rows(const Matrix& A, const Matrix& B, double width) {
  return (-oracle::distances(A, B).array().square() / width).exp();
}

double mean_squared_distance(const Matrix& X) {
  const auto n = static_cast<double>(X.rows());
  return oracle::distances(X, X).array().square().sum() / (n * (n - 1));
}

TEST(LinearExtension, RecoversALinearMap) {
  const Matrix X = dataset::lifted_roll(50, 6), fresh = dataset::lifted_roll(9, 6, 4);
  const Matrix A = Rng(1).normal_matrix(6, 2);
  const Eigen::RowVector2d shift(3, -7);
  const Matrix Y = (X * A).rowwise() + shift;
  EXPECT_LT((extend_linear(X, Y, {.ridge = 0.0})->transform(fresh) - ((fresh * A).rowwise() + shift)).norm(), 1e-8);
  EXPECT_LT((extend_linear(X, X * A, {.intercept = false, .ridge = 0.0})->transform(fresh) - fresh * A).norm(), 1e-8);
  EXPECT_GT((extend_linear(X, Y, {.intercept = false, .ridge = 0.0})->transform(fresh) - fresh * A).norm(), 1);
}

TEST(LinearExtension, IsStableWithAsManySamplesAsFeatures) {
  const Matrix all = Rng(1).normal_matrix(60, 40), X = all.topRows(40), Y = Rng(2).normal_matrix(40, 2);
  const double plain = extend_linear(X, Y, {.intercept = false, .ridge = 0.0})->transform(all.bottomRows(20)).norm();
  const double steady =
      extend_linear(X, Y, {.intercept = false, .ridge = std::nullopt})->transform(all.bottomRows(20)).norm();
  EXPECT_GT(plain, 5 * steady);
}

TEST(RbfExtension, Interpolates) {
  const Matrix X = dataset::lifted_roll(40, 5), Y = Rng(1).normal_matrix(40, 2), fresh = dataset::lifted_roll(9, 5, 4);
  const auto map = extend_rbf(X, Y, {.ridge = 0, .intercept = false});
  EXPECT_EQ(map->info().promise, TrainingPromise::kExact);
  EXPECT_LT((map->transform(X) - Y).cwiseAbs().maxCoeff(), 1e-6);
  const double width = mean_squared_distance(X);
  const Eigen::MatrixXd V = Eigen::MatrixXd(heat_rows(X, X, width)).fullPivLu().solve(Eigen::MatrixXd(Y));
  EXPECT_LT((map->transform(fresh) - heat_rows(fresh, X, width) * V).norm(), 1e-5 * V.norm());
}

TEST(RbfExtension, GivesDuplicatesOneCentre) {
  const Matrix X = dataset::repeated(dataset::lifted_roll(20, 5), 2);
  const Matrix Y = dataset::repeated(Rng(1).normal_matrix(20, 2), 2);
  const auto map = extend_rbf(X, Y, {.ridge = 0});
  EXPECT_TRUE(map.report.has_note("duplicates_merged"));
  EXPECT_EQ(dynamic_cast<const ExplicitMap&>(*map).matrix().rows(), 20);
  EXPECT_LT((map->transform(X) - Y).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(RbfExtension, ReportsAKernelThatIsSingularInFloatingPoint) {
  const Matrix X = dataset::lifted_roll(60, 5);
  const auto map = extend_rbf(X, X.leftCols(2), {.width = 1e9, .ridge = 0});
  EXPECT_TRUE(map.report.has_note("rbf_singular"));
  EXPECT_EQ(map->info().promise, TrainingPromise::kApproximate);
  EXPECT_TRUE(map->transform(X).allFinite());
}

TEST(RbfExtension, SpreadsFewerCentresOut) {
  Matrix X = dataset::blobs(50, 3, 2, 1000);
  const auto map = extend_rbf(X, X, {.n_centers = 12, .seed = 5});
  ASSERT_EQ(map->samples()->rows(), 12);
  const Matrix gaps = oracle::distances(X, *map->samples());
  EXPECT_LT(gaps.rowwise().minCoeff().maxCoeff(), 100) << "every blob has a centre";
  EXPECT_THROW((void)extend_rbf(X, X, {.n_centers = 151}), InvalidArgument);
  EXPECT_EQ(extend_rbf(dataset::repeated(X.topRows(3), 10), Matrix::Ones(30, 1), {.n_centers = 9})->samples()->rows(),
            3);
}

TEST(KernelExtrapolation, IsATruncatedPseudoInverse) {
  const Matrix X = dataset::lifted_roll(40, 5), Y = Rng(1).normal_matrix(40, 2), fresh = dataset::lifted_roll(9, 5, 4);
  const double width = mean_squared_distance(X), cut = 1e-4;
  const oracle::Pairs pairs = oracle::symmetric_eigenpairs(heat_rows(X, X, width));
  Matrix P = Matrix::Zero(40, 40);
  for (Index k = 0; k < 40; ++k)
    if (pairs.values[k] > cut * pairs.values[39])
      P += pairs.vectors.col(k) * pairs.vectors.col(k).transpose() / pairs.values[k];
  const Matrix expected = heat_rows(fresh, X, width) * P * Y;
  EXPECT_LT(
      (extend_kernel_extrapolation(X, Y, {.tolerance = cut, .intercept = false})->transform(fresh) - expected).norm(),
      1e-8 * expected.norm());
}

TEST(Lvm, IsAWeightedMeanOfTheNearest) {
  const Matrix X = dataset::lifted_roll(60, 5), Y = Rng(1).normal_matrix(60, 2), fresh = dataset::lifted_roll(15, 5, 4);
  const double width = mean_squared_distance(X);
  const NeighborTable table = oracle::nearest(X, fresh, 4);
  Matrix expected = Matrix::Zero(15, 2);
  for (Index i = 0; i < 15; ++i) {
    double sum = 0;
    for (const int j : table.of(i)) {
      const double weight = std::exp(-(fresh.row(i) - X.row(j)).squaredNorm() / width);
      expected.row(i) += weight * Y.row(j);
      sum += weight;
    }
    expected.row(i) /= sum;
  }
  EXPECT_LT((extend_lvm(X, Y, {.n_neighbors = 4})->transform(fresh) - expected).norm(), 1e-12);
}

// δ = 1 − cos in search and kernel; the width is in its units, the mean δ² of all pairs.
TEST(Lvm, MeasuresAnglesByTheCosineMetric) {
  const Matrix X = dataset::lifted_roll(60, 5).array() + 4, fresh = dataset::lifted_roll(15, 5, 4).array() + 4;
  const Matrix Y = Rng(1).normal_matrix(60, 2);
  const double width = oracle::distances(X, X, Metric::kCosine).squaredNorm() / (60 * 59);
  const Matrix D = oracle::distances(fresh, X, Metric::kCosine);
  const NeighborTable table = oracle::nearest(X, fresh, 4, Metric::kCosine);
  Matrix expected = Matrix::Zero(15, 2);
  for (Index i = 0; i < 15; ++i) {
    double sum = 0;
    for (const int j : table.of(i)) {
      const double weight = std::exp(-D(i, j) * D(i, j) / width);
      expected.row(i) += weight * Y.row(j);
      sum += weight;
    }
    expected.row(i) /= sum;
  }
  const auto map = extend_lvm(X, Y, {.n_neighbors = 4, .metric = Metric::kCosine});
  EXPECT_LT((map->transform(fresh) - expected).norm(), 1e-12);
}

TEST(Lvm, NeitherVanishesNorDependsOnUnits) {
  const Matrix X = dataset::lifted_roll(60, 5), Y = Rng(1).normal_matrix(60, 2), fresh = dataset::lifted_roll(15, 5, 4);
  const Matrix placed = extend_lvm(X, Y)->transform(fresh);
  EXPECT_LT((extend_lvm(1e-3 * X, Y)->transform(1e-3 * fresh) - placed).norm(), 1e-9);
  EXPECT_TRUE(extend_lvm(X, Y, {.width = 1e-9})->transform(fresh.array() + 1e4).allFinite());
}

TEST(Elm, HasTheDeclaredSizeAndPromise) {
  const Matrix X = dataset::lifted_roll(80, 5);
  const auto map = extend_elm(X, X.leftCols(2), {.n_nodes = 30, .direct_links = true});
  EXPECT_EQ(dynamic_cast<const ExplicitMap&>(*map).matrix().rows(), 35);
  EXPECT_EQ(map->info().promise, TrainingPromise::kApproximate);
  EXPECT_EQ(map->samples(), nullptr);
}

TEST(Elm, WithDirectLinksRecoversALinearMap) {
  const Matrix X = dataset::lifted_roll(80, 5), fresh = dataset::lifted_roll(9, 5, 4), A = Rng(1).normal_matrix(5, 2);
  const auto map = extend_elm(X, X * A, {.n_nodes = 20, .direct_links = true, .ridge = 1e-13});
  EXPECT_LT((map->transform(fresh) - fresh * A).norm(), 1e-4 * (fresh * A).norm());
}

TEST(Elm, LearnsACurve) {
  const Matrix t = Rng(1).uniform_matrix(400, 1), s = Rng(2).uniform_matrix(50, 1);
  const auto curve = [](const Matrix& u) {
    Matrix X(u.rows(), 3);
    X << u.array().cos(), u.array().sin(), 2 * u.array();
    return X;
  };
  for (const Activation activation : {Activation::kSigmoid, Activation::kTanh, Activation::kSine, Activation::kRbf}) {
    const auto map = extend_elm(curve(t), t, {.n_nodes = 200, .activation = activation});
    EXPECT_LT((map->transform(curve(s)) - s).cwiseAbs().maxCoeff(), 1e-3) << name_of(activation);
    EXPECT_LT(*map.report.find_figure("extension_leave_one_out"), 1e-2);
    EXPECT_GT(*map.report.find_figure("extension_ridge"), 0);
  }
}

TEST(Elm, DrawsItsNodesFromTheSeed) {
  const Matrix X = dataset::lifted_roll(80, 5);
  const auto place = [&](std::uint64_t seed) {
    return extend_elm(X, X.leftCols(2), {.n_nodes = 30, .seed = seed})->transform(X);
  };
  EXPECT_TRUE(dataset::same_bits(place(3), place(3)));
  EXPECT_FALSE(dataset::same_bits(place(3), place(4)));
}

TEST(Regressions, SurviveConstantSamplesAndCoordinates) {
  const Matrix flat = Matrix::Constant(12, 4, 3.0), Y = Rng(1).normal_matrix(12, 2), X = dataset::lifted_roll(12, 4);
  for (const auto& [samples, targets] : {std::pair{flat, Y}, std::pair{X, Matrix(Matrix::Constant(12, 2, 5.0))}}) {
    EXPECT_TRUE(extend_linear(samples, targets)->transform(X).allFinite());
    EXPECT_TRUE(extend_rbf(samples, targets)->transform(X).allFinite());
    EXPECT_TRUE(extend_kernel_extrapolation(samples, targets)->transform(X).allFinite());
    EXPECT_TRUE(extend_elm(samples, targets, {.n_nodes = 20})->transform(X).allFinite());
    EXPECT_TRUE(extend_lvm(samples, targets)->transform(X).allFinite());
  }
  EXPECT_LT((extend_elm(X, Matrix::Constant(12, 2, 5.0), {.n_nodes = 20})->transform(X).array() - 5).abs().maxCoeff(),
            1e-9);
}

TEST(Regressions, RefusePairsThatDoNotFit) {
  const Matrix X = dataset::roll(10);
  Matrix bad = Matrix::Ones(10, 2);
  bad(3, 1) = std::nan("");
  EXPECT_THROW((void)extend_linear(X, Matrix::Ones(9, 2)), InvalidArgument);
  EXPECT_THROW((void)extend_rbf(X, bad), InvalidArgument);
  EXPECT_THROW((void)extend_elm(Matrix(0, 3), Matrix(0, 2)), InvalidArgument);
  EXPECT_THROW((void)extend_lvm(X, X, {.n_neighbors = 11}), InvalidArgument);
  EXPECT_THROW((void)extend_lvm(X, X, {.width = -1.0}), InvalidArgument);
  EXPECT_THROW((void)extend_kernel_extrapolation(X, bad), InvalidArgument);
  const auto text = message_of<InvalidArgument>([&] { (void)extend_linear(X, Matrix::Ones(9, 2)); });
  EXPECT_TRUE(contains(text, "10 samples, but 9 rows of coordinates")) << text;
}

TEST(Regressions, RefuseWhatDoesNotFitIntoMemory) {
  const Matrix X = dataset::roll(300);
  const RunContext small{.memory_limit = 1e5};
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)extend_rbf(X, X, {}, small); }), "n_centers"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)extend_elm(X, X, {}, small); }), "n_nodes"));
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([&] { (void)extend_kernel_extrapolation(X, X, {}, small); }), "rbf"));
}

// Gaussians much wider than the distances between samples give a system whose solution misses the coordinates.
TEST(RbfExtension, KeepsItsPromise) {
  Rng rng(8);
  const Matrix apart = dataset::lifted_roll(40, 12), close = rng.uniform_matrix(25, 1);
  for (const Matrix& X : {apart, close})
    for (const double width : {0.01, 1.0, 100.0}) {
      const Matrix Y = rng.normal_matrix(X.rows(), 2);
      const auto map = extend_rbf(X, Y, {.width = width, .ridge = 0});
      const double error = (map->transform(X) - Y).cwiseAbs().maxCoeff() / Y.cwiseAbs().maxCoeff();
      EXPECT_TRUE(error < 1e-8 || map->info().promise == TrainingPromise::kApproximate) << width << ": " << error;
    }
  EXPECT_EQ(extend_rbf(apart, rng.normal_matrix(40, 2), {.ridge = 0})->info().promise, TrainingPromise::kExact);
}

TEST(KernelExtrapolation, RefusesKernelsBeyondTheRangeOfDoubles) {
  const auto text = message_of<InvalidArgument>([] {
    (void)extend_kernel_extrapolation(1e100 * dataset::roll(20), Matrix::Ones(20, 1),
                                      {.kernel = KernelKind::kPolynomial, .degree = 4});
  });
  EXPECT_TRUE(contains(text, "polynomial") && contains(text, "standardize")) << text;
}

// By angle, the first of the samples in one direction is as near as the equal one.
TEST(LvmExtension, IsExactOnlyWithAnExactEuclideanSearch) {
  const Matrix X = dataset::roll(20).array() + 20, Y = Rng(9).normal_matrix(20, 1);
  const auto promise = [&](Metric metric, NeighborSearch search) {
    return extend_lvm(X, Y, {.n_neighbors = 1, .metric = metric, .search = search})->info().promise;
  };
  EXPECT_EQ(promise(Metric::kEuclidean, NeighborSearch::kAuto), TrainingPromise::kExact);
  EXPECT_EQ(promise(Metric::kCosine, NeighborSearch::kAuto), TrainingPromise::kApproximate);
  EXPECT_EQ(promise(Metric::kEuclidean, NeighborSearch::kApproximate), TrainingPromise::kApproximate);
}

// Coordinates from other programs may have any origin: shifting them shifts the placed samples equally.
TEST(Extensions, AreEquivariantToShiftsOfTheCoordinates) {
  const Matrix X = dataset::lifted_roll(60, 9), fresh = dataset::lifted_roll(20, 9, 2), Y = X.leftCols(2).array().sin();
  const Matrix far = Y.array() + 1e6;
  const auto expect_shifted = [&](const auto& extend, const std::string& name) {
    const Matrix near_origin = extend(Y)->transform(fresh), shifted = extend(far)->transform(fresh).array() - 1e6;
    EXPECT_LT((shifted - near_origin).cwiseAbs().maxCoeff(), 1e-6) << name;
  };
  expect_shifted([&](const Matrix& y) { return extend_rbf(X, y); }, "rbf");
  expect_shifted([&](const Matrix& y) { return extend_rbf(X, y, {.n_centers = 20}); }, "rbf with few centres");
  expect_shifted([&](const Matrix& y) { return extend_kernel_extrapolation(X, y); }, "kernel_extrapolation");
  expect_shifted([&](const Matrix& y) { return extend_elm(X, y, {.n_nodes = 50}); }, "elm");
  expect_shifted([&](const Matrix& y) { return extend_linear(X, y); }, "linear");
  expect_shifted([&](const Matrix& y) { return extend_lvm(X, y); }, "lvm");
  expect_shifted([&](const Matrix& y) { return extend_sparse(X, y); }, "sparse");
  expect_shifted([&](const Matrix& y) { return extend_lle(X, y); }, "lle");
}

// Samples are processed in blocks; a message gives the row in the input.
TEST(Extensions, NameTheRowThatHasNoDirection) {
  const Matrix X = dataset::lifted_roll(60, 12).array() + 20;
  Matrix fresh = dataset::repeated(X, 2);
  fresh.row(101).setZero();
  const auto map = extend_lvm(X, X.leftCols(2), {.metric = Metric::kCosine});
  for (const auto& place : {+[](const OutOfSampleMap&m, const Matrix&x) { (void)m.transform(x, {.n_threads = 2}); },
                            +[](const OutOfSampleMap&m, const Matrix&x) { (void)m.codes(x); }}) {
    const auto text = message_of<InvalidArgument>([&] { place(*map, fresh); });
    EXPECT_TRUE(contains(text, "row 101 has length 0")) << text;
  }
}

}  // namespace
}  // namespace foldout
