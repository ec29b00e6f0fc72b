// SPDX-License-Identifier: Apache-2.0
// Private: the nearest samples of one query, found from float32 values that are compared with the samples in tiles.
// Both rankings end with candidates whose distances are computed in float64, and among which the nearest certainly are.
#pragma once

#include <algorithm>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "foldout/core/types.h"
#include "linalg/distance.h"
#include "linalg/loops.h"
#include "neighbors/searches.h"

namespace foldout {

/// A query and what it is compared with.
struct FloatQuery {
  const double* sample;
  const MatrixRef& samples;
  Index k;
  float slack;                  // twice the largest error of a float32 distance
  double unit;                  // float32 distances are `unit` times squared distances
  int group;                    // samples of the same group are excluded
  std::span<const int> groups;  // of the samples; empty: none is

  [[nodiscard]] bool excludes(int j) const { return !groups.empty() && groups[static_cast<std::size_t>(j)] == group; }
  [[nodiscard]] Candidate exact(int j) const {
    return {squared_distance(sample, samples.row(j).data(), samples.cols()), j};
  }
};

/// Of squared distances, each within slack/2 of its true value.
class RankingByDistance {
 public:
  void scan(const FloatQuery& query, const float* distances, Index first, Index count) {
    for (Index j = next_at_most(bound_, distances, 0, count); j < count;
         j = next_at_most(bound_, distances, j + 1, count)) {
      const auto index = static_cast<int>(first + j);
      if (!query.excludes(index)) add(query, distances[j], index);
    }
  }

  /// Values above it need not be shown.
  [[nodiscard]] float bound() const { return bound_; }

  void add(const FloatQuery& query, float distance, int index) {
    const auto k = static_cast<std::size_t>(query.k);
    kept_.emplace_back(distance, index);
    if (nearest_.size() < k) {
      nearest_.push(distance);
    } else if (distance < nearest_.top()) {
      nearest_.pop();
      nearest_.push(distance);
    }
    if (nearest_.size() == k) bound_ = nearest_.top() + query.slack;
    if (kept_.size() == prune_at_) {
      std::erase_if(kept_, [&](const auto& candidate) { return candidate.first > bound_; });
      prune_at_ = 2 * kept_.size() + 8 * k;
    }
  }

  [[nodiscard]] std::vector<Candidate> candidates(const FloatQuery& query) const {
    std::vector<Candidate> found;
    for (const auto& [distance, index] : kept_)
      if (distance <= bound_) found.push_back(query.exact(index));
    return found;
  }

 private:
  std::priority_queue<float> nearest_;  // the k smallest so far
  std::vector<std::pair<float, int>> kept_;
  float bound_ = std::numeric_limits<float>::infinity();
  std::size_t prune_at_ = 256;
};

/// Of lower bounds of the squared distances, up to slack/2. Distances are computed as soon as a bound does not exclude
/// the sample, those of the smallest bounds of a tile first.
class RankingByBound {
 public:
  void scan(const FloatQuery& query, const float* bounds, Index first, Index count) {
    thread_local std::vector<std::pair<float, int>> near;
    near.clear();
    for (Index j = next_at_most(bound_, bounds, 0, count); j < count; j = next_at_most(bound_, bounds, j + 1, count))
      if (const auto index = static_cast<int>(first + j); !query.excludes(index)) near.emplace_back(bounds[j], index);
    if (const auto k = static_cast<std::ptrdiff_t>(query.k); std::ssize(near) > k)
      std::ranges::nth_element(near, near.begin() + k);
    for (const auto& [bound, index] : near)
      if (bound <= bound_) add(query, bound, index);
  }

  [[nodiscard]] float bound() const { return bound_; }

  void add(const FloatQuery& query, float, int index) {
    const auto k = static_cast<std::size_t>(query.k);
    const Candidate candidate = query.exact(index);
    if (nearest_.size() == k) {
      if (!(candidate < nearest_.front())) return;
      std::ranges::pop_heap(nearest_);
      nearest_.back() = candidate;
    } else {
      nearest_.push_back(candidate);
    }
    std::ranges::push_heap(nearest_);
    if (nearest_.size() == k) bound_ = static_cast<float>(nearest_.front().measure * query.unit) + query.slack;
  }

  [[nodiscard]] std::vector<Candidate> candidates(const FloatQuery&) const { return nearest_; }

 private:
  std::vector<Candidate> nearest_;  // a heap of the k nearest so far
  float bound_ = std::numeric_limits<float>::infinity();
};

}  // namespace foldout
