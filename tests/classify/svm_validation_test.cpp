// SPDX-License-Identifier: Apache-2.0
// The parameters that svm chooses, and its behaviour if there is little or nothing to choose from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "classify/classifier.h"
#include "classify/svm.h"
#include "core/archive.h"
#include "core/random.h"
#include "core/tally.h"
#include "foldout/core/error.h"
#include "graph/affinity.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

using Labelling = std::vector<int>;

Labelling predict(const Classifier& classifier, const Matrix& points) {
  Tally unused;
  return classifier.predict(points, {}, unused);
}

// A board of 4 × 4 fields in two colours: neither a straight line nor a wide kernel separates them.
LabelledPoints checkerboard(Index n, std::uint64_t seed) {
  LabelledPoints board{4 * Rng(seed).uniform_matrix(n, 2), {}};
  for (Index i = 0; i < n; ++i)
    board.labels.push_back((static_cast<int>(board.points(i, 0)) + static_cast<int>(board.points(i, 1))) % 2);
  return board;
}

LabelledPoints clouds(Index per_class, Index n_classes, double distance) {
  LabelledPoints training{dataset::blobs(per_class, n_classes, 3, distance, 1), {}};
  for (Index i = 0; i < training.points.rows(); ++i) training.labels.push_back(static_cast<int>(i / per_class));
  return training;
}

double rate(const Labelling& labels, const Labelling& truth) {
  double right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += labels[i] == truth[i];
  return right / static_cast<double>(labels.size());
}

TEST(SvmValidation, FindsTheScaleOfACheckerboard) {
  const LabelledPoints training = checkerboard(500, 1), fresh = checkerboard(1000, 2);
  const SvmFit fit = fit_svm(training, {}, {.n_threads = 2});
  const double accuracy = rate(predict(*fit.classifier, fresh.points), fresh.labels);
  EXPECT_GT(accuracy, 0.93);
  EXPECT_NEAR(accuracy, *fit.report.find_figure("svm_accuracy"), 0.04);
  const double wide = 4 * mean_squared_pair_distance(training.points);
  EXPECT_LT(rate(predict(*fit_svm(training, {.cost = 1, .width = wide}).classifier, fresh.points), fresh.labels), 0.7);
}

TEST(SvmValidation, ChoosesOnTheGridAndReportsIt) {
  const LabelledPoints training = checkerboard(200, 3);
  const SvmFit fit = fit_svm(training);
  const SvmMachine& m = fit.classifier->machine();
  const auto is_whole = [](double x) { return std::abs(x - std::round(x)) < 1e-9; };
  EXPECT_TRUE(is_whole(std::log2(m.cost))) << m.cost;
  EXPECT_TRUE(is_whole(std::log2(m.width / mean_squared_pair_distance(training.points)))) << m.width;
  EXPECT_EQ(*fit.report.find_figure("svm_cost"), m.cost);
  EXPECT_EQ(*fit.report.find_figure("svm_width"), m.width);
  EXPECT_EQ(*fit.report.find_figure("support_vectors"), static_cast<double>(m.support.size()));
  EXPECT_TRUE(fit.report.notes.empty());

  const SvmFit half = fit_svm(training, {.cost = 3});
  EXPECT_EQ(half.classifier->machine().cost, 3);
  EXPECT_TRUE(half.report.find_figure("svm_accuracy"));
  EXPECT_EQ(fit_svm(training, {.width = 0.3}).classifier->machine().width, 0.3);
  const SvmFit given = fit_svm(training, {.cost = m.cost, .width = m.width});
  EXPECT_FALSE(given.report.find_figure("svm_accuracy"));
  EXPECT_EQ(given.classifier->machine().support, m.support);
  EXPECT_LT((given.classifier->machine().coefficients - m.coefficients).cwiseAbs().maxCoeff(), 1e-3 * m.cost);
}

// All candidates are equally good: the smoothest is chosen.
TEST(SvmValidation, GivesATieToTheSmootherModel) {
  const LabelledPoints training = clouds(20, 2, 1000);
  const SvmFit fit = fit_svm(training);
  EXPECT_EQ(*fit.report.find_figure("svm_accuracy"), 1);
  EXPECT_NEAR(fit.classifier->machine().width / mean_squared_pair_distance(training.points), 16, 1e-9);
  EXPECT_EQ(fit.classifier->machine().cost, 0.25);
}

