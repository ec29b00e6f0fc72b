// SPDX-License-Identifier: Apache-2.0
#include "classify/svm.h"

#include <gtest/gtest.h>
#include <svm.h>

#include <cmath>
#include <cstdlib>

#include "classify/classifier.h"
#include "classify/svm_training.h"
#include "core/archive.h"
#include "core/random.h"
#include "core/rows.h"
#include "core/tally.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "linalg/kernel.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

using Labelling = std::vector<int>;

Labelling predict(const Classifier& classifier, const Matrix& points, int threads = 1) {
  Tally unused;
  return classifier.predict(points, {.n_threads = threads}, unused);
}

// Clouds that overlap, with labels 1, 3, 5, … in no order.
LabelledPoints clouds(Index per_class, Index n_classes, Index d, double distance, std::uint64_t seed) {
  const Matrix points = dataset::blobs(per_class, n_classes, d, distance, seed).array() + 50;
  const auto order = dataset::random_order(points.rows(), seed);
  LabelledPoints training{dataset::rows_of(points, order), {}};
  for (const Index i : order) training.labels.push_back(static_cast<int>(i / per_class) * 2 + 1);
  return training;
}

double kernel(const Matrix& X, Index i, const Matrix& Y, Index j, double width) {
  return std::exp(-(X.row(i) - Y.row(j)).squaredNorm() / width);
}

// Which column of the coefficients is class `own` against class `other`.
Index column(Index own, Index other) { return other < own ? other : other - 1; }

Index class_of(const SvmMachine& m, int label) { return std::ranges::find(m.classes, label) - m.classes.begin(); }

// f of classes a < b at a point, by its formula.
double decision(const LabelledPoints& training, const SvmMachine& m, Index a, Index b, Index pair, const Matrix& x) {
  double f = -m.rho[pair];
  for (std::size_t s = 0; s < m.support.size(); ++s) {
    const Index own = class_of(m, training.labels[static_cast<std::size_t>(m.support[s])]);
    if (own != a && own != b) continue;
    f += m.coefficients(static_cast<Index>(s), column(own, own == a ? b : a)) *
         kernel(x, 0, training.points, m.support[s], m.width);
  }
  return f;
}

TEST(Svm, DecidesByItsFormula) {
  const LabelledPoints training = clouds(20, 4, 3, 2.0, 1);
  const Matrix points = clouds(10, 4, 3, 2.0, 2).points;
  const auto svm = fit_svm(training, {.cost = 3, .width = 5}).classifier;
  const SvmMachine& m = svm->machine();
  const Matrix f = svm->decisions(points);
  const Labelling labels = predict(*svm, points);
  ASSERT_EQ(f.cols(), 6);
  for (Index i = 0; i < points.rows(); ++i) {
    std::vector<int> votes(4, 0);
    Index pair = 0;
    for (Index a = 0; a < 4; ++a)
      for (Index b = a + 1; b < 4; ++b, ++pair) {
        EXPECT_NEAR(f(i, pair), decision(training, m, a, b, pair, points.row(i)), 1e-11);
        ++votes[static_cast<std::size_t>(f(i, pair) > 0 ? a : b)];
      }
    const auto most = static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin());
    EXPECT_EQ(labels[static_cast<std::size_t>(i)], m.classes[most]) << i;
  }
}

// Karush, Kuhn and Tucker: Σ y α = 0, and y f ≥ 1, = 1 or ≤ 1 as α is 0, between or C.
TEST(Svm, SolvesTheDualProblem) {
  for (const double cost : {0.3, 1.0, 30.0}) {
    const LabelledPoints training = clouds(25, 3, 4, 1.5, 3);
    const auto fit = fit_svm(training, {.cost = cost, .width = 8});
    const SvmMachine& m = fit.classifier->machine();
    const Matrix f = fit.classifier->decisions(training.points);
    constexpr double kTolerance = 2e-3;  // that of training, on either side
    Index pair = 0;
    for (Index a = 0; a < 3; ++a)
      for (Index b = a + 1; b < 3; ++b, ++pair) {
        Vector alpha = Vector::Zero(training.points.rows());
        double sum = 0;
        for (std::size_t s = 0; s < m.support.size(); ++s) {
          const Index own = class_of(m, training.labels[static_cast<std::size_t>(m.support[s])]);
          if (own != a && own != b) continue;
          const double c = m.coefficients(static_cast<Index>(s), column(own, own == a ? b : a));
          alpha[m.support[s]] = own == a ? c : -c;
          sum += c;
        }
        EXPECT_NEAR(sum, 0, 1e-9 * cost);
        EXPECT_GE(alpha.minCoeff(), 0);
        EXPECT_LE(alpha.maxCoeff(), cost);
        for (Index i = 0; i < training.points.rows(); ++i) {
          const Index own = class_of(m, training.labels[static_cast<std::size_t>(i)]);
          if (own != a && own != b) continue;
          const double margin = (own == a ? 1 : -1) * f(i, pair);
          EXPECT_TRUE(alpha[i] == cost || margin >= 1 - kTolerance) << i << ": " << margin;
          EXPECT_TRUE(alpha[i] == 0 || margin <= 1 + kTolerance) << i << ": " << margin;
        }
      }
  }
}

