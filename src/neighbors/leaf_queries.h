// SPDX-License-Identifier: Apache-2.0
// Private: the nearest neighbours of all samples in a leaf of a KD-tree at once. One traversal of the tree serves the
// whole leaf, and the distances to all samples of another leaf are computed together; on surfaces this takes half the
// time of one traversal per sample.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "foldout/core/types.h"
#include "neighbors/nearest_set.h"

namespace foldout {

/// `Node` is nanoflann's; `columns` contains the samples feature by feature, in the order of the leaves, `names` their
/// indices. The sums are those of squared_distance().
template <int kDimension, int kLeafSize, class Node>
class LeafQueries {
  static_assert(kDimension == 2 || kDimension == 3);

 public:
  LeafQueries(const Matrix& columns, const Node* root, Index k, const int* names)
      : columns_(columns), root_(root), sets_(kLeafSize, NearestSet(k, names)) {}

  /// Searches for the samples of a leaf; set(i) is then the result for its i-th sample.
  void search(const Node* leaf) {
    first_ = static_cast<Index>(leaf->node_type.lr.left);
    count_ = static_cast<Index>(leaf->node_type.lr.right) - first_;
    for (int f = 0; f < kDimension; ++f) {
      const auto values = columns_.row(f).segment(first_, count_);
      low_[f] = values.minCoeff();
      high_[f] = values.maxCoeff();
    }
    for (Index i = 0; i < count_; ++i) {
      sets_[static_cast<std::size_t>(i)].clear(static_cast<int>(first_ + i));
      worst_[static_cast<std::size_t>(i)] = std::numeric_limits<double>::infinity();
    }
    worst_of_all_ = std::numeric_limits<double>::infinity();
    gaps_.fill(0);
    walk(root_, 0);
  }

  [[nodiscard]] NearestSet& set(Index i) { return sets_[static_cast<std::size_t>(i)]; }

 private:
  // `squared_gap` is the squared distance from the leaf's box to the node's cell, `gaps_` its share of each feature.
  void walk(const Node* node, double squared_gap) {
    if (node->child1 == nullptr) return visit(node, squared_gap);
    const auto feature = static_cast<std::size_t>(node->node_type.sub.divfeat);
    const double to_low = std::max(0.0, low_[feature] - node->node_type.sub.divlow);
    const double to_high = std::max(0.0, node->node_type.sub.divhigh - high_[feature]);
    const bool low_first = to_low <= to_high;
    walk(low_first ? node->child1 : node->child2, squared_gap);
    const double cut = low_first ? to_high * to_high : to_low * to_low;
    const double old = gaps_[feature], far_gap = squared_gap + cut - old;
    if (far_gap > worst_of_all_) return;
    gaps_[feature] = cut;
    walk(low_first ? node->child2 : node->child1, far_gap);
    gaps_[feature] = old;
  }

  void visit(const Node* leaf, double squared_gap) {
    const auto begin = static_cast<Index>(leaf->node_type.lr.left);
    const Index count = static_cast<Index>(leaf->node_type.lr.right) - begin;
    worst_of_all_ = 0;
    for (Index i = 0; i < count_; ++i) {
      double& worst = worst_[static_cast<std::size_t>(i)];
      if (squared_gap <= worst) {
        const std::array<double, kLeafSize> distances = distances_from(first_ + i, begin, count);
        NearestSet& nearest = sets_[static_cast<std::size_t>(i)];
        for (Index c = 0; c < count; ++c)
          if (distances[static_cast<std::size_t>(c)] < worst) {
            nearest.addPoint(distances[static_cast<std::size_t>(c)], static_cast<int>(begin + c));
            worst = nearest.worstDist();
          }
      }
      worst_of_all_ = std::max(worst_of_all_, worst);
    }
  }

  [[nodiscard]] std::array<double, kLeafSize> distances_from(Index place, Index begin, Index count) const {
    std::array<double, kLeafSize> distances;
    const double* x = columns_.row(0).data();
    const double* y = columns_.row(1).data();
    const double* z = columns_.row(kDimension - 1).data();
    const auto square = [](double difference) { return difference * difference; };
    for (Index c = 0; c < count; ++c) {
      const double sum = square(x[place] - x[begin + c]) + square(y[place] - y[begin + c]);
      distances[static_cast<std::size_t>(c)] = kDimension == 2 ? sum : sum + square(z[place] - z[begin + c]);
    }
    return distances;
  }

  const Matrix& columns_;
  const Node* root_;
  std::vector<NearestSet> sets_;
  std::array<double, kLeafSize> worst_{};
  double worst_of_all_ = 0;
  std::array<double, kDimension> low_{}, high_{}, gaps_{};
  Index first_ = 0, count_ = 0;
};

}  // namespace foldout
