// SPDX-License-Identifier: Apache-2.0
// C and β by stratified cross-validation over a grid: C in powers of two, β in powers of two of the mean squared
// distance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "classify/svm_training.h"
#include "foldout/core/parallel.h"
#include "foldout/core/random.h"

namespace foldout {
namespace {

constexpr Index kMostValidated = 2000;  // training takes the square of their number, for every point of the grid
constexpr int kAlwaysLearnt = -1;

struct Fold {
  std::vector<Index> learnt, held;
};

// Each class is shuffled and dealt to the folds in turn. Of a class with one sample nothing is left to learn when it is
// held out: it is always learnt. From many samples a part is drawn, class by class.
std::vector<Fold> make_folds(const std::vector<int>& labels, int n_folds, std::uint64_t seed) {
  const auto n = static_cast<Index>(labels.size());
  std::vector<int> fold_of(labels.size(), n_folds);  // n_folds: left out
  Rng rng(seed);
  int next = 0;
  for (Index begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && labels[static_cast<std::size_t>(end)] == labels[static_cast<std::size_t>(begin)]) ++end;
    const Index size = end - begin;
    const Index drawn = n <= kMostValidated ? size : (size * kMostValidated + n - 1) / n;
    const std::vector<Index> order = rng.permutation(size);
    for (Index i = 0; i < drawn; ++i) {
      const auto place = static_cast<std::size_t>(begin + order[static_cast<std::size_t>(i)]);
      fold_of[place] = drawn == 1 ? kAlwaysLearnt : next;
      if (drawn > 1) next = (next + 1) % n_folds;
    }
  }
  std::vector<Fold> folds(static_cast<std::size_t>(n_folds));
  for (int f = 0; f < n_folds; ++f)
    for (Index place = 0; place < n; ++place) {
      const int of = fold_of[static_cast<std::size_t>(place)];
      if (of == n_folds) continue;
      Fold& fold = folds[static_cast<std::size_t>(f)];
      (of == f ? fold.held : fold.learnt).push_back(place);
    }
  std::erase_if(folds, [](const Fold& fold) { return fold.held.empty(); });
  return folds;
}

std::vector<double> powers_of_two(int first, int last, int step) {
  std::vector<double> powers;
  for (int e = first; step > 0 ? e <= last : e >= last; e += step) powers.push_back(std::exp2(e));
  return powers;
}

Index n_right(const SvmTrainingSet& set, const Fold& fold, double cost, double width) {
  const SvmClassifier classifier(set.places(), set.train(fold.learnt, cost, width, {}));
  Matrix held(static_cast<Index>(fold.held.size()), set.places().points.cols());
  for (std::size_t i = 0; i < fold.held.size(); ++i)
    held.row(static_cast<Index>(i)) = set.places().points.row(fold.held[i]);
  Tally unused;
  const std::vector<int> labels = classifier.predict(held, {}, unused);
  Index right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] == set.places().labels[static_cast<std::size_t>(fold.held[i])]) ++right;
  return right;
}

void note_small_classes(const std::vector<int>& labels, int n_folds, Report& report) {
  Index small = 0, classes = 0;
  for (std::size_t begin = 0, end = 0; begin < labels.size(); begin = end) {
    while (end < labels.size() && labels[end] == labels[begin]) ++end;
    ++classes;
    if (end - begin < static_cast<std::size_t>(n_folds)) ++small;
  }
  if (small > 0)
    report.note("svm_small_classes", fmt::format("svm: {} of {} classes have fewer samples than n_folds = {}: they are "
                                                 "not in every fold, and a single sample is in none",
                                                 small, classes, n_folds));
}

}  // namespace

SvmChoice cross_validate(const SvmTrainingSet& set, const SvmOptions& o, const RunContext& context, Report& report) {
  const std::vector<int>& labels = set.places().labels;
  const std::vector<Fold> folds = make_folds(labels, o.n_folds, o.seed);
  note_small_classes(labels, o.n_folds, report);
  if (std::ssize(labels) > kMostValidated)
    report.note("svm_validated_on_a_part",
                fmt::format("svm: cross-validated on {} of {} samples, drawn class by class",
                            folds.empty() ? 0 : folds[0].held.size() + folds[0].learnt.size(), labels.size()));
  // From smooth to rough, so that the first of equally good ones is the smoothest.
  const auto widths = o.width ? std::vector{*o.width / set.mean_squared_distance()} : powers_of_two(4, -10, -2);
  const auto costs = o.cost ? std::vector{*o.cost} : powers_of_two(-2, 10, 2);
  if (folds.empty()) {
    report.note("svm_not_validated",
                "svm: no class has two samples, so nothing could be held out: cost and width have "
                "their usual values, 1 and the mean squared distance");
    return {o.cost.value_or(1), o.width ? widths[0] : 1, std::nan("")};
  }
  const auto n_folds = static_cast<Index>(folds.size()), n_costs = std::ssize(costs);
  std::vector<Index> right(widths.size() * costs.size() * folds.size());
  parallel_for(
      std::ssize(right), context,
      [&](Index task) {
        const auto fold = static_cast<std::size_t>(task % n_folds);
        const auto cost = static_cast<std::size_t>(task / n_folds % n_costs);
        const auto width = static_cast<std::size_t>(task / n_folds / n_costs);
        right[static_cast<std::size_t>(task)] = n_right(set, folds[fold], costs[cost], widths[width]);
      },
      "cross-validation");
  Index tested = 0, most = -1;
  for (const Fold& fold : folds) tested += std::ssize(fold.held);
  SvmChoice best{};
  for (std::size_t point = 0; point < widths.size() * costs.size(); ++point) {
    Index sum = 0;
    for (std::size_t f = 0; f < folds.size(); ++f) sum += right[point * folds.size() + f];
    if (sum > most) {
      most = sum;
      best = {costs[point % costs.size()], widths[point / costs.size()],
              static_cast<double>(sum) / static_cast<double>(tested)};
    }
  }
  return best;
}

}  // namespace foldout
