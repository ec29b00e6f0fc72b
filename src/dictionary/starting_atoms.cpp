// SPDX-License-Identifier: Apache-2.0
#include "foldout/dictionary/starting_atoms.h"

#include <algorithm>
#include <limits>
#include <set>

#include "foldout/core/parallel.h"
#include "foldout/core/random.h"
#include "foldout/dictionary/kmeans.h"
#include "foldout/linalg/distance.h"

namespace foldout {

Matrix rows_of(const MatrixRef& samples, const std::vector<Index>& picked) {
  Matrix rows(static_cast<Index>(picked.size()), samples.cols());
  for (std::size_t i = 0; i < picked.size(); ++i) rows.row(static_cast<Index>(i)) = samples.row(picked[i]);
  return rows;
}

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

std::vector<Index> spread_out(const MatrixRef& samples, Index count, std::uint64_t seed, const RunContext& context) {
  const Index n = samples.rows();
  Rng rng(seed);
  std::vector<Index> drawn{static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)))};
  Vector gap = Vector::Constant(n, std::numeric_limits<double>::infinity());
  constexpr Index kBlock = 4096;
  while (static_cast<Index>(drawn.size()) < count) {
    const double* last = samples.row(drawn.back()).data();
    parallel_blocks(n, kBlock, context, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        gap[i] = std::min(gap[i], squared_distance(samples.row(i).data(), last, samples.cols()));
    });
    double total = 0;
    for (Index i = 0; i < n; ++i) total += gap[i];
    if (!(total > 0)) break;  // all others are repetitions
    double left = rng.uniform() * total;
    Index next = -1;
    for (Index i = 0; i < n && left >= 0; ++i)
      if (gap[i] > 0) {
        next = i;
        left -= gap[i];
      }
    drawn.push_back(next);
    context.tick("starting atoms", static_cast<double>(drawn.size()) / static_cast<double>(count));
  }
  std::ranges::sort(drawn);
  return drawn;
}

namespace {

// What k-means++ finds among so many samples for each atom is as good as among all.
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
