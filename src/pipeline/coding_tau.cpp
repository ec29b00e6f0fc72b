// SPDX-License-Identifier: Apache-2.0
// Validation of τ, the number of atoms in a code: three quarters of the samples learn a dictionary of their own, and
// the others are placed by its atoms with each τ. With labels, the τ counts with which most of them have a nearest
// neighbour of their class; without, the τ with which they come nearest to where the method puts them: in the embedding
// of all samples where there is one, else in one of the atoms together with them.
#include <fmt/format.h>

#include <algorithm>

#include "foldout/core/error.h"
#include "foldout/core/random.h"
#include "foldout/dictionary/starting_atoms.h"
#include "foldout/evaluate/procrustes.h"
#include "foldout/extend/codes.h"
#include "foldout/pipeline/compare.h"
#include "pipeline/atoms.h"

namespace foldout {
namespace {

Part part_of(const Part& whole, const std::vector<Index>& rows) {
  Part part{rows_of(whole.samples, rows), {}, {}};
  if (!whole.labels.empty())
    for (const Index i : rows) part.labels.push_back(whole.labels[static_cast<std::size_t>(i)]);
  if (whole.coordinates.size() > 0) part.coordinates = rows_of(whole.coordinates, rows);
  return part;
}

// Held-out samples with the coordinates that the method gives them beside the atoms. Samples that nearly coincide with
// an atom would spoil the embedding, and tell nothing.
struct Reference {
  Matrix samples, coordinates;
  Matrix atom_coordinates;  // in the same embedding
};

Reference embed_with_atoms(const Atoms& atoms, const Matrix& held, const ComponentSpec& method,
                           const RunContext& context) {
  constexpr double kNear = 0.3;
  const NeighborTable gaps = nearest_neighbors(atoms.rows, 1, {}, context);
  const NeighborTable near = make_neighbor_index(atoms.rows)->query(held, 1, context);
  std::vector<Index> apart;
  for (Index i = 0; i < held.rows() && std::ssize(apart) < atoms.rows.rows(); ++i)
    if (near.distances_of(i)[0] > kNear * gaps.distances_of(near.of(i)[0])[0]) apart.push_back(i);
  if (apart.empty()) throw InvalidArgument("no held-out sample is apart from the atoms");
  Reference reference{rows_of(held, apart), {}, {}};
  Matrix both(atoms.rows.rows() + reference.samples.rows(), held.cols());
  both << atoms.rows, reference.samples;
  const Matrix Y = find_method(method.name).fit(both, {}, method, context).embedding.coordinates;
  reference.atom_coordinates = Y.topRows(atoms.rows.rows());
  reference.coordinates = Y.bottomRows(reference.samples.rows());
  return reference;
}

// What each τ is worth, more is better, and by what it was judged.
struct Merits {
  std::string_view what;
  std::vector<double> values;
};

// Coordinates of samples placed by each number of atoms.
std::vector<Matrix> placed_by(const Atoms& atoms, const Matrix& samples, const std::vector<int>& taus,
                              const LandmarkOptions& o, const RunContext& context) {
  const LocalCoding coding(atoms.rows, taus.back(), {o.locality, o.ridge});
  std::vector<Matrix> placed;
  for (const LocalCodes& codes : coding.code_for(samples, taus, context))
    placed.emplace_back(codes.codes * atoms.fitted.embedding.coordinates);
  return placed;
}

Merits by_accuracy(const Atoms& atoms, const Part& learn, const Part& held, const std::vector<int>& taus,
                   const LandmarkOptions& o, const RunContext& context) {
  const std::vector<Matrix> train = placed_by(atoms, learn.samples, taus, o, context);
  const std::vector<Matrix> fresh = placed_by(atoms, held.samples, taus, o, context);
  Merits merits{"accuracy", {}};
  for (std::size_t t = 0; t < taus.size(); ++t) {
    const NeighborTable nearest = make_neighbor_index(train[t])->query(fresh[t], 1, context);
    int right = 0;
    for (std::size_t i = 0; i < held.labels.size(); ++i)
      right += learn.labels[static_cast<std::size_t>(nearest.indices[i])] == held.labels[i] ? 1 : 0;
    merits.values.push_back(static_cast<double>(right) / static_cast<double>(held.labels.size()));
  }
  return merits;
}

Merits by_placement(const Atoms& atoms, const Reference& reference, const std::vector<int>& taus,
                    const LandmarkOptions& o, const RunContext& context) {
  Merits merits{"placement_error", {}};
  for (const Matrix& placed : placed_by(atoms, reference.samples, taus, o, context))
    merits.values.push_back(
        -placement(atoms.fitted.embedding.coordinates, placed, reference.atom_coordinates, reference.coordinates));
  return merits;
}

int best_tau(const std::vector<int>& taus, const Merits& merits, Report& report) {
  for (std::size_t t = 0; t < taus.size(); ++t)
    report.figure(fmt::format("{}_tau_{:03}", merits.what, taus[t]), std::abs(merits.values[t]));
  // Where several are as good, the one in the middle: the ends of a range of good ones are near to bad ones.
  const double most = std::ranges::max(merits.values);
  std::vector<int> good;
  for (std::size_t t = 0; t < taus.size(); ++t)
    if (merits.values[t] == most) good.push_back(taus[t]);
  const int tau = good[good.size() / 2];
  report.figure("coding_tau", tau);
  report.fact("coding_tau_chosen", fmt::format("by the {} of held-out samples", merits.what));
  return tau;
}

// At most so many samples are coded for each τ that is tried.
constexpr Index kMostTrain = 3000, kMostHeld = 1000;

std::vector<Index> thinned(std::vector<Index> rows, Index most) {
  if (std::ssize(rows) <= most) return rows;
  std::vector<Index> some;
  for (const Index i : Rng(0).permutation(std::ssize(rows)))
    if (std::ssize(some) < most) some.push_back(rows[static_cast<std::size_t>(i)]);
  std::ranges::sort(some);
  return some;
}

// The dictionary of a part has as many atoms as the whole one, or what the part can give.
ComponentSpec for_part(ComponentSpec dictionary, Index n_atoms, const Part& part) {
  if (dictionary.find("atoms_per_class") && *dictionary.find("atoms_per_class") != "none") return dictionary;
  std::erase_if(dictionary.values, [](const auto& value) { return value.first == "n_atoms"; });
  dictionary.values.emplace_back("n_atoms", std::to_string(std::min(n_atoms, part.samples.rows())));
  return dictionary;
}

int validated_tau(const Part& whole, Index n_atoms, const ModelSpec& spec, const LandmarkOptions& o,
                  const RunContext& context, Report& report) {
  constexpr double kLearn = 0.75;
  std::optional<Labels> labels;
  if (!whole.labels.empty()) labels = Labels{{}, whole.labels, false};
  const Split split = split_samples(whole.samples.rows(), labels, kLearn, 0);
  const Part learn = part_of(whole, split.train), held = part_of(whole, thinned(split.held, kMostHeld));
  const ComponentSpec method = parse_method(spec.method);
  const ComponentSpec dictionary = for_part(ComponentSpec::parse(spec.dictionary), n_atoms, learn);
  const Atoms atoms = embed_atoms(learn, whole.samples, learn_dictionary(learn, dictionary, context), method, context);
  const std::vector<int> taus = coding_taus(atoms.rows.rows());
  if (labels) {
    const Part coded = part_of(whole, thinned(split.train, kMostTrain));
    return best_tau(taus, by_accuracy(atoms, coded, held, taus, o, context), report);
  }
  const Reference reference = learn.coordinates.size() > 0
                                  ? Reference{held.samples, held.coordinates, atoms.fitted.embedding.coordinates}
                                  : embed_with_atoms(atoms, held.samples, method, context);
  const Merits merits = by_placement(atoms, reference, taus, o, context);
  constexpr double kMostError = 0.25;
  if (-std::ranges::max(merits.values) > kMostError)
    throw NumericalError("with held-out samples beside them, the atoms get another embedding");
  return best_tau(taus, merits, report);
}

}  // namespace

int choose_tau(const Part& whole, const Atoms& atoms, const ModelSpec& spec, const LandmarkOptions& o,
               const RunContext& context, Report& report) {
  const PhaseTimer timer(report, "number of atoms in a code");
  const Index n_atoms = atoms.rows.rows();
  try {
    return std::min<int>(validated_tau(whole, n_atoms, spec, o, context, report), static_cast<int>(n_atoms));
  } catch (const InvalidArgument& error) {
    report.note(
        "coding_tau_from_atoms",
        fmt::format("the number of atoms in a code was chosen by placing atoms that were left out, since a part "
                    "of the samples cannot be used for validation: {}",
                    error.what()));
  } catch (const NumericalError& error) {
    report.note("coding_tau_from_atoms",
                fmt::format("the number of atoms in a code was chosen by placing atoms that were left out, since "
                            "validation failed: {}",
                            error.what()));
  }
  return tau_by_leaving_out(atoms.rows, atoms.fitted.embedding.coordinates, {o.locality, o.ridge}, context, report);
}

}  // namespace foldout
