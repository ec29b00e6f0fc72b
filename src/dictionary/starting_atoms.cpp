// SPDX-License-Identifier: Apache-2.0
// D. Arthur, S. Vassilvitskii: k-means++: The Advantages of Careful Seeding, SODA (2007), in its greedy variant: of
// several samples drawn, the one that leaves the smallest sum of squares is kept. Otherwise some clusters share a
// centre and others have two, which neither k-means nor the learners that start from it can repair.
#include "dictionary/starting_atoms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/parallel.h"
#include "core/random.h"
#include "core/rows.h"
#include "dictionary/improve.h"
#include "foldout/dictionary/kmeans.h"
#include "linalg/distance.h"

namespace foldout {

std::vector<Index> draw_samples(const SampleRows& samples, Index count, std::uint64_t seed) {
  const auto less = [d = samples.width()](const double* x, const double* y) {
    return std::lexicographical_compare(x, x + d, y, y + d);
  };
  std::map<const double*, Index, decltype(less)> drawn(less);
  std::vector<Matrix> fetched;  // the rows in the map
  const std::vector<Index> order = Rng(seed).permutation(samples.size());
  constexpr Index kLeast = 256;
  for (auto next = order.begin(); next != order.end() && std::ssize(drawn) < count;) {
    const auto end = next + std::min(std::max(count - std::ssize(drawn), kLeast), order.end() - next);
    const std::vector<Index> some(next, end);
    const Matrix& rows = fetched.emplace_back(samples.rows(some));
    for (std::size_t i = 0; i < some.size() && std::ssize(drawn) < count; ++i)
      drawn.emplace(rows.row(static_cast<Index>(i)).data(), some[i]);
    next = end;
  }
  std::vector<Index> picked;
  picked.reserve(drawn.size());
  for (const auto& [row, index] : drawn) picked.push_back(index);
  std::ranges::sort(picked);
  return picked;
}

namespace {

// The squared distance of each held sample to the nearest of those drawn so far. If that distance is g, a candidate at
// least 2g from the same nearest need not be compared (triangle inequality).
class Gaps {
 public:
  Gaps(const SampleRows& samples, const RunContext& context)
      : samples_(samples),
        context_(context),
        gaps_(static_cast<std::size_t>(samples.held().rows()), std::numeric_limits<double>::infinity()),
        nearest_(gaps_.size()),
        sums_(gaps_.size()) {}

  void draw(Index next, const Matrix& row) {
    const std::vector<double> apart = from_drawn(row.data());
    parallel_blocks(std::ssize(gaps_), SampleRows::kPart, context_, [&](Index begin, Index end) {
      visit_nearer(row.data(), apart, begin, end, [&](std::size_t i, double distance) {
        gaps_[i] = distance;
        nearest_[i] = drawn_.size();
      });
      std::partial_sum(gaps_.begin() + begin, gaps_.begin() + end, sums_.begin() + begin);
    });
    drawn_.push_back(next);
    rows_.push_back(row);
    add_up();
  }

  [[nodiscard]] const std::vector<Index>& drawn() const { return drawn_; }
  [[nodiscard]] double total() const { return parts_.back(); }

  // Samples, each with probability proportional to its squared distance.
  [[nodiscard]] std::vector<Index> any(std::size_t count, Rng& rng) const {
    std::vector<double> found;  // which draw, which sample
    for (std::size_t c = 0; c < count; ++c) {
      const double target = rng.uniform() * total();
      auto part = std::ranges::upper_bound(parts_, target);
      const bool beyond = part == parts_.end();  // rounded up to the total
      if (beyond) part = std::ranges::lower_bound(parts_, total());
      const double before = part == parts_.begin() ? 0 : *(part - 1);
      const Index begin = (part - parts_.begin()) * SampleRows::kPart - samples_.first();
      if (begin < 0 || begin >= std::ssize(sums_)) continue;
      const auto first = sums_.begin() + begin,
                 last = sums_.begin() + std::min(begin + SampleRows::kPart, std::ssize(sums_));
      const auto reaches = [&](double sum) { return beyond ? before + sum >= total() : before + sum > target; };
      const auto row = std::partition_point(first, last, [&](double sum) { return !reaches(sum); });
      found.push_back(static_cast<double>(c));
      found.push_back(static_cast<double>(samples_.first() + (row - sums_.begin())));
    }
    found = samples_.gathered(found);
    std::vector<Index> drawn(count);
    for (std::size_t i = 0; i < found.size(); i += 2)
      drawn[static_cast<std::size_t>(found[i])] = static_cast<Index>(found[i + 1]);
    return drawn;
  }

