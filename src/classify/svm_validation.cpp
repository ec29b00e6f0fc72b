// SPDX-License-Identifier: Apache-2.0
// C and β by stratified cross-validation over a grid: C in powers of two, β in powers of two of the mean squared
// distance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "classify/classifier.h"
#include "classify/svm.h"
#include "classify/svm_training.h"
#include "core/check.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/tally.h"
#include "foldout/core/choices.h"
#include "linalg/kernel.h"

namespace foldout {
namespace {

constexpr Index kMostValidated = 2000;  // training time is quadratic in it, for every point of the grid

struct Fold {
  std::vector<Index> training, held_out;
};

// The range of a class among labels that do not decrease.
struct ClassRange {
  Index begin, end;
  [[nodiscard]] Index size() const { return end - begin; }
};

std::vector<ClassRange> classes_of(const std::vector<int>& labels) {
  std::vector<ClassRange> classes;
  for (Index i = 0; i < std::ssize(labels); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i == 0 || labels[at] != labels[at - 1]) classes.push_back({i, i});
    classes.back().end = i + 1;
  }
  return classes;
}

// All points, or about kMostValidated of them, in proportion to the classes.
LabelledPoints drawn(const LabelledPoints& all, Rng& rng) {
  const Index n = all.points.rows();
  if (n <= kMostValidated) return all;
  std::vector<Index> rows;
  for (const ClassRange& c : classes_of(all.labels)) {
    const std::vector<Index> order = rng.permutation(c.size());
    const Index most = (c.size() * kMostValidated + n - 1) / n;
    for (Index i = 0; i < most; ++i) rows.push_back(c.begin + order[static_cast<std::size_t>(i)]);
  }
  std::ranges::sort(rows);
  LabelledPoints part{Matrix(std::ssize(rows), all.points.cols()), {}};
  for (Index i = 0; i < part.points.rows(); ++i) {
    const Index row = rows[static_cast<std::size_t>(i)];
    part.points.row(i) = all.points.row(row);
    part.labels.push_back(all.labels[static_cast<std::size_t>(row)]);
  }
  return part;
}

// Each class is shuffled and distributed over the folds in turn. A class with one sample cannot be held out: it is
// always used for training.
std::vector<Fold> make_folds(const std::vector<int>& labels, int n_folds, Rng& rng) {
  constexpr int kNeverHeldOut = -1;
  std::vector<int> fold_of(labels.size(), kNeverHeldOut);
  int next = 0;
  for (const ClassRange& c : classes_of(labels)) {
    const std::vector<Index> order = rng.permutation(c.size());
    if (c.size() == 1) continue;
    for (const Index i : order) {
      fold_of[static_cast<std::size_t>(c.begin + i)] = next;
      next = (next + 1) % n_folds;
    }
  }
  std::vector<Fold> folds(static_cast<std::size_t>(n_folds));
  for (int f = 0; f < n_folds; ++f)
    for (std::size_t i = 0; i < labels.size(); ++i) {
      Fold& fold = folds[static_cast<std::size_t>(f)];
      (fold_of[i] == f ? fold.held_out : fold.training).push_back(static_cast<Index>(i));
    }
  std::erase_if(folds, [](const Fold& fold) { return fold.held_out.empty(); });
  return folds;
}

std::vector<double> powers_of_two(int first, int last, int step) {
  std::vector<double> powers;
  for (int e = first; step > 0 ? e <= last : e >= last; e += step) powers.push_back(std::exp2(e));
  return powers;
}

Index n_right(const LabelledPoints& part, const SvmKernel& kernel, const Fold& fold, double cost, double width) {
  SvmMachine machine = kernel.train(part.labels, fold.training, cost, {});
  machine.width = width;
  const SvmClassifier classifier(part, std::move(machine));
  Matrix held_out(std::ssize(fold.held_out), part.points.cols());
  for (Index i = 0; i < held_out.rows(); ++i)
    held_out.row(i) = part.points.row(fold.held_out[static_cast<std::size_t>(i)]);
  Tally unused;
  const std::vector<int> labels = classifier.predict(held_out, {}, unused);
  Index right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] == part.labels[static_cast<std::size_t>(fold.held_out[i])]) ++right;
  return right;
}

