// SPDX-License-Identifier: Apache-2.0
#include "neighbors/neighbors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "foldout/core/error.h"
#include "linalg/distance.h"
#include "linalg/products.h"
#include "neighbors/searches.h"

namespace foldout {
namespace {

// Up to here a KD-tree beats blocked products (measured on 10 000 and 50 000 samples).
constexpr Index kKdTreeDimensions = 10;

bool use_kd_tree(const MatrixRef& samples, NeighborSearch search) {
  return search == NeighborSearch::kKdTree || (search == NeighborSearch::kAuto && samples.cols() <= kKdTreeDimensions);
}

Matrix directions(const MatrixRef& samples) {
  for (Index i = 0; i < samples.rows(); ++i)
    if ((samples.row(i).array() == 0).all())
      throw InvalidRow(i, "has length 0, so its cosine with others is not defined: remove it, or use metric=euclidean");
  return unit_rows(samples);
}

// Adapts a EuclideanSearch to the metric: 1 − cos of two samples is half the squared distance of their unit vectors.
class Neighbors final : public NeighborIndex {
 public:
  Neighbors(const MatrixRef& samples, const NeighborOptions& options)
      : metric_(options.metric),
        unit_(options.metric == Metric::kCosine ? directions(samples) : Matrix()),
        size_(samples.rows()) {
    const MatrixRef& searched = metric_ == Metric::kCosine ? MatrixRef(unit_) : samples;
    if (use_kd_tree(searched, options.search)) {
      name_ = "kd_tree";
      search_ = make_kd_tree(searched);
    } else if (options.search == NeighborSearch::kApproximate) {
      name_ = "approximate";
      search_ = make_approximate(searched, options.seed);
    } else {
      name_ = "brute_force";
      search_ = make_brute_force(searched);
    }
  }

  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const override {
    if (k < 1 || k > size_)
      throw InvalidArgument(fmt::format("n_neighbors = {} must be in 1 … {}, the number of samples", k, size_));
    return in_metric(metric_ == Metric::kCosine ? search_->query(directions(queries), k, context)
                                                : search_->query(queries, k, context));
  }

  [[nodiscard]] NeighborTable all_pairs(Index k, const RunContext& context) const {
    return in_metric(search_->all_pairs(k, context));
  }

  [[nodiscard]] std::string_view name() const override { return name_; }

 private:
  [[nodiscard]] NeighborTable in_metric(NeighborTable table) const {
    for (double& distance : table.distances) distance = metric_ == Metric::kCosine ? distance / 2 : std::sqrt(distance);
    return table;
  }