TEST(SvmValidation, DrawsFoldsFromTheSeed) {
  const LabelledPoints training = checkerboard(120, 4);
  std::vector<double> accuracies;
  for (const std::uint64_t seed : {0U, 0U, 1U, 2U, 3U})
    accuracies.push_back(*fit_svm(training, {.seed = seed}).report.find_figure("svm_accuracy"));
  EXPECT_EQ(accuracies[0], accuracies[1]);
  EXPECT_TRUE(accuracies[0] != accuracies[2] || accuracies[0] != accuracies[3] || accuracies[0] != accuracies[4]);
}

TEST(SvmValidation, HandlesClassesSmallerThanItsFolds) {
  LabelledPoints training = clouds(15, 3, 40);
  for (const std::size_t i : {0U, 1U, 2U}) training.labels[i] = 7;  // a class of three
  training.labels[44] = 9;                                          // and one of one
  const SvmFit fit = fit_svm(training);
  ASSERT_TRUE(fit.report.has_note("svm_small_classes"));
  EXPECT_TRUE(contains(fit.report.notes[0].text, "2 of 5 classes")) << fit.report.notes[0].text;
  EXPECT_EQ(fit.classifier->machine().classes, (Labelling{0, 1, 2, 7, 9}));
}

TEST(SvmValidation, ReportsThatNothingCouldBeHeldOut) {
  const Matrix points = dataset::grid(3, 2);
  const SvmFit fit = fit_svm({points, {4, 1, 2, 3, 0, 5, 6, 7, 8}});
  EXPECT_TRUE(fit.report.has_note("svm_not_validated"));
  EXPECT_FALSE(fit.report.find_figure("svm_accuracy"));
  EXPECT_EQ(fit.classifier->machine().cost, 1);
  EXPECT_EQ(predict(*fit.classifier, points), (Labelling{4, 1, 2, 3, 0, 5, 6, 7, 8}));
}

TEST(SvmValidation, UsesAPartOfManySamples) {
  const SvmFit fit = fit_svm(clouds(800, 3, 30), {.cost = 1});
  ASSERT_TRUE(fit.report.has_note("svm_validated_on_a_part"));
  EXPECT_TRUE(contains(fit.report.notes[0].text, "2001 of 2400")) << fit.report.notes[0].text;
}

TEST(SvmValidation, CanBeCancelled) {
  int calls = 0;
  const RunContext context{.progress = [&](const Progress&) { return ++calls < 5; }};
  EXPECT_THROW((void)fit_svm(checkerboard(200, 5), {}, context), Cancelled);
  EXPECT_EQ(calls, 5);
  calls = 0;
  EXPECT_THROW((void)fit_svm(clouds(10, 5, 3), {.cost = 1, .width = 1}, context), Cancelled);
}

TEST(SvmValidation, ReportsItsProgressOnce) {
  std::vector<double> reported;
  (void)fit_svm(checkerboard(100, 6), {}, {.progress = [&](const Progress& p) {
                  if (p.phase == "cross-validation") reported.push_back(p.fraction);
                  return true;
                }});
  EXPECT_GT(reported.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(reported));
  EXPECT_NEAR(reported.back(), 1, 1e-12);
}

TEST(SvmHardInput, HasOneClass) {
  const SvmFit fit = fit_svm({Rng(1).normal_matrix(10, 2), Labelling(10, 6)});
  EXPECT_TRUE(fit.report.has_note("svm_one_class"));
  EXPECT_EQ(predict(*fit.classifier, Matrix::Ones(2, 2)), (Labelling{6, 6}));
  EXPECT_EQ(predict(*fit_svm({Matrix::Ones(1, 2), {6}}).classifier, Matrix::Ones(2, 2)), (Labelling{6, 6}));
  EXPECT_EQ(fit.classifier->decisions(Matrix::Ones(2, 2)).cols(), 0);
}

TEST(SvmHardInput, HasCoincidentPoints) {
  const SvmFit fit = fit_svm({Matrix::Constant(7, 3, 0.1), {2, 1, 1, 2, 2, 3, 3}});
  EXPECT_TRUE(fit.report.has_note("svm_coincident"));
  EXPECT_EQ(predict(*fit.classifier, Rng(2).normal_matrix(2, 3)), (Labelling{2, 2}));
  Archive archive;
  fit.classifier->save(archive);
  EXPECT_EQ(predict(*load_svm(archive, {Matrix::Constant(7, 3, 0.1), {2, 1, 1, 2, 2, 3, 3}}, {.cost = 1, .width = 1}),
                    Matrix::Ones(1, 3)),
            Labelling{2});
}

