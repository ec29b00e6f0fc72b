// SPDX-License-Identifier: Apache-2.0
#include "neighbors/neighbors.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/parallel.h"
#include "core/shared_work.h"
#include "foldout/core/error.h"
#include "linalg/metric_distances.h"
#include "neighbors/searches.h"

namespace foldout {
namespace {

// Up to here a KD-tree beats blocked products (measured on 10 000 and 50 000 samples).
constexpr Index kKdTreeDimensions = 10;

constexpr double kBytesPerPair = 48;  // of a list that grows, and of the edges made of it

bool use_kd_tree(const MatrixRef& samples, const NeighborOptions& options) {
  if (options.metric == Metric::kPrecomputed) return false;
  return options.search == NeighborSearch::kKdTree ||
         (options.search == NeighborSearch::kAuto && samples.cols() <= kKdTreeDimensions);
}

// Metrics that are not Euclidean distances of the samples or of their directions.
bool is_plain(Metric metric) { return metric != Metric::kEuclidean && !by_angle(metric); }

void require_search(const NeighborOptions& options) {
  if (options.search == NeighborSearch::kApproximate && is_plain(options.metric))
    throw InvalidArgument(fmt::format(
        "search=approximate is for the metrics euclidean, cosine and correlation, not {}: use search=auto, which is "
        "exact",
        name_of(options.metric)));
  if (options.search == NeighborSearch::kKdTree && options.metric == Metric::kPrecomputed)
    throw InvalidArgument("search=kd_tree needs samples, and metric=precomputed gives distances: use search=auto");
}

// A table of k indices and distances for each query, its copies in graphs, and what comes of them.
void require_room(Index n, Index k, double bytes_each, const RunContext& context) {
  const double bytes = bytes_each * static_cast<double>(n) * static_cast<double>(k);
  if (bytes > 1e8 || context.memory_limit > 0)
    require_memory(bytes, fmt::format("{} neighbours of each of {} samples", k, n), "lower n_neighbors",
                   context.memory_limit);
}

// From what a search structure compares to distances, and back.
double distance_from(double measure, Metric metric) {
  if (is_plain(metric)) return measure;
  return by_angle(metric) ? measure / 2 : std::sqrt(measure);
}
double measure_from(double distance, Metric metric) {
  if (is_plain(metric)) return distance;
  return by_angle(metric) ? 2 * distance : distance * distance;
}

// The samples that a structure searches: their directions, if the metric is 1 − cos of them.
class Searched {
 public:
  Searched(const MatrixRef& samples, Metric metric)
      : directions_(by_angle(metric) ? require_directions(samples, metric) : Matrix()),
        rows_(by_angle(metric) ? MatrixRef(directions_) : samples) {}
  [[nodiscard]] const MatrixRef& rows() const { return rows_; }

 private:
  Matrix directions_;
  MatrixRef rows_;
};

// Adapts a SearchStructure to the metric.
class Neighbors final : public NeighborIndex {
 public:
  Neighbors(const MatrixRef& samples, const NeighborOptions& options, const RunContext& context = {})
      : metric_(options.metric),
        searched_(samples, options.metric),
        size_(options.metric == Metric::kPrecomputed ? samples.cols() : samples.rows()) {
    require_search(options);
    if (use_kd_tree(samples, options)) {
      name_ = "kd_tree";
      search_ = make_kd_tree(searched_.rows(), metric_);
    } else if (options.search == NeighborSearch::kApproximate) {
      name_ = "approximate";
      search_ = make_approximate(searched_.rows(), options.seed, context);
    } else {
      name_ = "brute_force";
      search_ = is_plain(metric_) ? make_scan(samples, metric_) : make_brute_force(searched_.rows());
    }
  }

  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const override {
    if (k < 1 || k > size_)
      throw InvalidArgument(fmt::format("n_neighbors = {} must be in 1 … {}, the number of samples", k, size_));
    require_room(queries.rows(), k, 16, context);
    return in_metric(search_->query(Searched(queries, metric_).rows(), k, context));
  }

  [[nodiscard]] NeighborTable all_pairs(Index k, const RunContext& context) const override {
    return in_metric(search_->all_pairs(k, context));
  }

  [[nodiscard]] std::string_view name() const override { return name_; }

 private:
  [[nodiscard]] NeighborTable in_metric(NeighborTable table) const {
    for (double& distance : table.distances) distance = distance_from(distance, metric_);
    return table;
  }

