// SPDX-License-Identifier: Apache-2.0
// A KD-tree that splits the widest feature near its median, at a multiple of the size of a leaf. Samples are sorted as
// the tree is built, so that every step works on contiguous memory. All pairs: one traversal serves all samples of a
// leaf, and the distances to all samples of another leaf are computed together.
#include "neighbors/leaf_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "linalg/distance.h"
#include "neighbors/leaf_kernels.h"

namespace foldout {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <int kDimension>
class LeafTree final : public SearchStructure {
 public:
  explicit LeafTree(const MatrixRef& samples) : n_(samples.rows()) {
    std::vector<Point> points(static_cast<std::size_t>(n_));
    for (Index i = 0; i < n_; ++i) {
      Point& point = points[static_cast<std::size_t>(i)];
      std::copy_n(samples.row(i).data(), kDimension, point.x.data());
      point.name = static_cast<int>(i);
    }
    nodes_.reserve(static_cast<std::size_t>(2 * n_ / kLeaf + 2));
    build(points, 0, n_);
    const auto size = static_cast<std::size_t>((n_ + kLeaf - 1) / kLeaf * kLeaf);
    for (auto& column : columns_) column.assign(size, kInfinity);
    names_.assign(size, -1);
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t f = 0; f < kDimension; ++f) columns_[f][i] = points[i].x[f];
      names_[i] = points[i].name;
    }
  }

  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const override {
    NeighborTable table = empty_table(queries.rows(), k);
    constexpr Index kRows = 256;
    parallel_blocks(
        queries.rows(), kRows, context,
        [&](Index begin, Index end) {
          NearestSet nearest(k);
          for (Index i = begin; i < end; ++i) {
            nearest.clear(kNone);
            std::array<double, kDimension> gaps{};
            walk(0, queries.row(i).data(), 0, gaps, nearest);
            if (!nearest.full()) search_all(queries.row(i).data(), kNone, nearest);
            nearest.write(i, table);
          }
        },
        "neighbors");
    return table;
  }

  [[nodiscard]] NeighborTable all_pairs(Index k, const RunContext& context) const override {
    NeighborTable table = empty_table(n_, k);
    constexpr Index kLeaves = 16;
    parallel_blocks((n_ + kLeaf - 1) / kLeaf, kLeaves, context,
                    [&](Index begin, Index end) {
                      Traversal traversal(*this, k);
                      for (Index leaf = begin; leaf < end; ++leaf) {
                        traversal.search(leaf * kLeaf, std::min((leaf + 1) * kLeaf, n_));
                        traversal.write(table);
                      }
                    },
                    "neighbors");
    return table;
  }

 private:
  struct Point {
    std::array<double, kDimension> x;
    int name;
  };
  struct Box {
    std::array<double, kDimension> low, high;
  };
  // The first child follows its parent. The samples of the first are at most `low` in the feature, those of the second
  // at least `high`.
  struct Node {
    Index begin, end;
    int second = 0;  // 0: a leaf
    int feature = 0;
    double low = 0, high = 0;
  };

  static NeighborTable empty_table(Index n, Index k) {
    const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(k);
    return {n, k, std::vector<int>(size), std::vector<double>(size)};
  }

  static Box box_of(const Point* begin, const Point* end) {
    Box box{begin->x, begin->x};
    for (const Point* p = begin; p < end; ++p)
      for (std::size_t f = 0; f < kDimension; ++f) {
        box.low[f] = std::min(box.low[f], p->x[f]);
        box.high[f] = std::max(box.high[f], p->x[f]);
      }
    return box;
  }

  Box build(std::vector<Point>& points, Index begin, Index end) {
    const auto at = nodes_.size();
    nodes_.push_back({.begin = begin, .end = end});
    const Box box = box_of(points.data() + begin, points.data() + end);
    const Index n_leaves = (end - begin + kLeaf - 1) / kLeaf;
    if (n_leaves <= 1) return box;
    std::size_t widest = 0;
    for (std::size_t f = 1; f < kDimension; ++f)
      if (box.high[f] - box.low[f] > box.high[widest] - box.low[widest]) widest = f;
    const Index middle = begin + (n_leaves + 1) / 2 * kLeaf;
    std::nth_element(points.begin() + begin, points.begin() + middle, points.begin() + end,
                     [widest](const Point& a, const Point& b) { return a.x[widest] < b.x[widest]; });
    const double low = build(points, begin, middle).high[widest];
    const auto second = static_cast<int>(nodes_.size());
    const double high = build(points, middle, end).low[widest];
    Node& node = nodes_[at];
    node.second = second;
    node.feature = static_cast<int>(widest);
    node.low = low;
    node.high = high;
    return box;
  }

  [[nodiscard]] double measure(const double* x, Index place) const {
    std::array<double, kDimension> y;
    for (std::size_t f = 0; f < kDimension; ++f) y[f] = columns_[f][static_cast<std::size_t>(place)];
    return squared_distance(x, y.data(), kDimension);
  }
  void add(const double* x, Index begin, Index end, int excluded, NearestSet& nearest) const {
    for (Index place = begin; place < end; ++place)
      if (const auto name = static_cast<int>(names_[static_cast<std::size_t>(place)]); name != excluded)
        nearest.addPoint(measure(x, place), name);
  }
  // If distances overflow, the tree finds too few samples, since infinity is not less than infinity.
  void search_all(const double* x, int excluded, NearestSet& nearest) const {
    nearest.clear(kNone);
    add(x, 0, n_, excluded, nearest);
  }

  // `gap` is the squared distance from x to the cell of the node, `gaps` its share of each feature.
  void walk(int at, const double* x, double gap, std::array<double, kDimension>& gaps, NearestSet& nearest) const {
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    if (node.second == 0) return add(x, node.begin, node.end, kNone, nearest);
    const auto feature = static_cast<std::size_t>(node.feature);
    const double to_low = std::max(0.0, x[feature] - node.low), to_high = std::max(0.0, node.high - x[feature]);
    const bool low_first = to_low <= to_high;
    walk(low_first ? at + 1 : node.second, x, gap, gaps, nearest);
    const double cut = low_first ? to_high * to_high : to_low * to_low;
    const double old = gaps[feature], far_gap = gap + (cut - old);
    if (far_gap > nearest.worstDist()) return;
    gaps[feature] = cut;
    walk(low_first ? node.second : at + 1, x, far_gap, gaps, nearest);
    gaps[feature] = old;
  }

  // The search for all samples of one leaf.
  class Traversal {
   public:
    Traversal(const LeafTree& tree, Index k)
        : tree_(tree),
          columns_{tree.columns_[0].data(), tree.columns_[1].data(),
                   kDimension == 2 ? nullptr : tree.columns_[kDimension - 1].data(), tree.names_.data()},
          sets_(k),
          one_(k) {}

    void search(Index begin, Index end) {
      begin_ = begin;
      count_ = static_cast<int>(end - begin);
      for (std::size_t f = 0; f < kDimension; ++f) {
        const auto [low, high] = std::minmax_element(tree_.columns_[f].data() + begin, tree_.columns_[f].data() + end);
        low_[f] = *low;
        high_[f] = *high;
      }
      sets_.clear();
      worst_.fill(kInfinity);
      worst_of_all_ = kInfinity;
      gaps_.fill(0);
      walk(0, 0);
    }

    void write(NeighborTable& table) {
      for (int i = 0; i < count_; ++i) {
        const auto place = static_cast<std::size_t>(begin_ + i);
        const auto name = static_cast<Index>(tree_.names_[place]);
        const auto to = static_cast<std::size_t>(name * table.k);
        if (std::isfinite(sets_.worst(i))) {
          std::copy_n(sets_.measures(i), table.k, table.distances.begin() + static_cast<std::ptrdiff_t>(to));
          for (Index j = 0; j < table.k; ++j)
            table.indices[to + static_cast<std::size_t>(j)] = static_cast<int>(sets_.names(i)[j]);
          continue;
        }
        std::array<double, kDimension> x;
        for (std::size_t f = 0; f < kDimension; ++f) x[f] = tree_.columns_[f][place];
        tree_.search_all(x.data(), static_cast<int>(name), one_);
        one_.write(name, table);
      }
    }

   private:
    void walk(int at, double gap) {
      const Node& node = tree_.nodes_[static_cast<std::size_t>(at)];
      if (node.second == 0) return visit(node.begin, gap);
      const auto feature = static_cast<std::size_t>(node.feature);
      const double to_low = std::max(0.0, low_[feature] - node.low);
      const double to_high = std::max(0.0, node.high - high_[feature]);
      const bool low_first = to_low <= to_high;
      walk(low_first ? at + 1 : node.second, gap);
      const double cut = low_first ? to_high * to_high : to_low * to_low;
      const double old = gaps_[feature], far_gap = gap + (cut - old);
      if (far_gap > worst_of_all_) return;
      gaps_[feature] = cut;
      walk(low_first ? node.second : at + 1, far_gap);
      gaps_[feature] = old;
    }

    void visit(Index other, double gap) {
      std::array<int, kLeaf> near;
      std::size_t n_near = 0;
      for (int i = 0; i < count_; ++i) {
        near[n_near] = i;
        n_near += gap <= worst_[static_cast<std::size_t>(i)] ? 1 : 0;
      }
      compare_leaves(columns_, begin_, std::span(near).first(n_near), other, sets_, worst_.data());
      worst_of_all_ = *std::max_element(worst_.begin(), worst_.begin() + count_);
    }

    const LeafTree& tree_;
    LeafColumns columns_;
    LeafSets sets_;
    NearestSet one_;
    std::array<double, kLeaf> worst_{};
    double worst_of_all_ = 0;
    std::array<double, kDimension> low_{}, high_{}, gaps_{};
    Index begin_ = 0;
    int count_ = 0;
  };

  Index n_;
  std::vector<Node> nodes_;
  std::array<std::vector<double>, kDimension> columns_;
  std::vector<std::int64_t> names_;
};

}  // namespace

std::unique_ptr<SearchStructure> make_leaf_tree(const MatrixRef& samples) {
  if (samples.cols() == 2) return std::make_unique<LeafTree<2>>(samples);
  return std::make_unique<LeafTree<3>>(samples);
}

}  // namespace foldout
