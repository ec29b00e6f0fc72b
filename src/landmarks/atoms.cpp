// SPDX-License-Identifier: Apache-2.0
#include "landmarks/atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "components/rows.h"
#include "core/rows.h"
#include "foldout/core/error.h"
#include "graph/reconstruction_weights.h"
#include "landmarks/atom_graph.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

// The nearest sample of each row, the first of equals.
std::vector<Index> nearest_samples(const SampleRows& samples, const Matrix& rows, const RunContext& context) {
  if (rows.rows() == 0) return {};
  std::vector<double> mine;  // which row, distance, sample
  if (samples.held().rows() > 0) {
    const NeighborTable table = make_neighbor_index(samples.held())->query(rows, 1, context);
    for (Index j = 0; j < rows.rows(); ++j)
      for (const double value :
           {static_cast<double>(j), table.distances_of(j)[0], static_cast<double>(samples.first() + table.of(j)[0])})
        mine.push_back(value);
  }
  const std::vector<double> all = samples.gathered(mine);
  std::vector<Ranked> best(static_cast<std::size_t>(rows.rows()), {std::numeric_limits<double>::infinity(), 0});
  for (std::size_t at = 0; at < all.size(); at += 3)
    if (Ranked& found = best[static_cast<std::size_t>(all[at])]; all[at + 1] < found.value)
      found = {all[at + 1], static_cast<Index>(all[at + 2])};
  std::vector<Index> result;
  result.reserve(best.size());
  for (const Ranked& found : best) result.push_back(found.row);
  return result;
}

// Labels of atoms that were not learned by class: the most frequent label among the samples whose nearest atom it is;
// an atom that is nearest to no sample gets the label of its nearest sample.
std::vector<int> vote_on_atoms(const SampleRows& samples, const std::vector<int>& labels, const Matrix& atoms,
                               const RunContext& context) {
  if (labels.empty()) return {};
  const MatrixRef& held = samples.held();
  NeighborTable nearest;
  if (held.rows() > 0) nearest = make_neighbor_index(atoms)->query(held, 1, context);
  const int n_labels = *std::ranges::max_element(labels) + 1;
  const Sums votes = sum_over(samples, context, [&](Index begin, Index end) {
    std::vector<Eigen::Triplet<double>> part;
    for (Index i = begin; i < end; ++i)
      part.emplace_back(nearest.of(i)[0], labels[static_cast<std::size_t>(samples.first() + i)], 1.0);
    Sums sums{{}, SparseMatrix(atoms.rows(), n_labels)};
    sums.sparse.setFromTriplets(part.begin(), part.end());
    return sums;
  });
  std::vector<int> result(static_cast<std::size_t>(atoms.rows()), -1);
  std::vector<Index> without;
  for (Index j = 0; j < atoms.rows(); ++j) {
    double most = 0;
    for (SparseMatrix::InnerIterator vote(votes.sparse, j); vote; ++vote)
      if (vote.value() > most) {
        most = vote.value();
        result[static_cast<std::size_t>(j)] = static_cast<int>(vote.col());
      }
    if (most == 0) without.push_back(j);
  }
  const std::vector<Index> own = nearest_samples(samples, rows_of(atoms, without), context);
  for (std::size_t i = 0; i < without.size(); ++i)
    result[static_cast<std::size_t>(without[i])] = labels[static_cast<std::size_t>(own[i])];
  return result;
}

// Coordinates of atoms, interpolated from their nearest samples with LLE weights.
Matrix interpolated(const Matrix& atoms, const TrainingPart& part, const RunContext& context) {
  constexpr Index kNearest = 6;
  constexpr double kReg = 1e-3;
  const MatrixRef& samples = part.samples.held();
  const NeighborTable table = make_neighbor_index(samples)->query(atoms, std::min(kNearest, samples.rows()), context);
  Matrix Y = Matrix::Zero(atoms.rows(), part.coordinates.cols());
  std::vector<double> weights(static_cast<std::size_t>(table.k));
  for (Index j = 0; j < atoms.rows(); ++j) {
    reconstruction_weights(atoms.row(j).data(), samples, table.of(j), kReg, weights);
    for (std::size_t i = 0; i < weights.size(); ++i) Y.row(j) += weights[i] * part.coordinates.row(table.of(j)[i]);
  }
  return Y;
}

// An error message states that the samples are atoms, and why there are so few.
FittedMethod fit_to_atoms(const Atoms& atoms, const Report& learned, const Component<MethodRow>& method,
                          const RunContext& context) {
  try {
    return method.row().fit(atoms.rows, atoms.labels, method, context);
  } catch (const MissingLabels&) {
    throw;
  } catch (const InvalidArgument& error) {
    std::string why;
    for (const Report::Note& note : learned.notes)
      if (note.code == "atoms_reduced") why = "; " + note.text;
    throw InvalidArgument(
        fmt::format("{} (its samples are the {} atoms of the dictionary{})", error.what(), atoms.rows.rows(), why));
  }
}

// A neighbourhood of atoms that reaches across a gap folds the embedding. To prevent this, some samples are promoted to
// atoms. Not for atoms learned by class, since classes may be disconnected.
void repair_gaps(const SampleRows& samples, Index k, Dictionary& dictionary, const RunContext& context) {
  const std::vector<Index> added = samples_to_promote(samples, dictionary.atoms, k, context);
  if (!added.empty()) {
    Matrix all(dictionary.atoms.rows() + std::ssize(added), dictionary.atoms.cols());
    all << dictionary.atoms, samples.rows(added);
    dictionary.atoms = std::move(all);
    dictionary.report.figure("n_atoms", static_cast<double>(dictionary.atoms.rows()));
    dictionary.report.note("atoms_added",
                           fmt::format("{} samples were promoted to atoms: otherwise neighbourhoods would reach across "
                                       "gaps without samples",
                                       added.size()));
  }
  if (const Index count = atoms_across_gaps(samples, dictionary.atoms, k, context); count > 0)
    dictionary.report.note(
        "atoms_across_gaps",
        fmt::format("{} of the {} atoms have neighbours across a gap without samples, and the embedding may be folded: "
                    "reduce n_neighbors, increase n_atoms, or use atom_coordinates=samples",
                    count, dictionary.atoms.rows()));
}

}  // namespace

Atoms embed_atoms(const TrainingPart& part, const SampleRows& samples, Dictionary learned,
                  const Component<MethodRow>& method, const RunContext& context) {
  const bool among_samples = part.coordinates.size() > 0;
  Atoms atoms;
  {
    const PhaseTimer timer(learned.report, "gaps and labels of atoms");
    if (!among_samples && learned.labels.empty())
      repair_gaps(samples, method.row().n_neighbors(method.options()), learned, context);
    atoms.labels = learned.labels.empty() ? vote_on_atoms(part.samples, part.labels, learned.atoms, context)
                                          : std::move(learned.labels);
    atoms.rows = std::move(learned.atoms);
  }
  if (among_samples)
    atoms.fitted = FittedMethod(interpolated(atoms.rows, part, context));
  else
    atoms.fitted = fit_to_atoms(atoms, learned.report, method, context);
  learned.report.absorb(atoms.fitted.embedding->report);
  atoms.fitted.embedding->report = std::move(learned.report);
  return atoms;
}

}  // namespace foldout