  Metric metric_;
  Searched searched_;
  Index size_;
  std::string_view name_;
  std::unique_ptr<SearchStructure> search_;
};

}  // namespace

NeighborTable without_self(const NeighborTable& table) {
  const auto k = static_cast<std::size_t>(table.k - 1), n = static_cast<std::size_t>(table.n);
  NeighborTable others{table.n, table.k - 1, std::vector<int>(n * k), std::vector<double>(n * k)};
  for (std::size_t i = 0; i < n; ++i) {
    const int* indices = table.indices.data() + i * (k + 1);
    const double* distances = table.distances.data() + i * (k + 1);
    std::size_t self = 0;
    while (self < k && indices[self] != static_cast<int>(i)) ++self;
    for (std::size_t j = 0; j < k; ++j) {
      others.indices[i * k + j] = indices[j < self ? j : j + 1];
      others.distances[i * k + j] = distances[j < self ? j : j + 1];
    }
  }
  return others;
}

void write_nearest(std::vector<Candidate>& candidates, Index i, NeighborTable& table) {
  const auto last = candidates.begin() + table.k;
  std::ranges::partial_sort(candidates, last);
  for (Index j = 0; j < table.k; ++j) {
    const Candidate& candidate = candidates[static_cast<std::size_t>(j)];
    table.indices[static_cast<std::size_t>(i * table.k + j)] = candidate.index;
    table.distances[static_cast<std::size_t>(i * table.k + j)] = candidate.measure;
  }
}

std::unique_ptr<NeighborIndex> make_neighbor_index(const Matrix& samples, const NeighborOptions& options) {
  return std::make_unique<Neighbors>(samples, options);
}

std::unique_ptr<NeighborIndex> make_neighbor_index(const MatrixRef& samples, const NeighborOptions& options) {
  return std::make_unique<Neighbors>(samples, options);
}

NeighborTable nearest_neighbors(const MatrixRef& samples, Index k, const NeighborOptions& options,
                                const RunContext& context) {
  if (k < 1 || k >= samples.rows())
    throw InvalidArgument(
        fmt::format("n_neighbors = {} must be in 1 … {}, less than n_samples = {}: choose fewer neighbours", k,
                    samples.rows() - 1, samples.rows()));
  require_room(samples.rows(), k, 40, context);
  if (context.shared)
    if (auto table = context.shared->nearest(samples, k, options, context)) return *std::move(table);
  return Neighbors(samples, options, context).all_pairs(k, context);
}

NeighborLists neighbors_within(const MatrixRef& samples, double radius, const NeighborOptions& options,
                               const RunContext& context) {
  require_search(options);
  const Searched X(samples, options.metric);
  // Slightly more than the radius: rounding must not exclude samples exactly at the radius.
  const double limit = measure_from(radius, options.metric) * (1 + 1e-12);
  NeighborLists lists(static_cast<std::size_t>(samples.rows()));
  const double room = (context.memory_limit > 0 ? context.memory_limit : available_memory()) / kBytesPerPair;
  std::atomic<Index> n_pairs = 0;
  const CandidateSink write = [&](Index i, std::vector<Candidate>& found) {
    if (const auto pairs = static_cast<double>(n_pairs += std::ssize(found)); pairs > room)
      require_memory(pairs * kBytesPerPair, fmt::format("the pairs of samples within radius {:g}", radius),
                     "lower radius, or use graph=knn", room * kBytesPerPair);
    std::erase_if(
        found, [&](const Candidate& c) { return c.index == i || distance_from(c.measure, options.metric) > radius; });
    std::ranges::sort(found);
    for (const auto& [measure, j] : found)
      lists[static_cast<std::size_t>(i)].emplace_back(j, distance_from(measure, options.metric));
  };
  if (use_kd_tree(samples, options))
    within_kd_tree(X.rows(), limit, options.metric, write, context);
  else
    within_scan(X.rows(), limit, options.metric, write, context);
  return lists;
}

BallIndex::BallIndex(const MatrixRef& samples, double radius, Metric metric)
    : distances_(samples, metric), radius_(radius), metric_(metric) {}

NeighborLists BallIndex::query(const MatrixRef& queries) const {
  if (by_angle(metric_)) (void)require_directions(queries, metric_);  // throws
  const Matrix d2 = distances_.squared(queries);  // finds candidates; their distances are computed as for the graph
  const double limit = radius_ * radius_ * (1 + 1e-9);
  NeighborLists lists(static_cast<std::size_t>(queries.rows()));
  for (Index i = 0; i < queries.rows(); ++i) {
    auto& list = lists[static_cast<std::size_t>(i)];
    const MatrixRef query = queries.middleRows(i, 1);
    for (Index j = 0; j < d2.cols(); ++j)
      if (const double distance = d2(i, j) <= limit ? distances_.exact(query, j) : 2 * radius_; distance <= radius_)
        list.emplace_back(static_cast<int>(j), distance);
    std::ranges::sort(list, {}, [](const auto& found) { return std::pair{found.second, found.first}; });
    if (!list.empty()) continue;
    Index nearest = 0;
    d2.row(i).minCoeff(&nearest);
    list.emplace_back(static_cast<int>(nearest), distances_.exact(query, nearest));
  }
  return lists;
}

std::vector<Gap> closest_gaps(const MatrixRef& samples, const std::vector<int>& group, int n_groups,
                              const NeighborOptions& options, const RunContext& context) {
  std::vector<Index> sizes(static_cast<std::size_t>(n_groups), 0);
  for (const int g : group) ++sizes[static_cast<std::size_t>(g)];
  const Grouping groups{group, n_groups, static_cast<int>(std::ranges::max_element(sizes) - sizes.begin())};
  const Searched X(samples, options.metric);
  std::vector<Gap> gaps;
  if (use_kd_tree(samples, options))
    gaps = closest_gaps_kd_tree(X.rows(), groups, options.metric, context);
  else if (is_plain(options.metric))
    gaps = closest_gaps_scan(X.rows(), groups, options.metric, context);
  else
    gaps = closest_gaps_brute_force(X.rows(), groups, context);
  for (Gap& gap : gaps) gap.distance = distance_from(gap.distance, options.metric);
  return gaps;
}

}  // namespace foldout
