// SPDX-License-Identifier: Apache-2.0
// Exact nearest neighbours in low dimension by a KD-tree (nanoflann), and the closest pairs between groups.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nanoflann.hpp>

#include "foldout/core/parallel.h"
#include "foldout/linalg/distance.h"
#include "neighbors/searches.h"

namespace foldout {
namespace {

// The rows of a matrix as nanoflann sees them.
struct Points {
  const double* data;
  Index stride, count;

  explicit Points(const MatrixRef& X) : data(X.data()), stride(X.outerStride()), count(X.rows()) {}
  [[nodiscard]] const double* row(std::size_t i) const { return data + static_cast<Index>(i) * stride; }
  [[nodiscard]] std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(count); }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t dimension) const { return row(i)[dimension]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

// Our own sum of squares, so that the tree and the brute-force search agree to the bit. `kDimension` is the number of
// features where it is known when compiling (surfaces in space are the common case), else −1.
template <int kDimension>
struct FixedOrderDistance {
  using ElementType = double;
  using DistanceType = double;
  const Points& points;
  explicit FixedOrderDistance(const Points& p) : points(p) {}
  double evalMetric(const double* a, std::size_t b, std::size_t size) const {
    return squared_distance(a, points.row(b), kDimension > 0 ? kDimension : static_cast<Index>(size));
  }
  template <class U, class V>
  double accum_dist(U a, V b, std::size_t) const {
    return (a - b) * (a - b);
  }
};

template <int kDimension>
using TreeOf = nanoflann::KDTreeSingleIndexAdaptor<FixedOrderDistance<kDimension>, Points, kDimension, int>;
using Tree = TreeOf<-1>;
constexpr std::size_t kLeafSize = 16;
// The tree's bounds are rounded too: look a hair further than the worst kept distance, so that no tie is missed.
constexpr double kSlack = 1 + 1e-12;

constexpr int kNone = -1;

// The k nearest by (distance, index), kept sorted by insertion: k is small.
class NearestSet {
 public:
  using DistanceType = double;
  explicit NearestSet(Index k) : k_(static_cast<std::size_t>(k)) { kept_.reserve(k_ + 1); }
  [[nodiscard]] std::size_t size() const { return kept_.size(); }
  [[nodiscard]] bool full() const { return kept_.size() == k_; }
  [[nodiscard]] double worstDist() const {
    return full() ? kept_.back().squared_distance * kSlack + std::numeric_limits<double>::min()
                  : std::numeric_limits<double>::infinity();
  }
  bool addPoint(double distance, int index) {
    if (index == excluded_) return true;
    const auto before = [&](const Candidate& other) {
      return distance < other.squared_distance || (distance == other.squared_distance && index < other.index);
    };
    if (full() && !before(kept_.back())) return true;
    if (!full()) kept_.emplace_back();
    std::size_t at = kept_.size() - 1;
    for (; at > 0 && before(kept_[at - 1]); --at) kept_[at] = kept_[at - 1];
    kept_[at] = {distance, index};
    return true;
  }
  [[nodiscard]] const Candidate& nearest() const { return kept_.front(); }
  void write(Index i, NeighborTable& table) const {
    for (std::size_t j = 0; j < k_; ++j) {
      table.indices[static_cast<std::size_t>(i) * k_ + j] = kept_[j].index;
      table.distances[static_cast<std::size_t>(i) * k_ + j] = kept_[j].squared_distance;
    }
  }
  /// Empties the set; sample `excluded` will not be taken.
  void clear(int excluded) {
    kept_.clear();
    excluded_ = excluded;
  }

 private:
  std::size_t k_;
  int excluded_ = kNone;
  std::vector<Candidate> kept_;
};

// All within a squared distance.
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

template <int kDimension>
class KdTree final : public EuclideanSearch {
 public:
  explicit KdTree(const MatrixRef& samples)
      : samples_(samples),
        points_(samples_),
        tree_(static_cast<int>(samples.cols()), points_, nanoflann::KDTreeSingleIndexAdaptorParams(kLeafSize)) {
    tree_.buildIndex();
  }

  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const override {
    return query_in_order(
        queries, k, false, [](Index i) { return i; }, context);
  }

  // In the order of the tree's leaves: one query after the other walks the same branches, which are in the cache then.
  [[nodiscard]] NeighborTable all_pairs(Index k, const RunContext& context) const override {
    const auto leaf_order = [&](Index i) { return static_cast<Index>(tree_.vAcc[static_cast<std::size_t>(i)]); };
    return query_in_order(samples_, k, true, leaf_order, context);
  }

  void within(double limit, const CandidateSink& sink, const RunContext& context) const {
    parallel_for(
        samples_.rows(), context,
        [&](Index i) {
          std::vector<Candidate> found;
          WithinSet set(limit, found);
          tree_.findNeighbors(set, samples_.row(i).data(), nanoflann::SearchParams());
          sink(i, found);
        },
        "neighbors");
  }

 private:
  template <class Order>
  [[nodiscard]] NeighborTable query_in_order(const MatrixRef& queries, Index k, bool exclude_self, Order order,
                                             const RunContext& context) const {
    const Index n = queries.rows();
    NeighborTable table{n, k, std::vector<int>(static_cast<std::size_t>(n * k)),
                        std::vector<double>(static_cast<std::size_t>(n * k))};
    constexpr Index kRows = 256;
    parallel_blocks(
        n, kRows, context,
        [&](Index begin, Index end) {
          NearestSet nearest(k);
          for (Index at = begin; at < end; ++at) {
            const Index i = order(at);
            query_one(queries, i, exclude_self ? static_cast<int>(i) : kNone, nearest, table);
          }
        },
        "neighbors");
    return table;
  }

  void query_one(const MatrixRef& queries, Index i, int excluded, NearestSet& nearest, NeighborTable& table) const {
    nearest.clear(excluded);
    tree_.findNeighbors(nearest, queries.row(i).data(), nanoflann::SearchParams());
    if (!nearest.full()) {  // distances overflow, and infinity is not less than infinity: look at all
      nearest.clear(excluded);
      for (Index j = 0; j < samples_.rows(); ++j)
        nearest.addPoint(squared_distance(queries.row(i).data(), samples_.row(j).data(), samples_.cols()),
                         static_cast<int>(j));
    }
    nearest.write(i, table);
  }

  MatrixRef samples_;
  Points points_;
  TreeOf<kDimension> tree_;
};

// The samples of one group with their box and tree.
struct Group {
  std::vector<int> members;  // as rows of all samples
  Matrix rows;
  Eigen::RowVectorXd low, high;
  Points points;
  Tree tree;

  Group(const MatrixRef& samples, std::vector<int> indices)
      : members(std::move(indices)),
        rows(samples(members, Eigen::all)),
        low(rows.colwise().minCoeff()),
        high(rows.colwise().maxCoeff()),
        points(rows),
        tree(static_cast<int>(rows.cols()), points, nanoflann::KDTreeSingleIndexAdaptorParams(kLeafSize)) {
    tree.buildIndex();
  }

  [[nodiscard]] double squared_distance_to_box(const Eigen::RowVectorXd& x) const {
    return (low - x).cwiseMax(x - high).cwiseMax(0.0).squaredNorm();
  }
};

}  // namespace

std::unique_ptr<EuclideanSearch> make_kd_tree(const MatrixRef& samples) {
  if (samples.cols() == 2) return std::make_unique<KdTree<2>>(samples);
  if (samples.cols() == 3) return std::make_unique<KdTree<3>>(samples);
  return std::make_unique<KdTree<-1>>(samples);
}

void within_kd_tree(const MatrixRef& samples, double limit, const CandidateSink& sink, const RunContext& context) {
  KdTree<-1>(samples).within(limit, sink, context);
}

std::vector<Gap> closest_gaps_kd_tree(const MatrixRef& samples, const std::vector<int>& group, int n_groups, int skip,
                                      const RunContext& context) {
  std::vector<std::vector<int>> members(static_cast<std::size_t>(n_groups));
  for (std::size_t i = 0; i < group.size(); ++i)
    members[static_cast<std::size_t>(group[i])].push_back(static_cast<int>(i));
  std::vector<std::unique_ptr<Group>> groups;
  for (auto& list : members) groups.push_back(std::make_unique<Group>(samples, std::move(list)));
  std::vector<Gap> gaps(static_cast<std::size_t>(n_groups));
  parallel_for(n_groups, context, [&](Index g) {
    if (g == skip) return;
    Candidate best{std::numeric_limits<double>::infinity(), 0};
    int from = -1;
    for (const int i : groups[static_cast<std::size_t>(g)]->members)
      for (Index other = 0; other < n_groups; ++other) {
        const Group& target = *groups[static_cast<std::size_t>(other)];
        if (other == g || target.squared_distance_to_box(samples.row(i)) > best.squared_distance * kSlack) continue;
        NearestSet nearest(1);
        target.tree.findNeighbors(nearest, samples.row(i).data(), nanoflann::SearchParams());
        if (!nearest.full()) continue;  // at an infinite distance
        const auto at = static_cast<std::size_t>(nearest.nearest().index);
        const Candidate found{nearest.nearest().squared_distance, target.members[at]};
        if (found < best) {
          best = found;
          from = i;
        }
      }
    gaps[static_cast<std::size_t>(g)] = {from, best.index, std::sqrt(best.squared_distance)};
  });
  gaps.erase(gaps.begin() + skip);
  return gaps;
}

}  // namespace foldout
