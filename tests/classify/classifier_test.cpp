// SPDX-License-Identifier: Apache-2.0
#include "classify/classifier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "core/random.h"
#include "core/tally.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/l1/l1_coding.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

using Labelling = std::vector<int>;

Labelling predict(const Classifier& classifier, const Matrix& points, int threads = 1) {
  Tally unused;
  return classifier.predict(points, {.n_threads = threads}, unused);
}

LabelledPoints clouds(Index per_class, Index d, std::uint64_t seed) {
  LabelledPoints training{dataset::blobs(per_class, 3, d, 3.0, seed).array() + 5, {}};
  for (Index i = 0; i < training.points.rows(); ++i) training.labels.push_back(static_cast<int>(i / per_class) * 2 + 1);
  return training;
}

// The label with most votes among the k nearest; ties go to the first.
Labelling by_votes(const LabelledPoints& training, const Matrix& points, Index k, Metric metric) {
  const NeighborTable table = oracle::nearest(training.points, points, k, metric);
  Labelling labels;
  for (Index i = 0; i < points.rows(); ++i) {
    std::map<int, int> votes;
    for (const int j : table.of(i)) ++votes[training.labels[static_cast<std::size_t>(j)]];
    int best = -1, most = 0;
    for (const int j : table.of(i))
      if (const int label = training.labels[static_cast<std::size_t>(j)]; votes[label] > most) {
        most = votes[label];
        best = label;
      }
    labels.push_back(best);
  }
  return labels;
}

TEST(NearestClassifier, CountsTheVotesOfTheNearest) {
  for (const Index d : {2, 15}) {
    const LabelledPoints training = clouds(20, d, 1);
    const Matrix points = clouds(30, d, 2).points;
    for (const int k : {1, 2, 5, 6, 60})
      for (const Metric metric :
           {Metric::kEuclidean, Metric::kCosine, Metric::kCorrelation, Metric::kManhattan, Metric::kChebyshev}) {
        if (d == 2 && metric == Metric::kCorrelation) continue;  // all distances are 0 or 2
        EXPECT_EQ(predict(*nearest_classifier(training, {k, metric}), points), by_votes(training, points, k, metric))
            << d << " " << k;
      }
  }
}

TEST(NearestClassifier, GivesATieToTheNearest) {
  Matrix points(4, 1);
  points << 0, 2, 3, 9;
  const LabelledPoints training{points, {7, 4, 4, 7}};
  const Matrix fresh = Matrix::Constant(1, 1, 0.9);
  EXPECT_EQ(predict(*nearest_classifier(training, {2}), fresh), Labelling{7}) << "one vote each, 7 is nearer";
  EXPECT_EQ(predict(*nearest_classifier(training, {3}), fresh), Labelling{4});
  EXPECT_EQ(predict(*nearest_classifier(training, {4}), fresh), Labelling{7}) << "two votes each";
  EXPECT_EQ(predict(*nearest_classifier(training, {1}), Matrix::Constant(1, 1, 1.0)), Labelling{7})
      << "of equally near ones the first";
}

TEST(NearestClassifier, HandlesOneClassAndOnePoint) {
  EXPECT_EQ(predict(*nearest_classifier({Matrix::Ones(1, 3), {5}}), Matrix::Zero(2, 3)), (Labelling{5, 5}));
  EXPECT_EQ(predict(*sparse_classifier({Matrix::Ones(1, 3), {5}}), Matrix::Zero(2, 3)), (Labelling{5, 5}));
  EXPECT_EQ(predict(*affinity_classifier({Matrix::Ones(1, 3), {5}}), Matrix::Ones(2, 3)), (Labelling{5, 5}));
}

TEST(AffinityClassifier, DependsOnlyOnAngles) {
  const LabelledPoints training = clouds(20, 4, 3);
  const Matrix points = clouds(20, 4, 4).points;
  const Labelling labels = predict(*affinity_classifier(training), points);
  const Matrix cosines = training.points.rowwise().normalized() * points.rowwise().normalized().transpose();
  for (Index i = 0; i < points.rows(); ++i) {
    Index best = 0;
    cosines.col(i).maxCoeff(&best);
    EXPECT_EQ(labels[static_cast<std::size_t>(i)], training.labels[static_cast<std::size_t>(best)]) << i;
  }
  EXPECT_EQ(predict(*affinity_classifier(training), 16 * points), labels);
}