  Metric metric_;
  Matrix unit_;
  Index size_;
  std::string_view name_;
  std::unique_ptr<EuclideanSearch> search_;
};

void within_brute_force(const MatrixRef& X, double limit, const CandidateSink& sink, const RunContext& context) {
  parallel_for(
      X.rows(), context,
      [&](Index i) {
        std::vector<Candidate> found;
        for (Index j = 0; j < X.rows(); ++j) {
          const double d2 = squared_distance(X.row(i).data(), X.row(j).data(), X.cols());
          if (d2 <= limit) found.push_back({d2, static_cast<int>(j)});
        }
        sink(i, found);
      },
      "neighbors");
}

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
    table.distances[static_cast<std::size_t>(i * table.k + j)] = candidate.squared_distance;
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
    throw InvalidArgument(fmt::format("n_neighbors = {} must be in 1 … {}: one less than n_samples = {}", k,
                                      samples.rows() - 1, samples.rows()));
  return Neighbors(samples, options).all_pairs(k, context);
}

NeighborLists neighbors_within(const MatrixRef& samples, double radius, const NeighborOptions& options,
                               const RunContext& context) {
  const Matrix unit = options.metric == Metric::kCosine ? directions(samples) : Matrix();
  const MatrixRef& X = options.metric == Metric::kCosine ? MatrixRef(unit) : samples;
  const auto in_metric = [&](double d2) { return options.metric == Metric::kCosine ? d2 / 2 : std::sqrt(d2); };
  // Slightly more than the squared radius: rounding must not exclude samples exactly at the radius.
  const double limit = (options.metric == Metric::kCosine ? 2 * radius : radius * radius) * (1 + 1e-12);
  NeighborLists lists(static_cast<std::size_t>(X.rows()));
  const CandidateSink write = [&](Index i, std::vector<Candidate>& found) {
    std::erase_if(found, [&](const Candidate& c) { return c.index == i || in_metric(c.squared_distance) > radius; });
    std::ranges::sort(found);
    for (const auto& [d2, j] : found) lists[static_cast<std::size_t>(i)].emplace_back(j, in_metric(d2));
  };
  if (use_kd_tree(X, options.search))
    within_kd_tree(X, limit, write, context);
  else
    within_brute_force(X, limit, write, context);
  return lists;
}

BallIndex::BallIndex(const Matrix& samples, double radius, Metric metric)
    : samples_(samples),
      radius_(radius),
      metric_(metric),
      unit_(metric == Metric::kCosine ? directions(samples) : Matrix()) {}

NeighborLists BallIndex::query(const MatrixRef& queries) const {
  const bool by_angle = metric_ == Metric::kCosine;
  const Matrix unit = by_angle ? directions(queries) : Matrix();
  const MatrixRef Q = by_angle ? MatrixRef(unit) : queries, X = by_angle ? MatrixRef(unit_) : MatrixRef(samples_);
  const Matrix d2 = squared_distances(Q, X);  // finds candidates; their distances are computed as for the graph
  const double limit = (by_angle ? 2 * radius_ : radius_ * radius_) * (1 + 1e-9);
  NeighborLists lists(static_cast<std::size_t>(Q.rows()));
  for (Index i = 0; i < Q.rows(); ++i) {
    auto& list = lists[static_cast<std::size_t>(i)];
    const auto distance_to = [&](Index j) {
      const double exact = squared_distance(Q.row(i).data(), X.row(j).data(), X.cols());
      return by_angle ? exact / 2 : std::sqrt(exact);
    };
    for (Index j = 0; j < X.rows(); ++j)
      if (const double distance = d2(i, j) <= limit ? distance_to(j) : radius_ * 2; distance <= radius_)
        list.emplace_back(static_cast<int>(j), distance);
    std::ranges::sort(list, {}, [](const auto& found) { return std::pair{found.second, found.first}; });
    if (!list.empty()) continue;
    Index nearest = 0;
    d2.row(i).minCoeff(&nearest);
    list.emplace_back(static_cast<int>(nearest), distance_to(nearest));
  }
  return lists;
}

Matrix cosine_distances(const MatrixRef& samples) {
  const Matrix unit = directions(samples);
  return squared_distances(unit, unit) / 2;
}

std::vector<Gap> closest_gaps(const MatrixRef& samples, const std::vector<int>& group, int n_groups,
                              const NeighborOptions& options, const RunContext& context) {
  std::vector<Index> sizes(static_cast<std::size_t>(n_groups), 0);
  for (const int g : group) ++sizes[static_cast<std::size_t>(g)];
  const int largest = static_cast<int>(std::ranges::max_element(sizes) - sizes.begin());
  const Matrix unit = options.metric == Metric::kCosine ? directions(samples) : Matrix();
  const MatrixRef& X = options.metric == Metric::kCosine ? MatrixRef(unit) : samples;
  auto gaps = use_kd_tree(X, options.search) ? closest_gaps_kd_tree(X, group, n_groups, largest, context)
                                             : closest_gaps_brute_force(X, group, n_groups, largest, context);
  if (options.metric == Metric::kCosine)
    for (Gap& gap : gaps) gap.distance *= gap.distance / 2;
  return gaps;
}

}  // namespace foldout
