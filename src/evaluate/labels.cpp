// SPDX-License-Identifier: Apache-2.0
#include "foldout/evaluate/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "core/check.h"
#include "evaluate/assignment.h"
#include "evaluate/checks.h"
#include "foldout/core/error.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

using Texts = std::vector<std::string>;

void require_same_length(const Texts& a, const Texts& b, std::string_view metric) {
  if (a.size() != b.size())
    throw InvalidArgument(
        fmt::format("{}: the numbers of labels, {} and {}, must be equal: one per sample", metric, a.size(), b.size()));
  if (a.empty()) throw InvalidArgument(fmt::format("{}: there are no labels", metric));
}

void require_labels(const Texts& labels, const MatrixRef& samples, std::string_view what) {
  if (static_cast<Index>(labels.size()) == samples.rows()) return;
  throw InvalidArgument(fmt::format("neighbor_accuracy: {} labels for {} {} samples: give one per sample",
                                    labels.size(), samples.rows(), what));
}

// The distinct labels, numbered in lexicographic order.
std::map<std::string_view, Index> numbered(const Texts& labels) {
  std::map<std::string_view, Index> numbers;
  for (const std::string& label : labels) numbers.emplace(label, 0);
  Index next = 0;
  for (auto& [label, number] : numbers) number = next++;
  return numbers;
}

// The most frequent label of the neighbours. They are sorted by distance, so ties go to the nearest.
const std::string& vote(std::span<const int> neighbors, const Texts& labels) {
  const auto label_of = [&](int j) -> const std::string& { return labels[static_cast<std::size_t>(j)]; };
  const auto votes = [&](int j) {
    return std::ranges::count_if(neighbors, [&](int l) { return label_of(l) == label_of(j); });
  };
  return label_of(*std::ranges::max_element(neighbors, {}, votes));
}

}  // namespace

double accuracy(const Texts& predicted, const Texts& truth) {
  require_same_length(predicted, truth, "accuracy");
  std::size_t right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += predicted[i] == truth[i];
  return static_cast<double>(right) / static_cast<double>(truth.size());
}

double clustering_error(const Texts& clusters, const Texts& truth) {
  require_same_length(clusters, truth, "clustering_error");
  const auto cluster_numbers = numbered(clusters), class_numbers = numbered(truth);
  Matrix together = Matrix::Zero(static_cast<Index>(cluster_numbers.size()), static_cast<Index>(class_numbers.size()));
  for (std::size_t i = 0; i < truth.size(); ++i)
    ++together(cluster_numbers.at(clusters[i]), class_numbers.at(truth[i]));
  return 1 - best_assignment(together) / static_cast<double>(truth.size());
}

double neighbor_accuracy(const MatrixRef& train, const Texts& train_labels, const MatrixRef& fresh,
                         const Texts& fresh_labels, const NeighborAccuracyOptions& options, const RunContext& context) {
  require_samples(train, 1, "neighbor_accuracy (training samples)");
  require_samples(fresh, 1, "neighbor_accuracy (new samples)");
  require_width(fresh, train.cols(), "neighbor_accuracy");
  require_labels(train_labels, train, "training");
  require_labels(fresh_labels, fresh, "new");
  require_neighbors(options.n_neighbors, train.rows(), train.rows(), "neighbor_accuracy");
  const Matrix samples = train;
  const NeighborTable nearest = make_neighbor_index(samples)->query(fresh, options.n_neighbors, context);
  Index right = 0;
  for (Index i = 0; i < fresh.rows(); ++i)
    right += vote(nearest.of(i), train_labels) == fresh_labels[static_cast<std::size_t>(i)];
  return static_cast<double>(right) / static_cast<double>(fresh.rows());
}

}  // namespace foldout
