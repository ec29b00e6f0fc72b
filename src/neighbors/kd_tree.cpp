// SPDX-License-Identifier: Apache-2.0
// Exact nearest neighbours in low dimension by a KD-tree (nanoflann), and the closest pairs between groups.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nanoflann.hpp>

#include "core/parallel.h"
#include "neighbors/leaf_tree.h"
#include "neighbors/measures.h"
#include "neighbors/nearest_set.h"
#include "neighbors/neighbors.h"
#include "neighbors/searches.h"

namespace foldout {
namespace {

// The rows of a matrix as nanoflann sees them.
struct Points {
  const double* data;
  Index stride, count, n_features;

  explicit Points(const MatrixRef& X) { refer_to(X); }
  void refer_to(const MatrixRef& X) {
    data = X.data();
    stride = X.outerStride();
    count = X.rows();
    n_features = X.cols();
  }
  [[nodiscard]] const double* row(std::size_t i) const { return data + static_cast<Index>(i) * stride; }
  [[nodiscard]] std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(count); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t dimension) const { return row(i)[dimension]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

// Our own sums, so that the tree and the brute-force search agree bit for bit.
template <class Measure>
struct FixedOrderDistance {
  using ElementType = double;
  using DistanceType = double;
  const Points& points;
  explicit FixedOrderDistance(const Points& p) : points(p) {}
  double evalMetric(const double* a, std::size_t b, std::size_t size) const {
    return Measure::between(a, points.row(b), static_cast<Index>(size));
  }
  template <class U, class V>
  double accum_dist(U a, V b, std::size_t) const {
    return Measure::share(a - b, points.n_features);
  }
};

template <class Measure>
using TreeOf = nanoflann::KDTreeSingleIndexAdaptor<FixedOrderDistance<Measure>, Points, -1, int>;
constexpr std::size_t kLeafSize = 16;

// All samples whose measure is within a limit.
class WithinSet {
 public:
  using DistanceType = double;
  WithinSet(double limit, std::vector<Candidate>& found) : limit_(limit), found_(found) {}
  [[nodiscard]] std::size_t size() const { return found_.size(); }
  [[nodiscard]] bool full() const { return true; }
  [[nodiscard]] double worstDist() const { return limit_ * kSlack + std::numeric_limits<double>::min(); }
  bool addPoint(double distance, int index) {
    if (distance <= limit_) found_.push_back({distance, index});
    return true;
  }

 private:
  double limit_;
  std::vector<Candidate>& found_;
};

// Once the tree is built, the samples are copied in the order of its leaves: a leaf is then contiguous, and all_pairs()
// queries in that order, so that successive queries traverse the same branches.
template <class Measure = SquaredEuclidean>
class KdTree final : public SearchStructure {
 public:
  explicit KdTree(const MatrixRef& samples)
      : points_(samples),
        tree_(static_cast<int>(samples.cols()), points_, nanoflann::KDTreeSingleIndexAdaptorParams(kLeafSize)) {
    tree_.buildIndex();
    names_ = tree_.vAcc;
    ordered_.resize(samples.rows(), samples.cols());
    for (std::size_t i = 0; i < names_.size(); ++i) {
      ordered_.row(static_cast<Index>(i)) = samples.row(names_[i]);
      tree_.vAcc[i] = static_cast<int>(i);
    }
    points_.refer_to(ordered_);
  }

  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const override {
    return table_of(queries.rows(), k, context, [&](Index i, NearestSet& nearest) {
      search(queries.row(i).data(), kNone, nearest);
      return i;
    });
  }

  [[nodiscard]] NeighborTable all_pairs(Index k, const RunContext& context) const override {
    return table_of(ordered_.rows(), k, context, [&](Index place, NearestSet& nearest) {
      search(ordered_.row(place).data(), static_cast<int>(place), nearest);
      return static_cast<Index>(names_[static_cast<std::size_t>(place)]);
    });
  }

  void within(double limit, const CandidateSink& sink, const RunContext& context) const {
    parallel_for(
        ordered_.rows(), context,
        [&](Index place) {
          std::vector<Candidate> found;
          WithinSet set(limit, found);
          tree_.findNeighbors(set, ordered_.row(place).data(), nanoflann::SearchParams());
          for (Candidate& candidate : found) candidate.index = names_[static_cast<std::size_t>(candidate.index)];
          sink(names_[static_cast<std::size_t>(place)], found);
        },
        "neighbors");
  }

 private:
  /// `find` fills the set with the neighbours of the i-th query and returns their row in the table.
  template <class Find>
  [[nodiscard]] NeighborTable table_of(Index n, Index k, const RunContext& context, Find find) const {
    NeighborTable table{n, k, std::vector<int>(static_cast<std::size_t>(n * k)),
                        std::vector<double>(static_cast<std::size_t>(n * k))};
    constexpr Index kRows = 256;
    parallel_blocks(
        n, kRows, context,
        [&](Index begin, Index end) {
          NearestSet nearest(k, names_.data());
          for (Index i = begin; i < end; ++i) {
            const Index row = find(i, nearest);
            nearest.write(row, table);
          }
        },
        "neighbors");
    return table;
  }

  void search(const double* x, int excluded, NearestSet& nearest) const {
    nearest.clear(excluded);
    tree_.findNeighbors(nearest, x, nanoflann::SearchParams());
    if (!nearest.full()) search_all(x, excluded, nearest);
  }

  // If distances overflow, the tree finds too few samples, since infinity is not less than infinity.
  void search_all(const double* x, int excluded, NearestSet& nearest) const {
    nearest.clear(excluded);
    for (Index place = 0; place < ordered_.rows(); ++place)
      nearest.addPoint(Measure::between(x, ordered_.row(place).data(), ordered_.cols()), static_cast<int>(place));
  }

  Points points_;
  TreeOf<Measure> tree_;
  Matrix ordered_;
  std::vector<int> names_;  // of the samples, in that order
};

// The samples of one group with their bounding box and tree.
template <class Measure>
struct Group {
  std::vector<int> members;  // as rows of all samples
  Matrix rows;
  Eigen::RowVectorXd low, high;
  Points points;
  TreeOf<Measure> tree;

  Group(const MatrixRef& samples, std::vector<int> indices)
      : members(std::move(indices)),
        rows(samples(members, Eigen::all)),
        low(rows.colwise().minCoeff()),
        high(rows.colwise().maxCoeff()),
        points(rows),
        tree(static_cast<int>(rows.cols()), points, nanoflann::KDTreeSingleIndexAdaptorParams(kLeafSize)) {
    tree.buildIndex();
  }

  [[nodiscard]] double measure_to_box(const Eigen::RowVectorXd& x) const {
    return Measure::to_box((low - x).cwiseMax(x - high).cwiseMax(0.0));
  }
};

}  // namespace

std::unique_ptr<SearchStructure> make_kd_tree(const MatrixRef& samples, Metric metric) {
  if (metric == Metric::kManhattan) return std::make_unique<KdTree<Manhattan>>(samples);
  if (metric == Metric::kChebyshev) return std::make_unique<KdTree<Chebyshev>>(samples);
  if (samples.cols() == 2 || samples.cols() == 3) return make_leaf_tree(samples);
  return std::make_unique<KdTree<>>(samples);
}

void within_kd_tree(const MatrixRef& samples, double limit, Metric metric, const CandidateSink& sink,
                    const RunContext& context) {
  if (metric == Metric::kManhattan) return KdTree<Manhattan>(samples).within(limit, sink, context);
  if (metric == Metric::kChebyshev) return KdTree<Chebyshev>(samples).within(limit, sink, context);
  KdTree<>(samples).within(limit, sink, context);
}

namespace {

template <class Measure>
std::vector<Gap> gaps_between_trees(const MatrixRef& samples, const Grouping& grouping, const RunContext& context) {
  std::vector<std::vector<int>> members(static_cast<std::size_t>(grouping.count));
  for (std::size_t i = 0; i < grouping.of.size(); ++i)
    members[static_cast<std::size_t>(grouping.of[i])].push_back(static_cast<int>(i));
  std::vector<std::unique_ptr<Group<Measure>>> groups;
  groups.reserve(members.size());
  for (auto& list : members) groups.push_back(std::make_unique<Group<Measure>>(samples, std::move(list)));
  std::vector<Gap> gaps(static_cast<std::size_t>(grouping.count));
  parallel_for(grouping.count, context, [&](Index g) {
    if (g == grouping.skip) return;
    Candidate best{std::numeric_limits<double>::infinity(), 0};
    int from = -1;
    for (const int i : groups[static_cast<std::size_t>(g)]->members)
      for (Index other = 0; other < grouping.count; ++other) {
        const Group<Measure>& target = *groups[static_cast<std::size_t>(other)];
        if (other == g || target.measure_to_box(samples.row(i)) > best.measure * kSlack) continue;
        NearestSet nearest(1);
        target.tree.findNeighbors(nearest, samples.row(i).data(), nanoflann::SearchParams());
        if (!nearest.full()) continue;  // at an infinite distance
        const auto at = static_cast<std::size_t>(nearest.nearest().index);
        const Candidate found{nearest.nearest().measure, target.members[at]};
        if (found < best) {
          best = found;
          from = i;
        }
      }
    gaps[static_cast<std::size_t>(g)] = {from, best.index, best.measure};
  });
  gaps.erase(gaps.begin() + grouping.skip);
  return gaps;
}

}  // namespace

std::vector<Gap> closest_gaps_kd_tree(const MatrixRef& samples, const Grouping& groups, Metric metric,
                                      const RunContext& context) {
  if (metric == Metric::kManhattan) return gaps_between_trees<Manhattan>(samples, groups, context);
  if (metric == Metric::kChebyshev) return gaps_between_trees<Chebyshev>(samples, groups, context);
  return gaps_between_trees<SquaredEuclidean>(samples, groups, context);
}

}  // namespace foldout
