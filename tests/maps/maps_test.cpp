// SPDX-License-Identifier: Apache-2.0
// The maps alone; extend/map_contract_test.cpp tests the guarantees of all maps.
#include <gtest/gtest.h>

#include <limits>

#include "core/archive.h"
#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/maps/explicit_map.h"
#include "linalg/kernel.h"
#include "maps/coded_map.h"
#include "maps/counted_transform.h"
#include "maps/feature_map.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

const MapInfo kInfo{"example", 5, 2, TrainingPromise::kNone};

TEST(ExplicitMap, IsAMatrixTimesTheShiftedSample) {
  const Matrix V = Rng(1).normal_matrix(5, 2), X = Rng(2).normal_matrix(70, 5);
  const Vector offset = Rng(3).normal_vector(5);
  const ExplicitMap map(kInfo, identity_features(5), V, offset);
  const Matrix expected = (X.rowwise() - offset.transpose()) * V;
  EXPECT_LT((map.transform(X) - expected).cwiseAbs().maxCoeff(), 1e-13);
  const ExplicitMap unshifted(kInfo, identity_features(5), V, Vector());
  EXPECT_LT((unshifted.transform(X) - X * V).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(ExplicitMap, TakesCentredKernelRows) {
  const Matrix train = Rng(4).normal_matrix(20, 5), X = Rng(5).normal_matrix(9, 5), V = Rng(6).normal_matrix(20, 2);
  const Kernel kernel{KernelKind::kGaussian, 3, 2};
  const KernelCentering centering(kernel_matrix(kernel, train, {}));
  const ExplicitMap map(kInfo, kernel_features(train, kernel, centering), V, Vector());
  Matrix rows = kernel_rows(kernel, X, train);
  centering.apply(rows);
  EXPECT_LT((map.transform(X) - rows * V).cwiseAbs().maxCoeff(), 1e-13);
  Archive archive;
  map.save(archive);
  EXPECT_TRUE(dataset::same_bits(ExplicitMap(archive).transform(X), map.transform(X)));
}

TEST(ExplicitMap, RefusesArraysThatDoNotFit) {
  Archive good;
  const ExplicitMap map(kInfo, identity_features(5), Matrix::Ones(5, 2), Vector::Zero(5));
  map.save(good);
  ASSERT_NO_THROW(ExplicitMap{good});
  const auto expect_refused = [&](const std::string& name, const auto& value) {
    Archive archive = good;
    archive.put(name, value);
    EXPECT_THROW(ExplicitMap{archive}, IoError) << name;
  };
  expect_refused("V", Matrix(Matrix::Ones(4, 2)));
  expect_refused("V", Matrix(Matrix::Ones(5, 1)));
  expect_refused("offset", Vector(Vector::Ones(4)));
  expect_refused("shape", std::vector<std::int64_t>{5});
  expect_refused("shape", std::vector<std::int64_t>{6, 2});
  expect_refused("shape", std::vector<std::int64_t>{-5, 2});
}

TEST(OutOfSampleMap, NamesARowBeyondTheRangeOfDoublePrecision) {
  const ExplicitMap map(kInfo, identity_features(5), Matrix::Constant(5, 2, 1e10), Vector());
  Matrix X = Matrix::Ones(100, 5);
  X(73, 0) = 1e300;
  const auto text = message_of<NumericalError>([&] { (void)map.transform(X); });
  EXPECT_TRUE(contains(text, "example: row 73 has no finite coordinates")) << text;
}

TEST(OutOfSampleMap, TakesAnyNumberOfThreads) {
  const ExplicitMap map({"m", 5, 5, TrainingPromise::kNone}, identity_features(5), Matrix::Identity(5, 5), Vector());
  const Matrix X = Rng(1).normal_matrix(3, 5);
  for (const int threads : {1, 1 << 29, 1 << 30, std::numeric_limits<int>::max()})
    EXPECT_TRUE(dataset::same_bits(map.transform(X, {.n_threads = threads}), X)) << threads;
}

TEST(OutOfSampleMap, CanBeCancelled) {
  const ExplicitMap map(kInfo, identity_features(5), Matrix::Ones(5, 2), Vector());
  const RunContext context{.progress = [](const Progress&) { return false; }};
  EXPECT_THROW((void)map.transform(Matrix::Ones(200, 5), context), Cancelled);
}

// Every sample is half of anchor 0 and half of the anchor that its first feature names.
class HalfCoder final : public Coder {
 public:
  [[nodiscard]] const Matrix& anchors() const override { return anchors_; }
  [[nodiscard]] SparseMatrix code(const MatrixRef& samples, Tally& tally) const override {
    tally.add("coded", samples.rows());
    for (Index i = 0; i < samples.rows(); ++i)
      if (samples(i, 0) == 0) tally.remark("only_zero", "reconstructed only from anchor 0", i);
    SparseMatrix codes(samples.rows(), 4);
    for (Index i = 0; i < samples.rows(); ++i) {
      codes.coeffRef(i, 0) += 0.5;
      codes.coeffRef(i, static_cast<Index>(samples(i, 0))) += 0.5;
    }
    return codes;
  }
  void save(Archive&) const override {}

 private:
  Matrix anchors_ = Matrix::Zero(4, 1);
};

TEST(CodedMap, AddsUpTheCoordinatesOfAnchors) {
  const Matrix Y = Rng(7).normal_matrix(4, 2);
  const CodedMap map({"half", 1, 2, TrainingPromise::kNone}, std::make_shared<HalfCoder>(), Y);
  Matrix X(3, 1);
  X << 2, 0, 3;
  const Matrix placed = map.transform(X);
  EXPECT_LT((placed.row(0) - (Y.row(0) + Y.row(2)) / 2).norm(), 1e-15);
  EXPECT_LT((placed.row(1) - Y.row(0)).norm(), 1e-15);
  EXPECT_EQ(map.samples()->rows(), 4);
  EXPECT_THROW(CodedMap({"half", 1, 2, TrainingPromise::kNone}, std::make_shared<HalfCoder>(), Y.topRows(3)),
               InvalidArgument);
  EXPECT_THROW(CodedMap({"half", 1, 3, TrainingPromise::kNone}, std::make_shared<HalfCoder>(), Y), InvalidArgument);
}

TEST(CodedMap, ReturnsItsCodes) {
  const CodedMap map({"half", 1, 2, TrainingPromise::kNone}, std::make_shared<HalfCoder>(), Matrix::Ones(4, 2));
  Matrix X(3, 1);
  X << 2, 0, 3;
  const Matrix codes = Matrix(map.codes(X, {.n_threads = 2}));
  Matrix expected(3, 4);
  expected << 0.5, 0, 0.5, 0, 1, 0, 0, 0, 0.5, 0, 0, 0.5;
  EXPECT_EQ(codes, expected);
  EXPECT_THROW((void)map.codes(Matrix::Ones(2, 3)), InvalidArgument);
}

TEST(CodedMap, TalliesWhatItsCoderCounts) {
  const CodedMap map({"half", 1, 2, TrainingPromise::kNone}, std::make_shared<HalfCoder>(), Matrix::Ones(4, 2));
  Matrix X = Matrix::Ones(300, 1);
  X(7, 0) = X(250, 0) = 0;
  for (const int threads : {1, 2}) {
    Tally tally;
    (void)CountedTransform{map}(X, {.n_threads = threads}, tally);
    Report report;
    tally.write(report, X.rows());
    EXPECT_EQ(*report.find_figure("coded_per_sample"), 1);
    ASSERT_EQ(report.notes.size(), 1U);
    EXPECT_EQ(report.notes[0].text, "2 samples: reconstructed only from anchor 0 (rows 7, 250)");
  }
}

// A rounded product missed some of these, and models of such maps were refused when loaded.
TEST(Powers, CountMonomialsExactly) {
  for (Index n = 1; n <= 60; ++n)
    for (int degree = 1; degree <= 20; ++degree) {
      if (n_monomials(n, degree) > 20000) break;
      EXPECT_EQ(static_cast<double>(polynomial_features(n, degree)->n_outputs()), n_monomials(n, degree))
          << n << " " << degree;
    }
  EXPECT_EQ(n_monomials(55, 3), 30855);
  EXPECT_GT(n_monomials(100000, 20), 1e60);
}

}  // namespace
}  // namespace foldout
