// SPDX-License-Identifier: Apache-2.0
// D. Arthur, S. Vassilvitskii: k-means++: The Advantages of Careful Seeding, SODA (2007), in its greedy variant: of
// several samples drawn, the one that leaves the smallest sum of squares is kept. Otherwise some clusters share a
// centre and others have two, which neither k-means nor the learners that start from it can repair.
#include "dictionary/starting_atoms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/parallel.h"
#include "core/random.h"
#include "core/rows.h"
#include "dictionary/improve.h"
#include "foldout/dictionary/kmeans.h"
#include "linalg/distance.h"

namespace foldout {

std::vector<Index> draw_samples(const MatrixRef& samples, Index count, std::uint64_t seed) {
  const auto less = [&](Index a, Index b) {
    const double *x = samples.row(a).data(), *y = samples.row(b).data();
    return std::lexicographical_compare(x, x + samples.cols(), y, y + samples.cols());
  };
  std::set<Index, decltype(less)> drawn(less);
  for (const Index i : Rng(seed).permutation(samples.rows())) {
    if (static_cast<Index>(drawn.size()) == count) break;
    drawn.insert(i);
  }
  std::vector<Index> picked(drawn.begin(), drawn.end());
  std::ranges::sort(picked);
  return picked;
}

namespace {

// The squared distance of each sample to the nearest of those drawn so far. If that distance is g, a candidate at least
// 2g from the same nearest need not be compared (triangle inequality).
class Gaps {
 public:
  Gaps(const MatrixRef& samples, const RunContext& context)
      : samples_(samples),
        context_(context),
        gaps_(static_cast<std::size_t>(samples.rows()), std::numeric_limits<double>::infinity()),
        nearest_(gaps_.size()),
        sums_(gaps_.size()) {}

  void draw(Index next) {
    constexpr Index kBlock = 4096;
    const std::vector<double> apart = from_drawn(next);
    parallel_blocks(samples_.rows(), kBlock, context_, [&](Index begin, Index end) {
      visit_nearer(next, apart, begin, end, [&](std::size_t i, double distance) {
        gaps_[i] = distance;
        nearest_[i] = drawn_.size();
      });
    });
    drawn_.push_back(next);
    std::partial_sum(gaps_.begin(), gaps_.end(), sums_.begin());
  }

  [[nodiscard]] const std::vector<Index>& drawn() const { return drawn_; }
  [[nodiscard]] double total() const { return sums_.back(); }

  // A sample, with probability proportional to its squared distance.
  [[nodiscard]] Index any(Rng& rng) const {
    auto next = std::ranges::upper_bound(sums_, rng.uniform() * total());
    if (next == sums_.end()) next = std::ranges::lower_bound(sums_, total());  // rounded up to the total
    return next - sums_.begin();
  }

  // The candidate that reduces the total most.
  [[nodiscard]] Index best_of(const std::vector<Index>& candidates) const {
    std::vector<double> gains(candidates.size());
    parallel_for(std::ssize(candidates), context_, [&](Index c) {
      const Index candidate = candidates[static_cast<std::size_t>(c)];
      double gain = 0;
      visit_nearer(candidate, from_drawn(candidate), 0, samples_.rows(),
                   [&](std::size_t i, double distance) { gain += gaps_[i] - distance; });
      gains[static_cast<std::size_t>(c)] = gain;
    });
    return candidates[static_cast<std::size_t>(std::ranges::max_element(gains) - gains.begin())];
  }

 private:
  [[nodiscard]] double distance(Index i, Index j) const {
    return squared_distance(samples_.row(i).data(), samples_.row(j).data(), samples_.cols());
  }

  [[nodiscard]] std::vector<double> from_drawn(Index sample) const {
    std::vector<double> apart(drawn_.size());
    std::ranges::transform(drawn_, apart.begin(), [&](Index other) { return distance(sample, other); });
    return apart;
  }

  // Visits the samples from `begin` to `end` that are nearer to `sample` than to all drawn ones.
  template <class Visit>
  void visit_nearer(Index sample, const std::vector<double>& apart, Index begin, Index end, Visit visit) const {
    for (Index i = begin; i < end; ++i) {
      const auto slot = static_cast<std::size_t>(i);
      if (std::isfinite(gaps_[slot]) && apart[nearest_[slot]] >= 4 * gaps_[slot]) continue;
      if (const double near = distance(i, sample); near < gaps_[slot]) visit(slot, near);
    }
  }

  const MatrixRef& samples_;
  const RunContext& context_;
  std::vector<double> gaps_;
  std::vector<std::size_t> nearest_;  // in drawn_
  std::vector<double> sums_;          // of the gaps up to each
  std::vector<Index> drawn_;
};

}  // namespace

std::vector<Index> spread_out(const MatrixRef& samples, Index count, std::uint64_t seed, const RunContext& context) {
  Rng rng(seed);
  Gaps gaps(samples, context);
  gaps.draw(static_cast<Index>(rng.below(static_cast<std::uint64_t>(samples.rows()))));
  constexpr std::size_t kDraws = 4;  // 8 take twice the time and give no smaller sum
  std::vector<Index> candidates(kDraws);
  while (std::ssize(gaps.drawn()) < count && gaps.total() > 0) {  // 0: all others are duplicates
    for (Index& candidate : candidates) candidate = gaps.any(rng);
    gaps.draw(gaps.best_of(candidates));
    context.tick("starting atoms", static_cast<double>(gaps.drawn().size()) / static_cast<double>(count));
  }
  std::vector<Index> drawn = gaps.drawn();
  std::ranges::sort(drawn);
  return drawn;
}

namespace {

// k-means++ on kStartPerAtom samples for each atom is as good as on all.
Matrix spread_atoms(const MatrixRef& samples, Index count, std::uint64_t seed, const RunContext& context) {
  if (samples.rows() > kStartPerAtom * count) {
    const Matrix some = rows_of(samples, draw_samples(samples, kStartPerAtom * count, seed));
    Matrix atoms = rows_of(some, spread_out(some, count, seed, context));
    if (atoms.rows() == count) return atoms;
  }
  return rows_of(samples, spread_out(samples, count, seed, context));
}

}  // namespace

Matrix starting_atoms(const MatrixRef& samples, Index count, DictionaryStart start, std::uint64_t seed,
                      const RunContext& context) {
  const bool kmeans = start == DictionaryStart::kKmeans;
  Matrix atoms =
      kmeans ? spread_atoms(samples, count, seed, context) : rows_of(samples, draw_samples(samples, count, seed));
  constexpr int kIterations = 10;
  return kmeans ? improve_centers(samples, std::move(atoms), kIterations, false, context).centers : atoms;
}

}  // namespace foldout
