// SPDX-License-Identifier: Apache-2.0
#include "classify/svm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "classify/classifier.h"
#include "classify/svm_training.h"
#include "core/check.h"
#include "core/keys.h"
#include "core/parallel.h"
#include "core/tally.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "linalg/distance.h"
#include "linalg/kernel.h"
#include "linalg/metric_distances.h"
#include "linalg/products.h"

namespace foldout {

Fields fields(SvmOptions& o) {
  static constexpr Key cost{"cost", "penalty on a sample within the margin; auto: by cross-validation", "C", 0, 1e10,
                            true};
  static constexpr Key width{"width", "β of the Gaussian exp(−‖x−y‖²/β); auto: by cross-validation", "β", 0, 1e308,
                             true};
  static constexpr Key metric{
      .name = "metric",
      .meaning =
          "cosine: coordinates are first normalised to unit length, so only angles count; correlation: first "
          "centred, sample by sample, then normalised",
      .elsewhere = "other distances do not make the Gaussian a kernel; they are for the classifier nn"};
  constexpr std::size_t kAngles = 3;  // euclidean, cosine and correlation
  static constexpr Key n_folds{"n_folds", "folds of the cross-validation", "", 2, 1000};
  return {{cost, o.cost}, {width, o.width}, {metric, o.metric, kAngles}, {n_folds, o.n_folds}, {key::seed, o.seed}};
}

namespace {

constexpr double kSmallestWidth = 1e-10;  // relative: distances below it are not accurate
constexpr double kVanishing = 1e-10;      // a kernel value that has no influence

void zero_overflows(Matrix& kernel) {  // points so distant that their distance overflows
  for (Index i = 0; i < kernel.size(); ++i)
    if (!std::isfinite(kernel.data()[i])) kernel.data()[i] = 0;
}

// Distances between unit rows are those of angles: ‖x−y‖² = 2(1 − cos).
Matrix measured(const MatrixRef& points, Metric metric) {
  return by_angle(metric) ? directions(points, metric) : Matrix(points);
}

SvmMachine empty_machine(const SvmOptions& o) {
  return {.cost = o.cost.value_or(1),
          .width = o.width.value_or(1),
          .metric = o.metric,
          .classes = {},
          .support = {},
          .coefficients = Matrix(0, 0),
          .rho = {}};
}

int most_frequent(const std::vector<int>& labels) {
  std::map<int, int> counts;
  for (const int label : labels) ++counts[label];
  return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
}

void require_room(const LabelledPoints& training, std::size_t n_classes, const RunContext& context) {
  const auto n = static_cast<double>(training.points.rows());
  require_memory(n * (16.0 * static_cast<double>(training.points.cols() + 1) + 24.0 * static_cast<double>(n_classes)),
                 fmt::format("svm: binary SVMs of {} classes over {} samples", n_classes, training.points.rows()),
                 "use nn, or fewer samples", context.memory_limit);
}

}  // namespace

SvmClassifier::SvmClassifier(const LabelledPoints& training, SvmMachine machine)
    : machine_(std::move(machine)),
      support_(static_cast<Index>(machine_.support.size()), training.points.cols()),
      first_(machine_.classes.size() + 1, 0) {
  for (std::size_t i = 0; i < machine_.support.size(); ++i) {
    support_.row(static_cast<Index>(i)) = training.points.row(machine_.support[i]);
    const int label = training.labels[static_cast<std::size_t>(machine_.support[i])];
    const auto at = std::ranges::lower_bound(machine_.classes, label) - machine_.classes.begin();
    ++first_[static_cast<std::size_t>(at) + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  support_ = measured(support_, machine_.metric);
}

Matrix SvmClassifier::kernel_block(const MatrixRef& points) const {
  Matrix kernel = kernel_rows({KernelKind::kGaussian, machine_.width}, measured(points, machine_.metric), support_);
  zero_overflows(kernel);
  return kernel;
}

// The contribution of each class is one product: its support vectors against every other class.
Matrix SvmClassifier::decide(const Matrix& kernel) const {
  const auto k = static_cast<Index>(machine_.classes.size());
  Matrix f(kernel.rows(), k * (k - 1) / 2);
  f.rowwise() = -machine_.rho.transpose();
  const auto pair = [k](Index a, Index b) { return a * k - a * (a + 1) / 2 + b - a - 1; };
  for (Index c = 0; c < k; ++c) {
    const Index begin = first_[static_cast<std::size_t>(c)], size = first_[static_cast<std::size_t>(c) + 1] - begin;
    const Matrix part = multiply_rowwise(kernel.middleCols(begin, size), machine_.coefficients.middleRows(begin, size));
    for (Index other = 0; other < k; ++other)
      if (other != c) f.col(pair(std::min(c, other), std::max(c, other))) += part.col(other < c ? other : other - 1);
  }
  return f;
}

Matrix SvmClassifier::decisions(const MatrixRef& points, const RunContext& context) const {
  require_width(points, support_.cols(), "svm");
  require_finite(points, "svm");
  Matrix f(points.rows(), machine_.rho.size());
  if (f.cols() == 0) return f;
  parallel_blocks(points.rows(), kBlockRows, context, [&](Index begin, Index end) {
    f.middleRows(begin, end - begin) = decide(kernel_block(points.middleRows(begin, end - begin)));
  });
  return f;
}

std::vector<int> SvmClassifier::predict(const MatrixRef& points, const RunContext& context, Tally& tally,
                                        std::vector<int>* second) const {
  require_width(points, support_.cols(), "svm");
  require_finite(points, "svm");
  const std::size_t k = machine_.classes.size();
  std::vector<int> labels(static_cast<std::size_t>(points.rows()), machine_.classes.front());
  if (second) second->assign(labels.size(), -1);
  if (k == 1) return labels;
  std::vector<char> far(labels.size(), 0);
  parallel_blocks(
      points.rows(), kBlockRows, context,
      [&](Index begin, Index end) {
        const Matrix kernel = kernel_block(points.middleRows(begin, end - begin)), f = decide(kernel);
        for (Index i = 0; i < f.rows(); ++i) {
          std::vector<int> votes(k, 0);
          Index p = 0;
          for (std::size_t a = 0; a < k; ++a)
            for (std::size_t b = a + 1; b < k; ++b) ++votes[f(i, p++) > 0 ? a : b];
          const auto row = static_cast<std::size_t>(begin + i);
          const auto most = [&] { return static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin()); };
          const std::size_t best = most();
          labels[row] = machine_.classes[best];
          votes[best] = -1;
          if (second) (*second)[row] = machine_.classes[most()];
          far[row] = kernel.cols() == 0 || kernel.row(i).maxCoeff() < kVanishing;
        }
      },
      "classifying");
  for (std::size_t i = 0; i < far.size(); ++i)
    if (far[i])
      tally.remark("svm_far", "so far from all support vectors that only the constants decide", static_cast<Index>(i));
  return labels;
}

void SvmClassifier::describe(Report& report) const {
  report.figure("svm_cost", machine_.cost);
  report.figure("svm_width", machine_.width);
}

void SvmClassifier::save(Archive& archive) const {
  archive.put("classes", std::vector<std::int64_t>(machine_.classes.begin(), machine_.classes.end()));
  archive.put("support", std::vector<std::int64_t>(machine_.support.begin(), machine_.support.end()));
  archive.put("coefficients", machine_.coefficients);
  archive.put("rho", machine_.rho);
}

namespace {

SvmMachine learn(const SvmTrainingSet& set, const SvmOptions& o, const RunContext& context, Report& report) {
  const double unit = set.mean_squared_distance();
  if (o.width && *o.width < kSmallestWidth * unit)
    throw InvalidArgument(
        fmt::format("svm: width = {} is too small for samples whose mean squared distance is {:.3g}: "
                    "it must be at least {:.3g}",
                    *o.width, unit, kSmallestWidth * unit));
  SvmChoice choice{o.cost.value_or(1), o.width.value_or(unit) / unit, std::nan("")};
  if (!o.cost || !o.width) choice = cross_validate(set, o, context, report);
  if (!std::isnan(choice.accuracy)) report.figure("svm_accuracy", choice.accuracy);
  SvmMachine machine = set.train(choice.cost, choice.width, context);
  machine.width = o.width.value_or(choice.width * unit);
  machine.metric = o.metric;
  for (Index& place : machine.support) place = set.row_of(place);
  return machine;
}

}  // namespace

SvmFit fit_svm(const LabelledPoints& training, const SvmOptions& options, const RunContext& context) {
  SvmOptions o = options;
  check_fields(fields(o), "svm");
  require_training(training, "svm");
  require_samples(training.points, 1, "svm");
  SvmFit fit;
  const PhaseTimer timer(fit.report, "svm");
  const std::size_t n_classes = std::set(training.labels.begin(), training.labels.end()).size();
  require_room(training, n_classes, context);
  const SvmTrainingSet set({measured(training.points, o.metric), training.labels});
  SvmMachine machine = empty_machine(o);
  machine.classes = {most_frequent(training.labels)};
  if (n_classes == 1)
    fit.report.note("svm_one_class", "svm: all samples have the same label, so every sample gets it");
  else if (set.mean_squared_distance() == 0)
    fit.report.note("svm_coincident",
                    "svm: all samples have the same coordinates, so every sample gets the most "
                    "frequent label");
  else
    machine = learn(set, o, context, fit.report);
  fit.report.figure("svm_cost", machine.cost);
  fit.report.figure("svm_width", machine.width);
  fit.report.figure("support_vectors", static_cast<double>(machine.support.size()));
  fit.classifier = std::make_shared<SvmClassifier>(training, std::move(machine));
  return fit;
}

namespace {

void require_sound(bool sound) {
  if (!sound) throw IoError("the support vector machines do not fit the training samples");
}

// y α: of the first class of a pair within 0 … C, of the second within −C … 0.
void check_coefficients(const SvmMachine& m, const std::vector<int>& labels) {
  for (std::size_t i = 0; i < m.support.size(); ++i) {
    const int label = labels[static_cast<std::size_t>(m.support[i])];
    const auto own = std::ranges::lower_bound(m.classes, label) - m.classes.begin();
    for (Index j = 0; j < m.coefficients.cols(); ++j) {
      const double alpha = (j < own ? -1 : 1) * m.coefficients(static_cast<Index>(i), j);
      require_sound(alpha >= 0 && alpha <= m.cost * (1 + 1e-12));
    }
  }
}

}  // namespace

std::shared_ptr<const SvmClassifier> load_svm(const Archive& archive, const LabelledPoints& training,
                                              const SvmOptions& options) {
  require_training(training, "svm");
  require_sound(options.cost && options.width);
  SvmMachine m = empty_machine(options);
  const std::set<std::int64_t> known(training.labels.begin(), training.labels.end());
  for (const std::int64_t label : archive.integers("classes")) {
    require_sound(known.contains(label) && (m.classes.empty() || m.classes.back() < label));
    m.classes.push_back(static_cast<int>(label));
  }
  require_sound(m.classes.size() == 1 || m.classes.size() == known.size());
  std::vector<char> seen(training.labels.size(), 0);
  int last = m.classes.front();
  for (const std::int64_t row : archive.integers("support")) {
    require_sound(row >= 0 && row < training.points.rows() && !seen[static_cast<std::size_t>(row)]);
    const int label = training.labels[static_cast<std::size_t>(row)];
    require_sound(m.classes.size() > 1 && label >= last);
    seen[static_cast<std::size_t>(row)] = 1;
    last = label;
    m.support.push_back(row);
  }
  m.coefficients = archive.matrix("coefficients");
  m.rho = archive.vector("rho");
  const auto k = static_cast<Index>(m.classes.size());
  require_sound(m.coefficients.rows() == std::ssize(m.support) && m.coefficients.cols() == k - 1 &&
                m.rho.size() == k * (k - 1) / 2);
  check_coefficients(m, training.labels);
  return std::make_shared<SvmClassifier>(training, std::move(m));
}

}  // namespace foldout