  // The candidate, a row, that reduces the total most.
  [[nodiscard]] Index best_of(const Matrix& candidates) const {
    std::vector<std::vector<double>> apart;
    for (Index c = 0; c < candidates.rows(); ++c) apart.push_back(from_drawn(candidates.row(c).data()));
    const Sums gains = sum_over(samples_, context_, [&](Index begin, Index end) {
      Sums part{Matrix::Zero(1, candidates.rows())};
      for (Index c = 0; c < candidates.rows(); ++c)
        visit_nearer(candidates.row(c).data(), apart[static_cast<std::size_t>(c)], begin, end,
                     [&](std::size_t i, double distance) { part.dense(0, c) += gaps_[i] - distance; });
      return part;
    });
    Index best = 0;
    gains.dense.row(0).maxCoeff(&best);
    return best;
  }

 private:
  [[nodiscard]] std::vector<double> from_drawn(const double* sample) const {
    std::vector<double> apart(drawn_.size());
    std::ranges::transform(rows_, apart.begin(), [&](const Matrix& other) {
      return squared_distance(sample, other.data(), samples_.width());
    });
    return apart;
  }

  // Visits the samples from `begin` to `end` that are nearer to `sample` than to all drawn ones.
  template <class Visit>
  void visit_nearer(const double* sample, const std::vector<double>& apart, Index begin, Index end, Visit visit) const {
    for (Index i = begin; i < end; ++i) {
      const auto slot = static_cast<std::size_t>(i);
      if (std::isfinite(gaps_[slot]) && apart[nearest_[slot]] >= 4 * gaps_[slot]) continue;
      const double near = squared_distance(samples_.held().row(i).data(), sample, samples_.width());
      if (near < gaps_[slot]) visit(slot, near);
    }
  }

  // The sums of the gaps up to the end of each part.
  void add_up() {
    std::vector<double> mine;
    for (Index begin = 0; begin < std::ssize(sums_); begin += SampleRows::kPart)
      mine.push_back(sums_[static_cast<std::size_t>(std::min(begin + SampleRows::kPart, std::ssize(sums_)) - 1)]);
    parts_ = samples_.gathered(mine);
    std::partial_sum(parts_.begin(), parts_.end(), parts_.begin());
  }

  const SampleRows& samples_;
  const RunContext& context_;
  std::vector<double> gaps_;
  std::vector<std::size_t> nearest_;  // in drawn_
  std::vector<double> sums_;          // of the gaps up to each, from the beginning of its part
  std::vector<double> parts_;         // of all samples
  std::vector<Index> drawn_;
  std::vector<Matrix> rows_;  // of the drawn samples
};

}  // namespace

std::vector<Index> spread_out(const SampleRows& samples, Index count, std::uint64_t seed, const RunContext& context) {
  Rng rng(seed);
  Gaps gaps(samples, context);
  const auto first = static_cast<Index>(rng.below(static_cast<std::uint64_t>(samples.size())));
  gaps.draw(first, samples.rows({first}));
  constexpr std::size_t kDraws = 4;                               // 8 take twice the time and give no smaller sum
  while (std::ssize(gaps.drawn()) < count && gaps.total() > 0) {  // 0: all others are duplicates
    const std::vector<Index> candidates = gaps.any(kDraws, rng);
    const Matrix rows = samples.rows(candidates);
    const Index best = gaps.best_of(rows);
    gaps.draw(candidates[static_cast<std::size_t>(best)], rows.row(best));
    context.tick("starting atoms", static_cast<double>(gaps.drawn().size()) / static_cast<double>(count));
  }
  std::vector<Index> drawn = gaps.drawn();
  std::ranges::sort(drawn);
  return drawn;
}

namespace {

// k-means++ on kStartPerAtom samples for each atom is as good as on all.
Matrix spread_atoms(const SampleRows& samples, Index count, std::uint64_t seed, const RunContext& context) {
  if (samples.size() > kStartPerAtom * count) {
    const Matrix some = samples.rows(draw_samples(samples, kStartPerAtom * count, seed));
    Matrix atoms = rows_of(some, spread_out(AllRows(some), count, seed, context));
    if (atoms.rows() == count) return atoms;
  }
  return samples.rows(spread_out(samples, count, seed, context));
}

}  // namespace

Matrix starting_atoms(const SampleRows& samples, Index count, DictionaryStart start, std::uint64_t seed,
                      const RunContext& context) {
  const bool kmeans = start == DictionaryStart::kKmeans;
  Matrix atoms =
      kmeans ? spread_atoms(samples, count, seed, context) : samples.rows(draw_samples(samples, count, seed));
  constexpr int kIterations = 10;
  return kmeans ? improve_centers(samples, std::move(atoms), kIterations, false, context).centers : atoms;
}

}  // namespace foldout