// libsvm's own division into pairs, voting and kernel, on the same points.
TEST(Svm, AgreesWithLibsvm) {
  const LabelledPoints training = clouds(15, 5, 3, 1.2, 4);
  const SvmTrainingSet set(training);
  const Matrix& Z = set.places().points;
  const SvmClassifier ours(set.places(), set.train(2.0, 0.5, {}));

  const auto nodes_of = [](const Matrix& X, Index i) {
    std::vector<svm_node> nodes;
    for (Index j = 0; j < X.cols(); ++j) nodes.push_back({static_cast<int>(j + 1), X(i, j)});
    nodes.push_back({-1, 0});
    return nodes;
  };
  std::vector<std::vector<svm_node>> rows;
  std::vector<svm_node*> x;
  std::vector<double> y(set.places().labels.begin(), set.places().labels.end());
  for (Index i = 0; i < Z.rows(); ++i) rows.push_back(nodes_of(Z, i));
  for (auto& row : rows) x.push_back(row.data());
  const svm_problem problem{static_cast<int>(x.size()), y.data(), x.data()};
  svm_parameter parameter{};
  parameter.kernel_type = RBF;
  parameter.gamma = 2;
  parameter.cache_size = 100;
  parameter.eps = 1e-3;
  parameter.C = 2;
  parameter.shrinking = 1;
  svm_model* model = svm_train(&problem, &parameter);
  ASSERT_EQ(model->l, std::ssize(ours.machine().support));
  for (int s = 0; s < model->l; ++s) {
    EXPECT_EQ(model->sv_indices[s] - 1, ours.machine().support[static_cast<std::size_t>(s)]);
    for (int c = 0; c < 4; ++c) EXPECT_EQ(model->sv_coef[c][s], ours.machine().coefficients(s, c));
  }
  const Matrix fresh = 0.8 * Rng(5).normal_matrix(500, 3), f = ours.decisions(fresh);
  const Labelling labels = predict(ours, fresh);
  for (Index i = 0; i < fresh.rows(); ++i) {
    const auto nodes = nodes_of(fresh, i);
    Vector values(10);
    (void)svm_predict_values(model, nodes.data(), values.data());
    EXPECT_LT((f.row(i).transpose() - values).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(labels[static_cast<std::size_t>(i)], static_cast<int>(svm_predict(model, nodes.data()))) << i;
  }
  svm_free_and_destroy_model(&model);
}

TEST(Svm, TrainsTheSameFromAPrecomputedKernel) {
  const LabelledPoints training = clouds(15, 4, 3, 1.2, 4);
  const SvmTrainingSet set(training);
  const Matrix& Z = set.places().points;
  const std::vector<Index> some{0, 2, 3, 5, 8, 16, 17, 18, 21, 30, 33, 38, 46, 47, 50, 59};
  const Kernel gaussian{KernelKind::kGaussian, 0.5};
  const SvmMachine by_points = SvmKernel(Z, 0.5).train(set.places().labels, some, 2, {});
  const SvmMachine by_table = SvmKernel::table(kernel_rows(gaussian, Z, Z)).train(set.places().labels, some, 2, {});
  EXPECT_EQ(by_table.support, by_points.support);
  EXPECT_LT((by_table.coefficients - by_points.coefficients).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((by_table.rho - by_points.rho).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Svm, IsTheSameOnTwoThreadsAloneAndInAnyOrder) {
  const LabelledPoints training = clouds(25, 3, 3, 1.0, 6);
  const Matrix points = clouds(40, 3, 3, 1.0, 7).points;
  const auto one = fit_svm(training).classifier, two = fit_svm(training, {}, {.n_threads = 2}).classifier;
  EXPECT_TRUE(dataset::same_bits(one->machine().coefficients, two->machine().coefficients));
  EXPECT_EQ(one->machine().support, two->machine().support);
  const Matrix f = one->decisions(points);
  EXPECT_TRUE(dataset::same_bits(f, two->decisions(points, {.n_threads = 2})));
  const Labelling labels = predict(*one, points);
  EXPECT_EQ(predict(*two, points, 2), labels);
  for (const Index i : {0, 63, 64, 119}) {
    EXPECT_TRUE(dataset::same_bits(one->decisions(points.middleRows(i, 1)), f.row(i)));
    EXPECT_EQ(predict(*one, points.middleRows(i, 1))[0], labels[static_cast<std::size_t>(i)]);
  }
  EXPECT_TRUE(predict(*one, Matrix(0, 3)).empty());

  const auto order = dataset::random_order(training.points.rows(), 8);
  LabelledPoints shuffled{dataset::rows_of(training.points, order), {}};
  for (const Index i : order) shuffled.labels.push_back(training.labels[static_cast<std::size_t>(i)]);
  const auto other = fit_svm(shuffled).classifier;
  EXPECT_TRUE(dataset::same_bits(other->decisions(points), f));
}

TEST(Svm, DrawsNoGlobalRandomNumbersAndPrintsNothing) {
  const LabelledPoints training = clouds(25, 3, 3, 1.0, 6);
  std::srand(7);
  const int expected = std::rand();
  std::srand(7);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  (void)fit_svm(training);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(std::rand(), expected);
}

TEST(Svm, IsInvariantToScaleAndShift) {
  const LabelledPoints training = clouds(25, 3, 3, 2.0, 9);
  const Matrix points = clouds(40, 3, 3, 2.0, 10).points;
  const Labelling labels = predict(*fit_svm(training).classifier, points);
  for (const double scale : {0x1p-300, 0x1p-60, 0x1p70, 0x1p300})
    EXPECT_EQ(predict(*fit_svm({scale * training.points, training.labels}).classifier, scale * points), labels)
        << scale;
  const auto far = [](const Matrix& X) { return Matrix(X.array() + 0x1p26); };
  EXPECT_EQ(predict(*fit_svm({far(training.points), training.labels}).classifier, far(points)), labels);
}

TEST(Svm, DependsOnlyOnAnglesWithCosine) {
  const LabelledPoints training = clouds(25, 3, 3, 20.0, 13);
  const Matrix points = clouds(20, 3, 3, 20.0, 14).points;
  const auto svm = fit_svm(training, {.metric = Metric::kCosine}).classifier;
  const auto unit = fit_svm({training.points.rowwise().normalized(), training.labels}).classifier;
  EXPECT_NEAR(svm->machine().width, unit->machine().width, 1e-12);
  EXPECT_LT((svm->decisions(points) - unit->decisions(points.rowwise().normalized())).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_TRUE(dataset::same_bits(svm->decisions(0x1p9 * points), svm->decisions(points)));
  Archive archive;
  svm->save(archive);
  const SvmOptions options{svm->machine().cost, svm->machine().width, Metric::kCosine};
  EXPECT_TRUE(dataset::same_bits(load_svm(archive, training, options)->decisions(points), svm->decisions(points)));
}

TEST(Svm, LoadsWhatItSaved) {
  const LabelledPoints training = clouds(12, 3, 2, 1.0, 11);
  const Matrix points = clouds(30, 3, 2, 1.0, 12).points;
  const auto fit = fit_svm(training, {.cost = 4, .width = 2});
  Archive archive;
  fit.classifier->save(archive);
  const auto loaded = load_svm(archive, training, {.cost = 4, .width = 2});
  EXPECT_TRUE(dataset::same_bits(loaded->decisions(points), fit.classifier->decisions(points)));
  EXPECT_EQ(predict(*loaded, points), predict(*fit.classifier, points));
}

TEST(Svm, RefusesInvalidMachines) {
  const LabelledPoints training = clouds(12, 3, 2, 1.0, 11);
  Archive good;
  const auto fit = fit_svm(training, {.cost = 4, .width = 2});
  fit.classifier->save(good);
  const SvmMachine& m = fit.classifier->machine();
  using Integers = std::vector<std::int64_t>;
  const Integers support(m.support.begin(), m.support.end());
  const auto refuse = [&](const std::string& what, const std::string& name, const auto& value) {
    Archive archive = good;
    ASSERT_TRUE(archive.has(name));
    archive.put(name, value);
    EXPECT_THROW((void)load_svm(archive, training, {.cost = 4, .width = 2}), IoError) << what;
  };
  const auto with = [&](std::int64_t row) {
    Integers changed = support;
    changed[2] = row;
    return changed;
  };
  refuse("a row that is not there", "support", with(36));
  refuse("a negative row", "support", with(-1));
  refuse("a huge row", "support", with(1LL << 40));
  refuse("a row twice", "support", with(support[1]));
  refuse("a row of another class", "support", with(support.back()));
  refuse("rows backwards", "support", Integers(support.rbegin(), support.rend()));
  refuse("no rows", "support", Integers{});
  refuse("no classes", "classes", Integers{});
  refuse("a class less", "classes", Integers{1, 3});
  refuse("one class", "classes", Integers{1});
  refuse("classes backwards", "classes", Integers{5, 3, 1});
  refuse("a class twice", "classes", Integers{1, 3, 3});
  refuse("an unknown class", "classes", Integers{1, 3, 4});
  refuse("a class beyond int", "classes", Integers{1, 3, (1LL << 32) + 5});
  refuse("a constant less", "rho", Vector(Vector::Zero(2)));
  refuse("constants that are not finite", "rho", Vector(Vector::Constant(3, std::nan(""))));
  refuse("a column less", "coefficients", Matrix(m.coefficients.leftCols(1)));
  refuse("a row less", "coefficients", Matrix(m.coefficients.topRows(3)));
  refuse("turned signs", "coefficients", Matrix(-m.coefficients));
  refuse("coefficients above C", "coefficients", Matrix(40 * m.coefficients));
  EXPECT_THROW((void)load_svm(good, training, {.cost = 4}), IoError);
  EXPECT_THROW((void)load_svm(good, training, {.cost = 0.001, .width = 2}), IoError);
  refuse("no columns", "coefficients", Matrix(m.coefficients.rows(), 0));
}

}  // namespace
}  // namespace foldout
