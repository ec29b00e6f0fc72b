// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

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

  [[nodiscard]] std::vector<int> predict(const MatrixRef& points, const RunContext& context, Tally&) const override {
    require_width(points, training_.points.cols(), "nn");
    require_finite(points, "nn");
    const NeighborTable table = index_->query(points, options_.n_neighbors, context);
    std::vector<int> labels;
    for (Index i = 0; i < points.rows(); ++i) labels.push_back(vote(table.of(i)));
    return labels;
  }

 private:
  [[nodiscard]] int vote(std::span<const int> neighbors) const {
    std::map<int, int> votes;
    int most = 0;
    for (const int j : neighbors) most = std::max(most, ++votes[training_.labels[static_cast<std::size_t>(j)]]);
    for (const int j : neighbors)
      if (const int label = training_.labels[static_cast<std::size_t>(j)]; votes[label] == most) return label;
    return 0;  // there is always a neighbour
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