// argmin_c ‖x − e − X δ_c(a)‖ as in the paper, over the classes of all training points.
Labelling by_residuals(const LabelledPoints& training, const Matrix& points) {
  const Matrix X = training.points.rowwise().normalized(), fresh = points.rowwise().normalized();
  const L1Dictionary dictionary(X);
  Labelling labels;
  for (Index i = 0; i < fresh.rows(); ++i) {
    const L1Code code = dictionary.code({fresh.row(i).data(), static_cast<std::size_t>(X.cols())});
    Vector a = Vector::Zero(X.rows());
    for (std::size_t j = 0; j < code.atoms.size(); ++j) a[code.atoms[j]] = code.values[j];
    const Vector x = fresh.row(i), e = x - X.transpose() * a;
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const int c : training.labels) {
      Vector part = a;
      for (Index j = 0; j < a.size(); ++j)
        if (training.labels[static_cast<std::size_t>(j)] != c) part[j] = 0;
      if (const double residual = (x - e - X.transpose() * part).norm(); residual < least * (1 - 1e-9)) {
        least = residual;
        best = c;
      }
    }
    labels.push_back(best);
  }
  return labels;
}

TEST(SparseClassifier, ChoosesTheClassOfSmallestResidual) {
  for (const Index d : {6, 40}) {
    const LabelledPoints training = clouds(15, d, 5);
    const Matrix points = clouds(15, d, 6).points;
    const Labelling labels = predict(*sparse_classifier(training), points);
    EXPECT_EQ(labels, by_residuals(training, points)) << d;
  }
  const LabelledPoints training = clouds(15, 40, 5);
  EXPECT_EQ(predict(*sparse_classifier(training), training.points), training.labels) << "each is its own code";
}

TEST(SparseClassifier, ToleratesGrossErrors) {
  Rng rng(7);
  LabelledPoints training{rng.uniform_matrix(30, 60), {}};
  for (int i = 0; i < 30; ++i) training.labels.push_back(i % 6);
  Matrix damaged = training.points;
  for (Index i = 0; i < damaged.rows(); ++i)
    for (int k = 0; k < 12; ++k) damaged(i, static_cast<Index>(rng.below(60))) = 3 * rng.uniform();
  EXPECT_EQ(predict(*sparse_classifier(training), damaged), training.labels);
}

TEST(SparseClassifier, FallsBackToTheNearestIfTheCodeIsZero) {
  Matrix points(3, 4);
  points << 1, 0, 0, 0, 0, 1, 0.2, 0, 0, 0, 0, 5;
  const auto classifier = sparse_classifier({points, {3, 8, 9}});
  Matrix fresh(3, 4);
  fresh << 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0.4, 0;
  Tally tally;
  const Labelling labels = classifier->predict(fresh, {}, tally);
  EXPECT_EQ(labels[0], 8);
  EXPECT_EQ(labels[2], 8);
  Report report;
  tally.write(report, 3);
  ASSERT_TRUE(report.has_note("sparse_zero_code"));
  for (const auto& note : report.notes) EXPECT_TRUE(contains(note.text, "rows 0, 1")) << note.text;
  EXPECT_LE(*report.find_figure("largest_gap"), 1e-8);
}

TEST(Classifiers, AreTheSameOnTwoThreadsAndAlone) {
  const LabelledPoints training = clouds(30, 12, 8);
  const Matrix points = clouds(40, 12, 9).points;
  for (const auto& classifier :
       {nearest_classifier(training, {3}), affinity_classifier(training), sparse_classifier(training)}) {
    const Labelling all = predict(*classifier, points);
    EXPECT_EQ(predict(*classifier, points, 2), all);
    for (const Index i : {0, 7, 119})
      EXPECT_EQ(predict(*classifier, points.middleRows(i, 1))[0], all[static_cast<std::size_t>(i)]);
    EXPECT_TRUE(predict(*classifier, Matrix(0, 12)).empty());
  }
}

TEST(Classifiers, RefuseWhatDoesNotFit) {
  const LabelledPoints training = clouds(5, 4, 10);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)nearest_classifier(training, {16}); }), "15"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)nearest_classifier(training, {0}); }), "n_neighbors"));
  for (const auto& make : {+[](LabelledPoints t) { return nearest_classifier(std::move(t)); }, &affinity_classifier,
                           +[](LabelledPoints t) { return sparse_classifier(std::move(t)); }}) {
    EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)make({training.points, {1, 2}}); }), "2 labels"));
    EXPECT_THROW((void)make({Matrix(0, 4), {}}), InvalidArgument);
    const auto classifier = make(training);
    EXPECT_TRUE(
        contains(message_of<InvalidArgument>([&] { (void)predict(*classifier, Matrix::Ones(2, 3)); }), "3 features"));
    Matrix bad = Matrix::Ones(70, 4);
    bad(66, 2) = std::nan("");
    EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)predict(*classifier, bad); }), "row 66, column 2"));
    bad = training.points;
    bad(3, 1) = std::numeric_limits<double>::infinity();
    EXPECT_THROW((void)make({bad, training.labels}), InvalidArgument);
  }
}

}  // namespace
}  // namespace foldout
