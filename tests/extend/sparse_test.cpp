// SPDX-License-Identifier: Apache-2.0
#include "foldout/extend/sparse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "core/random.h"
#include "extend/error_basis.h"
#include "foldout/core/error.h"
#include "foldout/io/files.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

// Unit vectors with positive entries: like images.
Matrix pictures(Index n, Index d, std::uint64_t seed) { return Rng(seed).uniform_matrix(n, d).array() + 0.1; }

struct PlacedWithReport {
  Matrix coordinates;
  Report report;
};

PlacedWithReport place(const OutOfSampleMap& map, const Matrix& X) {
  PlacedWithReport placed;
  placed.coordinates = map.transform(X, {}, placed.report);
  return placed;
}

TEST(SparseExtension, PlacesAMixtureBetweenItsParts) {
  const Matrix X = pictures(30, 80, 1), Y = Rng(2).normal_matrix(30, 3);
  const Matrix unit = X.rowwise().normalized();
  const Matrix mixed = 0.7 * unit.row(4) + 0.3 * unit.row(11);
  const auto map = extend_sparse(X, Y);
  EXPECT_LT((map->transform(mixed) - (0.7 * Y.row(4) + 0.3 * Y.row(11))).norm(), 1e-9);
  EXPECT_LT((map->transform(5 * mixed) - map->transform(mixed)).norm(), 1e-9)
      << "the length of a sample does not matter";
  const Matrix codes = Matrix(map->codes(mixed));
  EXPECT_NEAR(codes(0, 4), 0.7, 1e-9);
  EXPECT_NEAR(codes(0, 11), 0.3, 1e-9);
  EXPECT_NEAR(codes.sum(), 1, 1e-12);
}

TEST(SparseExtension, SeparatesGrossErrors) {
  const Matrix X = pictures(30, 80, 1), Y = Rng(2).normal_matrix(30, 3);
  Matrix damaged = X.topRows(10);
  Rng rng(3);
  for (Index i = 0; i < damaged.rows(); ++i)
    for (int k = 0; k < 16; ++k) damaged(i, static_cast<Index>(rng.below(80))) += rng.uniform(-1, 1);
  const Matrix placed = extend_sparse(X, Y)->transform(damaged);
  EXPECT_LT((placed - Y.topRows(10)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(SparseExtension, ReportsWorkAndCertificate) {
  const auto map = extend_sparse(pictures(30, 40, 1), Rng(2).normal_matrix(30, 3));
  const Report report = place(*map, pictures(20, 40, 5)).report;
  EXPECT_GT(*report.find_figure("pivots_per_sample"), 1);
  EXPECT_GT(*report.find_figure("multiply_adds_per_sample"), 100);
  EXPECT_LE(*report.find_figure("largest_gap"), 1e-8);
  EXPECT_GT(*report.find_figure("nonzeros_per_sample"), 1);
  EXPECT_TRUE(report.notes.empty());
}

TEST(SparseExtension, FallsBackToTheNearestIfTheCodeIsZero) {
  // In few dimensions errors cost less than atoms in other directions.
  Matrix X(3, 2), fresh(2, 2);
  X << 1, 0.1, 0.9, 0.3, 0.7, 0.7;
  fresh << -1, 0.5, 0, 0;
  const Matrix Y = Rng(4).normal_matrix(3, 2);
  const PlacedWithReport placed = place(*extend_sparse(X, Y), fresh);
  ASSERT_TRUE(placed.report.has_note("sparse_zero_code"));
  EXPECT_EQ(placed.report.notes[0].text,
            "2 samples: not explained by any training sample, placed at the nearest (rows 0, 1)");
  EXPECT_EQ(placed.coordinates.row(0), Y.row(2));
  EXPECT_TRUE(placed.coordinates.allFinite());
}

TEST(SparseExtension, DistinguishesSamplesOfOneDirection) {
  Matrix X = pictures(20, 30, 6);
  X.row(3) = 2.5 * X.row(1);
  X.row(7) = X.row(1);
  const Matrix Y = Rng(7).normal_matrix(20, 2);
  const auto map = extend_sparse(X, Y);
  EXPECT_EQ(map->transform(X.row(3)), Y.row(3));
  EXPECT_EQ(map->transform(X.row(1)), Y.row(1));
  EXPECT_EQ(map->transform(X.row(7)), Y.row(1)) << "of equal samples the first";
  EXPECT_EQ(map->transform(3 * X.row(1)), Y.row(1)) << "of one direction the first";
}

TEST(SparseExtension, SupportsErrorBases) {
  for (const Index n : {1, 2, 3, 8, 13, 32}) {
    EXPECT_TRUE(is_orthonormal(dct_basis(n))) << n;
    EXPECT_TRUE(is_orthonormal(haar_basis(n))) << n;
  }
  EXPECT_FALSE(is_orthonormal(Matrix::Ones(3, 3)));
  const Vector constant = Vector::Constant(8, 1 / std::sqrt(8.0));
  EXPECT_NEAR((dct_basis(8).transpose() * constant).cwiseAbs().maxCoeff(), 1, 1e-14);
  EXPECT_NEAR((haar_basis(8).transpose() * constant).cwiseAbs().maxCoeff(), 1, 1e-14);
  EXPECT_NEAR(dct_basis(8)(2, 3), 0.5 * std::cos(std::numbers::pi * 2.5 * 3 / 8), 1e-15);
}

TEST(SparseExtension, SeparatesErrorsInTheirBasis) {
  const Matrix X = pictures(20, 32, 8), Y = Rng(9).normal_matrix(20, 2), unit = X.rowwise().normalized();
  for (const std::string errors : {"dct", "haar"}) {
    const Matrix basis = errors == "dct" ? dct_basis(32) : haar_basis(32);
    const Matrix hurt = unit.row(5) + 0.4 * basis.col(30).transpose();  // spread over many features
    EXPECT_LT((extend_sparse(X, Y, {.errors = errors})->transform(hurt) - Y.row(5)).norm(), 1e-9) << errors;
    EXPECT_GT((extend_sparse(X, Y)->transform(hurt) - Y.row(5)).norm(), 1e-3) << errors;
  }
}

class SparseBasisFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string file(const Matrix& basis) const {
    save_matrix(folder_ + "/basis.npy", basis);
    return folder_ + "/basis.npy";
  }
  const std::string folder_ =
      testing::TempDir() + "foldout_basis_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  const Matrix X_ = pictures(20, 16, 8), Y_ = Rng(9).normal_matrix(20, 2), fresh_ = pictures(15, 16, 10);
};

TEST_F(SparseBasisFile, OrthonormalOnesAreRotations) {
  const auto from_file = extend_sparse(X_, Y_, {.errors = "given", .error_basis = dct_basis(16)});
  const auto named = extend_sparse(X_, Y_, {.errors = "dct"});
  EXPECT_TRUE(dataset::same_bits(from_file->transform(fresh_), named->transform(fresh_)));
  const auto identity = extend_sparse(X_, Y_, {.errors = "given", .error_basis = Matrix::Identity(16, 16)});
  EXPECT_LT((identity->transform(fresh_) - extend_sparse(X_, Y_)->transform(fresh_)).norm(), 1e-9);
}

TEST_F(SparseBasisFile, OthersAreExtraColumns) {
  Matrix wide(16, 17);
  wide << Matrix::Identity(16, 16), Vector::Ones(16);
  const auto map = extend_sparse(X_, Y_, {.errors = "given", .error_basis = wide});
  const Matrix unit = X_.rowwise().normalized();
  const Matrix brighter = unit.row(2).array() + 0.2;  // an error along the extra column; at unit length a mixture
  EXPECT_LT((map->transform(brighter) - Y_.row(2)).norm(), 1e-8);
  EXPECT_EQ(map->info().promise, TrainingPromise::kApproximate) << "long columns may cost less than a sample";
  const PlacedWithReport placed = place(*map, fresh_);
  EXPECT_FALSE(placed.report.has_note("sparse_infeasible")) << "the columns span everything";
  const auto narrow =
      extend_sparse(X_.topRows(5), Y_.topRows(5), {.errors = "given", .error_basis = wide.rightCols(1)});
  EXPECT_TRUE(place(*narrow, fresh_).report.has_note("sparse_infeasible"));
  const auto text = message_of<InvalidArgument>(
      [&] { (void)extend_sparse(X_, Y_, {.errors = "given", .error_basis = Matrix::Ones(3, 2)}); });
  EXPECT_TRUE(contains(text, "3 rows")) << text;
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([&] { (void)extend_sparse(X_, Y_, {.errors = "fourier"}); }), "identity"));
}