// Reports the progress of one part of the work as progress of the whole.
RunContext share(const RunContext& context, double begin, double size) {
  RunContext part = context;
  if (context.progress)
    part.progress = [=, &context](const Progress& p) { return context.progress({p.phase, begin + size * p.fraction}); };
  return part;
}

RunContext without_progress(const RunContext& context) { return {context.n_threads, {}, context.memory_limit}; }

// The number of held-out points classified correctly, for each cost.
std::vector<Index> n_right_by_cost(const LabelledPoints& part, const SvmKernel& kernel, const std::vector<Fold>& folds,
                                   const std::vector<double>& costs, double width, const RunContext& context) {
  const Index n_folds = std::ssize(folds);
  std::vector<Index> of_task(costs.size() * folds.size()), right(costs.size(), 0);
  parallel_for(
      std::ssize(of_task), context,
      [&](Index task) {
        const auto fold = static_cast<std::size_t>(task % n_folds), cost = static_cast<std::size_t>(task / n_folds);
        of_task[static_cast<std::size_t>(task)] = n_right(part, kernel, folds[fold], costs[cost], width);
      },
      "cross-validation");
  for (std::size_t task = 0; task < of_task.size(); ++task) right[task / folds.size()] += of_task[task];
  return right;
}

void note_limits(const std::vector<int>& labels, const LabelledPoints& part, int n_folds, Report& report) {
  const auto classes = classes_of(labels);
  const auto small = std::ranges::count_if(classes, [&](const ClassRange& c) { return c.size() < n_folds; });
  if (small > 0)
    report.note("svm_small_classes", fmt::format("svm: {} of {} classes have fewer samples than n_folds = {}: they are "
                                                 "missing from some folds, classes with a single sample from all",
                                                 small, classes.size(), n_folds));
  if (part.labels.size() < labels.size())
    report.note("svm_validated_on_a_part", fmt::format("svm: cross-validated on {} of {} samples, drawn class by class",
                                                       part.labels.size(), labels.size()));
}

}  // namespace

SvmChoice cross_validate(const SvmTrainingSet& set, const SvmOptions& o, const RunContext& context, Report& report) {
  Rng rng(o.seed);
  const LabelledPoints part = drawn(set.places(), rng);
  const std::vector<Fold> folds = make_folds(part.labels, o.n_folds, rng);
  note_limits(set.places().labels, part, o.n_folds, report);
  // From smooth to rough: the first of equally good ones is the smoothest.
  const auto widths = o.width ? std::vector{*o.width / set.mean_squared_distance()} : powers_of_two(4, -10, -2);
  const auto costs = o.cost ? std::vector{*o.cost} : powers_of_two(-2, 10, 2);
  if (folds.empty()) {
    report.note("svm_not_validated",
                "svm: no class has two samples, so nothing could be held out: cost and width have "
                "their default values, 1 and the mean squared distance");
    return {o.cost.value_or(1), o.width ? widths[0] : 1, std::nan("")};
  }
  const auto n = static_cast<double>(part.points.rows());
  require_memory(24 * n * n, fmt::format("svm: the kernel of {} samples", part.points.rows()),
                 "give cost and width, which makes validation unnecessary", context.memory_limit);
  Index tested = 0, most = -1;
  for (const Fold& fold : folds) tested += std::ssize(fold.held_out);
  SvmChoice best{};
  for (std::size_t w = 0; w < widths.size(); ++w) {
    const SvmKernel kernel =
        SvmKernel::table(kernel_matrix({KernelKind::kGaussian, widths[w]}, part.points, without_progress(context)));
    const std::vector<Index> right =
        n_right_by_cost(part, kernel, folds, costs, widths[w],
                        share(context, static_cast<double>(w) / static_cast<double>(widths.size()),
                              1 / static_cast<double>(widths.size())));
    for (std::size_t c = 0; c < costs.size(); ++c)
      if (right[c] > most) {
        most = right[c];
        best = {costs[c], widths[w], static_cast<double>(most) / static_cast<double>(tested)};
      }
  }
  return best;
}

}  // namespace foldout