TEST(SvmHardInput, HasConstantCoordinatesAndCopies) {
  LabelledPoints training = checkerboard(150, 6);
  const Labelling labels = predict(*fit_svm(training).classifier, training.points);
  Matrix wide = Matrix::Constant(150, 4, 3.0);
  wide.leftCols(2) = training.points;
  EXPECT_EQ(predict(*fit_svm({wide, training.labels}).classifier, wide), labels);

  // Samples that contradict each other: at most half of them can be right.
  training.points = dataset::repeated(training.points, 2);
  Labelling contradicting;
  for (const int label : training.labels) contradicting.insert(contradicting.end(), {label, 1 - label});
  const auto svm = fit_svm({training.points, contradicting}).classifier;
  EXPECT_EQ(rate(predict(*svm, training.points), contradicting), 0.5);
}

TEST(SvmHardInput, IsFarFromEverything) {
  const LabelledPoints training = clouds(10, 3, 5);
  const auto svm = fit_svm(training).classifier;
  Matrix points = training.points.topRows(3);
  points.row(1).setConstant(1e9);
  points.row(2).setConstant(std::numeric_limits<double>::max());
  Tally tally;
  const Labelling labels = svm->predict(points, {}, tally);
  EXPECT_EQ(labels[0], 0);
  EXPECT_EQ(labels[1], labels[2]);
  EXPECT_TRUE(svm->decisions(points).allFinite());
  Report report;
  tally.write(report, 3);
  ASSERT_TRUE(report.has_note("svm_far"));
  EXPECT_TRUE(contains(report.notes[0].text, "rows 1, 2")) << report.notes[0].text;
}

TEST(SvmHardInput, IsRefused) {
  const LabelledPoints training = clouds(10, 3, 5);
  const auto refusal = [&](const SvmOptions& options) {
    return message_of<InvalidArgument>([&] { (void)fit_svm(training, options); });
  };
  EXPECT_TRUE(contains(refusal({.cost = 0}), "cost = 0"));
  EXPECT_TRUE(contains(refusal({.cost = -1}), "cost = -1"));
  EXPECT_TRUE(contains(refusal({.cost = std::nan("")}), "cost"));
  EXPECT_TRUE(contains(refusal({.width = 0}), "width = 0"));
  EXPECT_TRUE(contains(refusal({.width = 1e-30}), "mean squared distance"));
  EXPECT_TRUE(contains(refusal({.n_folds = 1}), "n_folds = 1"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)fit_svm({training.points, {1, 2}}); }), "2 labels"));
  EXPECT_THROW((void)fit_svm({Matrix(0, 3), {}}), InvalidArgument);
  Matrix bad = training.points;
  bad(4, 1) = std::nan("");
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)fit_svm({bad, training.labels}); }), "row 4, column 1"));
  bad(4, 1) = 1e200;
  EXPECT_THROW((void)fit_svm({bad, training.labels}), InvalidArgument);
  const auto svm = fit_svm(training).classifier;
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)predict(*svm, Matrix::Ones(2, 2)); }), "2 features"));
  bad = training.points;
  bad(7, 2) = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)predict(*svm, bad); }), "row 7, column 2"));
  const auto text = message_of<InvalidArgument>([&] { (void)fit_svm(training, {}, {.memory_limit = 1000}); });
  EXPECT_TRUE(contains(text, "svm: binary SVMs of 3 classes over 30 samples")) << text;
  const auto table = message_of<InvalidArgument>([&] { (void)fit_svm(training, {}, {.memory_limit = 10000}); });
  EXPECT_TRUE(contains(table, "svm: the kernel of 30 samples")) << table;
  EXPECT_NO_THROW((void)fit_svm(training, {.cost = 1, .width = 9}, {.memory_limit = 10000}));
}

// Leaving libsvm in the middle of a problem loses its arrays, which a leak checker would report.
#ifndef __SANITIZE_ADDRESS__
TEST(Svm, CanBeCancelledWithinOneProblem) {
  LabelledPoints training{Rng(7).normal_matrix(1500, 3), {}};  // two classes that nothing separates
  for (Index i = 0; i < training.points.rows(); ++i) training.labels.push_back(static_cast<int>(i % 2));
  for (const int n_threads : {1, 2}) {
    int calls = 0;
    const RunContext context{.n_threads = n_threads, .progress = [&](const Progress&) { return ++calls < 5; }};
    EXPECT_THROW((void)fit_svm(training, {.cost = 1000, .width = 0.1}, context), Cancelled);
    EXPECT_EQ(calls, 5);
  }
  training.points.conservativeResize(200, 3);
  training.labels.resize(200);
  EXPECT_NO_THROW((void)fit_svm(training, {.cost = 1, .width = 1})) << "and used again";
}
#endif

}  // namespace
}  // namespace foldout
