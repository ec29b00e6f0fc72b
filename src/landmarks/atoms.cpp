// SPDX-License-Identifier: Apache-2.0
#include "landmarks/atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "components/rows.h"
#include "core/rows.h"
#include "foldout/core/error.h"
#include "graph/reconstruction_weights.h"
#include "landmarks/atom_graph.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

// Labels of atoms that were not learned by class: the most frequent label among the samples whose nearest atom it is;
// an atom that is nearest to no sample gets the label of its nearest sample.
std::vector<int> vote_on_atoms(const MatrixRef& samples, const std::vector<int>& labels, const Matrix& atoms,
                               const RunContext& context) {
  if (labels.empty()) return {};
  std::vector<std::map<int, int>> votes(static_cast<std::size_t>(atoms.rows()));
  const NeighborTable nearest = make_neighbor_index(atoms)->query(samples, 1, context);
  for (Index i = 0; i < samples.rows(); ++i)
    ++votes[static_cast<std::size_t>(nearest.of(i)[0])][labels[static_cast<std::size_t>(i)]];
  const NeighborTable own = make_neighbor_index(samples)->query(atoms, 1, context);
  std::vector<int> result;
  for (Index j = 0; j < atoms.rows(); ++j) {
    const auto& vote = votes[static_cast<std::size_t>(j)];
    const auto most = std::ranges::max_element(vote, {}, [](const auto& v) { return v.second; });
    result.push_back(most != vote.end() ? most->first : labels[static_cast<std::size_t>(own.of(j)[0])]);
  }
  return result;
}

// Coordinates of atoms, interpolated from their nearest samples with LLE weights.
Matrix interpolated(const Matrix& atoms, const TrainingPart& part, const RunContext& context) {
  constexpr Index kNearest = 6;
  constexpr double kReg = 1e-3;
  const NeighborTable table =
      make_neighbor_index(part.samples)->query(atoms, std::min(kNearest, part.samples.rows()), context);
  Matrix Y = Matrix::Zero(atoms.rows(), part.coordinates.cols());
  std::vector<double> weights(static_cast<std::size_t>(table.k));
  for (Index j = 0; j < atoms.rows(); ++j) {
    reconstruction_weights(atoms.row(j).data(), part.samples, table.of(j), kReg, weights);
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
void repair_gaps(const MatrixRef& samples, Index k, Dictionary& dictionary, const RunContext& context) {
  const std::vector<Index> added = samples_to_promote(samples, dictionary.atoms, k, context);
  if (!added.empty()) {
    Matrix all(dictionary.atoms.rows() + std::ssize(added), dictionary.atoms.cols());
    all << dictionary.atoms, rows_of(samples, added);
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

Atoms embed_atoms(const TrainingPart& part, const MatrixRef& samples, Dictionary learned,
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
