// SPDX-License-Identifier: Apache-2.0
// Two atoms are joined if they are both among the three nearest atoms of some sample (competitive Hebbian learning:
// T. Martinetz and K. Schulten, Neural Networks 7, 1994; there the two nearest, which leaves holes around atoms with
// few samples). A sample lies between the ends of an edge, so edges cross no gap.
#include "landmarks/atom_graph.h"

#include <algorithm>
#include <vector>

#include "dictionary/starting_atoms.h"
#include "linalg/distance.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

using Graph = std::vector<std::vector<int>>;

// The k nearest atoms of every held sample.
NeighborTable nearest_atoms(const SampleRows& samples, const Matrix& atoms, Index k, const RunContext& context) {
  if (samples.held().rows() == 0) return {0, k, {}, {}};
  return make_neighbor_index(atoms)->query(samples.held(), k, context);
}

Graph joined_by_samples(const SampleRows& samples, const Matrix& atoms, const RunContext& context) {
  constexpr Index kJoined = 3;
  const NeighborTable nearest = nearest_atoms(samples, atoms, kJoined, context);
  const Sums joined = sum_over(samples, context, [&](Index begin, Index end) {
    std::vector<Eigen::Triplet<double>> edges;
    for (Index i = begin; i < end; ++i)
      for (const int a : nearest.of(i))
        for (const int b : nearest.of(i))
          if (a != b) edges.emplace_back(a, b, 1.0);
    Sums part{{}, SparseMatrix(atoms.rows(), atoms.rows())};
    part.sparse.setFromTriplets(edges.begin(), edges.end());
    return part;
  });
  Graph graph(static_cast<std::size_t>(atoms.rows()));
  for (Index j = 0; j < joined.sparse.rows(); ++j)
    for (SparseMatrix::InnerIterator edge(joined.sparse, j); edge; ++edge)
      graph[static_cast<std::size_t>(j)].push_back(static_cast<int>(edge.col()));
  return graph;
}

// Steps from one atom to all others; -1 if there is no path.
std::vector<int> steps_from(int start, const Graph& graph) {
  std::vector<int> steps(graph.size(), -1), front{start};
  steps[static_cast<std::size_t>(start)] = 0;
  for (std::size_t at = 0; at < front.size(); ++at)
    for (const int next : graph[static_cast<std::size_t>(front[at])])
      if (steps[static_cast<std::size_t>(next)] < 0) {
        steps[static_cast<std::size_t>(next)] = steps[static_cast<std::size_t>(front[at])] + 1;
        front.push_back(next);
      }
  return steps;
}

constexpr int kFar = 8, kNear = 3;  // steps; neighbours on the manifold are two or three away

// An atom with neighbours more than kFar steps away.
struct Crossing {
  std::vector<int> steps;  // from this atom to all
  Index atom = 0, count = 0;
  double distance = 0;  // of the nearest such neighbour
};

std::vector<Crossing> crossings(const SampleRows& samples, const Matrix& atoms, Index k, const RunContext& context) {
  constexpr Index kSamplesPerAtom = 5;  // with fewer, graph distances are unreliable
  if (atoms.rows() < 4 || k < 1 || k >= atoms.rows() || samples.size() < kSamplesPerAtom * atoms.rows()) return {};
  const Graph graph = joined_by_samples(samples, atoms, context);
  const NeighborTable table = nearest_neighbors(atoms, k, {}, context);
  std::vector<Crossing> found;
  for (Index j = 0; j < atoms.rows(); ++j) {
    Crossing crossing{steps_from(static_cast<int>(j), graph), j, 0, 0};
    for (std::size_t i = table.of(j).size(); i-- > 0;)
      if (crossing.steps[static_cast<std::size_t>(table.of(j)[i])] > kFar) {
        ++crossing.count;
        crossing.distance = table.distances_of(j)[i];
      }
    if (crossing.count > 0) found.push_back(std::move(crossing));
  }
  return found;
}

// Samples that would be neighbours instead: on the atom's own side, nearer than the neighbour across the gap, and as
// far as possible from all atoms (`gap`, squared).
void add_nearer(const SampleRows& samples, const Matrix& atoms, const NeighborTable& nearest, const Crossing& crossing,
                Vector& gap, std::vector<Index>& added) {
  const MatrixRef& held = samples.held();
  for (Index c = 0; c < crossing.count; ++c) {
    Vector worth = Vector::Zero(held.rows());
    for (Index i = 0; i < held.rows(); ++i) {
      const int steps = crossing.steps[static_cast<std::size_t>(nearest.of(i)[0])];
      if (steps < 0 || steps > kNear || !(gap[i] > 0)) continue;
      if (squared_distance(held.row(i).data(), atoms.row(crossing.atom).data(), atoms.cols()) <
          crossing.distance * crossing.distance)
        worth[i] = gap[i];
    }
    const std::vector<Ranked> best = largest(samples, worth, 1);
    if (best.empty()) return;
    added.push_back(best[0].row);
    const Matrix row = samples.rows({best[0].row});
    for (Index i = 0; i < held.rows(); ++i)
      gap[i] = std::min(gap[i], squared_distance(held.row(i).data(), row.data(), held.cols()));
  }
}

}  // namespace

Index atoms_across_gaps(const SampleRows& samples, const Matrix& atoms, Index k, const RunContext& context) {
  return std::ssize(crossings(samples, atoms, k, context));
}

std::vector<Index> samples_to_promote(const SampleRows& samples, const Matrix& atoms, Index k,
                                      const RunContext& context) {
  constexpr int kRounds = 3;
  constexpr Index kPart = 20;  // no more than a twentieth of the atoms
  std::vector<Index> added;
  Matrix all = atoms;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<Crossing> found = crossings(samples, all, k, context);
    Index wanted = std::ssize(added);
    for (const Crossing& crossing : found) wanted += crossing.count;
    if (found.empty() || wanted > atoms.rows() / kPart) break;
    const NeighborTable nearest = nearest_atoms(samples, all, 1, context);
    Vector gap = Eigen::Map<const Vector>(nearest.distances.data(), nearest.n).cwiseAbs2();
    for (const Crossing& crossing : found) add_nearer(samples, all, nearest, crossing, gap, added);
    all.resize(atoms.rows() + std::ssize(added), atoms.cols());
    all << atoms, samples.rows(added);
  }
  return added;
}

}  // namespace foldout
