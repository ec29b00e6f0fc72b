// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "classify/classifier.h"
#include "core/check.h"
#include "core/keys.h"
#include "core/tally.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "neighbors/neighbors.h"

namespace foldout {

Fields fields(NearestOptions& o) {
  static constexpr Key n_neighbors{"n_neighbors", "nearest training samples that vote", "k", 1};
  return {{n_neighbors, o.n_neighbors}, {key::metric, o.metric, key::kSampleMetrics}};
}

namespace {

class NearestClassifier final : public Classifier {
 public:
  NearestClassifier(LabelledPoints training, const NearestOptions& options)
      : training_(std::move(training)),
        options_(options),
        index_(make_neighbor_index(training_.points, {.metric = options.metric})) {}

  [[nodiscard]] std::vector<int> predict(const MatrixRef& points, const RunContext& context, Tally&,
                                         std::vector<int>* second) const override {
    require_width(points, training_.points.cols(), "nn");
    require_finite(points, "nn");
    const NeighborTable table = index_->query(points, options_.n_neighbors, context);
    std::vector<int> labels;
    for (Index i = 0; i < points.rows(); ++i) labels.push_back(vote(table.of(i), kNone));
    if (second) *second = runners_up(points, labels, context);
    return labels;
  }

 private:
  static constexpr int kNone = -1;

  // The most frequent label but `except`; ties go to the nearest.
  [[nodiscard]] int vote(std::span<const int> neighbors, int except) const {
    std::map<int, int> votes;
    int most = 0;
    for (const int j : neighbors)
      if (const int label = training_.labels[static_cast<std::size_t>(j)]; label != except)
        most = std::max(most, ++votes[label]);
    for (const int j : neighbors)
      if (const int label = training_.labels[static_cast<std::size_t>(j)]; label != except && votes[label] == most)
        return label;
    return kNone;
  }

  // Searches more and more neighbours until there is one of another class.
  [[nodiscard]] std::vector<int> runners_up(const MatrixRef& points, const std::vector<int>& labels,
                                            const RunContext& context) const {
    const auto n = static_cast<int>(training_.points.rows());
    std::vector<int> second(labels.size(), kNone);
    std::vector<Index> open(labels.size());
    std::iota(open.begin(), open.end(), Index{0});
    for (int k = std::min(n, std::max(options_.n_neighbors, 2)); !open.empty(); k = std::min(n, 4 * k)) {
      Matrix some(std::ssize(open), points.cols());
      for (std::size_t i = 0; i < open.size(); ++i) some.row(static_cast<Index>(i)) = points.row(open[i]);
      const NeighborTable table = index_->query(some, k, context);
      std::vector<Index> rest;
      for (std::size_t i = 0; i < open.size(); ++i) {
        const auto at = static_cast<std::size_t>(open[i]);
        second[at] = vote(table.of(static_cast<Index>(i)), labels[at]);
        if (second[at] == kNone) rest.push_back(open[i]);
      }
      open = std::move(rest);
      if (k == n) break;
    }
    return second;
  }

  LabelledPoints training_;
  NearestOptions options_;
  std::unique_ptr<NeighborIndex> index_;
};

}  // namespace

void require_training(const LabelledPoints& training, std::string_view classifier) {
  if (training.points.rows() < 1 || static_cast<std::size_t>(training.points.rows()) != training.labels.size())
    throw InvalidArgument(fmt::format("{} labels for {} training points: one label per point is needed",
                                      training.labels.size(), training.points.rows()));
  require_finite(training.points, classifier);
}

std::shared_ptr<const Classifier> nearest_classifier(LabelledPoints training, const NearestOptions& options) {
  NearestOptions o = options;
  check_fields(fields(o), "nn");
  require_training(training, "nn");
  if (o.n_neighbors > training.points.rows())
    throw InvalidArgument(
        fmt::format("nn: n_neighbors = {} must be at most n_samples = {}", o.n_neighbors, training.points.rows()));
  return std::make_shared<NearestClassifier>(std::move(training), o);
}

std::shared_ptr<const Classifier> affinity_classifier(LabelledPoints training) {
  return nearest_classifier(std::move(training), {.metric = Metric::kCosine});
}

}  // namespace foldout