TEST(SparseExtension, WithoutErrorsReportsSamplesOutsideTheSpan) {
  const Matrix X = pictures(6, 20, 11), Y = Rng(12).normal_matrix(6, 2);
  const auto map = extend_sparse(X, Y, {.errors = "none"});
  const Matrix inside = (0.4 * X.row(0) + 0.6 * X.row(5)), outside = pictures(2, 20, 13);
  EXPECT_TRUE(place(*map, inside).report.notes.empty());
  const PlacedWithReport placed = place(*map, outside);
  EXPECT_TRUE(placed.report.has_note("sparse_infeasible"));
  EXPECT_LT((placed.coordinates - extend_sparse(X, Y)->transform(outside)).norm(), 1e-12) << "Eq. 12 instead";
}

TEST(SparseExtension, DividesByEigenvaluesThatAreLargeEnough) {
  const Matrix X = pictures(15, 20, 14), Y = Rng(15).normal_matrix(15, 3), fresh = pictures(4, 20, 16);
  const Vector lambda{{0.5, 0.9, 1.4}};  // μ = 0.5, 0.1, −0.4
  LaplacianEigenmapsFit fit;
  fit.coordinates = Y;
  fit.eigenvalues = lambda;
  const Matrix plain = extend_sparse(X, Y)->transform(fresh);
  const Matrix corrected = extend_sparse(X, fit, {.correction = true})->transform(fresh);
  EXPECT_LT((corrected.col(0) - 2 * plain.col(0)).norm(), 1e-12);
  EXPECT_EQ(corrected.rightCols(2), plain.rightCols(2));
  const auto text = message_of<InvalidArgument>([&] { (void)extend_sparse(X, Y, {.correction = true}); });
  EXPECT_TRUE(contains(text, "laplacian_eigenmaps")) << text;
}

}  // namespace
}  // namespace foldout
