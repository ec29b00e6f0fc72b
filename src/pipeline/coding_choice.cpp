// SPDX-License-Identifier: Apache-2.0
// Validation of the codes, τ and λ: three quarters of the samples (or 20 for each atom) learn a dictionary of their
// own, and the others are placed by its atoms with each τ and λ. With labels, those count with which most of them have
// a nearest neighbour of their class; without, those with which they come nearest to where the method puts them: in the
// embedding of all samples where there is one, else in one of the atoms together with them.
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

// Coordinates of samples placed by each number of atoms.
std::vector<Matrix> placed_by(const Atoms& atoms, const Matrix& samples, const std::vector<int>& taus,
                              const LocalCodeWeights& weights, const RunContext& context) {
  const LocalCoding coding(atoms.rows, taus.back(), weights);
  std::vector<Matrix> placed;
  for (const LocalCodes& codes : coding.code_for(samples, taus, context))
    placed.emplace_back(codes.codes * atoms.fitted.embedding.coordinates);
  return placed;
}

// What each τ is worth: more is better.
using Merits = std::vector<double>;

Merits by_accuracy(const Atoms& atoms, const Part& learn, const Part& held, const std::vector<int>& taus,
                   const LocalCodeWeights& weights, const RunContext& context) {
  const std::vector<Matrix> train = placed_by(atoms, learn.samples, taus, weights, context);
  const std::vector<Matrix> fresh = placed_by(atoms, held.samples, taus, weights, context);
  Merits merits;
  for (std::size_t t = 0; t < taus.size(); ++t) {
    const NeighborTable nearest = make_neighbor_index(train[t])->query(fresh[t], 1, context);
    int right = 0;
    for (std::size_t i = 0; i < held.labels.size(); ++i)
      right += learn.labels[static_cast<std::size_t>(nearest.indices[i])] == held.labels[i] ? 1 : 0;
    merits.push_back(static_cast<double>(right) / static_cast<double>(held.labels.size()));
  }
  return merits;
}

Merits by_placement(const Atoms& atoms, const Reference& reference, const std::vector<int>& taus,
                    const LocalCodeWeights& weights, const RunContext& context) {
  Merits merits;
  for (const Matrix& placed : placed_by(atoms, reference.samples, taus, weights, context))
    merits.push_back(
        -placement(atoms.fitted.embedding.coordinates, placed, reference.atom_coordinates, reference.coordinates));
  return merits;
}

// Where several are as good, the one in the middle: the ends of a range of good ones are near to bad ones.
int best_tau(const std::vector<int>& taus, const Merits& merits) {
  const double most = std::ranges::max(merits);
  std::vector<int> good;
  for (std::size_t t = 0; t < taus.size(); ++t)
    if (merits[t] == most) good.push_back(taus[t]);
  return good[good.size() / 2];
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

void set_value(ComponentSpec& spec, std::string_view key, std::string value) {
  std::erase_if(spec.values, [&](const auto& given) { return given.first == key; });
  spec.values.emplace_back(key, std::move(value));
}

bool learns_with_chosen(const ComponentSpec& dictionary) {
  const std::string* own = dictionary.find("locality");
  return own && *own == "auto" && find_dictionary(dictionary.name).learns_by_codes;
}

// Samples that learn, samples that are held out, and what is tried on them.
class Validation {
 public:
  Validation(const Part& whole, Index n_atoms, const ModelSpec& spec, const CodesOptions& asked,
             const RunContext& context)
      : whole_(whole), context_(context), asked_(asked), method_(parse_method(spec.method)) {
    constexpr double kLearn = 0.75;
    std::optional<Labels> labels;
    if (!whole.labels.empty()) labels = Labels{{}, whole.labels, false};
    const Split split = split_samples(whole.samples.rows(), labels, kLearn, 0);
    dictionary_ = ComponentSpec::parse(spec.dictionary);
    const bool by_class = dictionary_.find("atoms_per_class") && *dictionary_.find("atoms_per_class") != "none";
    learn_ = part_of(whole, by_class ? split.train : thinned(split.train, kStartPerAtom * n_atoms));
    // As many atoms as the whole dictionary has, or what the part can give.
    if (!by_class) set_value(dictionary_, "n_atoms", std::to_string(std::min(n_atoms, learn_.samples.rows())));
    held_ = part_of(whole, thinned(split.held, kMostHeld));
    if (labels) coded_ = part_of(whole, thinned(split.train, kMostTrain));
  }

  CodesOptions best(Report& report) {
    CodesOptions best = asked_;
    std::vector<int> taus;  // dictionaries may differ in the number of atoms that were added
    Merits merits;
    for (const double locality : asked_.locality ? std::vector{*asked_.locality} : coding_localities()) {
      if (atoms_.rows.size() == 0 || learns_with_chosen(dictionary_)) learn_atoms(locality);
      const Merits now = worth({locality, asked_.ridge ? *asked_.ridge : usual_ridge(atoms_.rows, context_)});
      if (merits.empty()) require_same_embedding(now);
      if (!asked_.locality) tell(fmt::format("locality_{:g}", locality), std::ranges::max(now), report);
      if (!merits.empty() && !(std::ranges::max(now) > std::ranges::max(merits))) continue;
      merits = now;
      taus = taus_;
      best.locality = locality;
      if (!asked_.coding_tau) best.coding_tau = best_tau(taus, merits);
    }
    if (!asked_.coding_tau)
      for (std::size_t t = 0; t < taus.size(); ++t) tell(fmt::format("tau_{:03}", taus[t]), merits[t], report);
    tell_chosen(asked_, best, fmt::format("by the {} of held-out samples", measure()), report);
    return best;
  }

 private:
  void require_same_embedding(const Merits& merits) const {
    constexpr double kMostError = 0.25;
    if (coded_.labels.empty() && -std::ranges::max(merits) > kMostError)
      throw NumericalError("with held-out samples beside them, the atoms get another embedding");
  }

  [[nodiscard]] std::string_view measure() const { return coded_.labels.empty() ? "placement_error" : "accuracy"; }
  void tell(std::string_view of, double merit, Report& report) const {
    report.figure(fmt::format("{}_{}", measure(), of), std::abs(merit));
  }

  void learn_atoms(double locality) {
    const ComponentSpec dictionary = with_locality(dictionary_, locality);
    Dictionary learnt = find_dictionary(dictionary.name).learn(learn_.samples, learn_.labels, dictionary, context_);
    atoms_ = embed_atoms(learn_, whole_.samples, std::move(learnt), method_, context_);
    const auto count = static_cast<int>(atoms_.rows.rows());
    taus_ = asked_.coding_tau ? std::vector{std::min(*asked_.coding_tau, count)} : coding_taus(count);
    if (!coded_.labels.empty()) return;
    reference_ = learn_.coordinates.size() > 0
                     ? Reference{held_.samples, held_.coordinates, atoms_.fitted.embedding.coordinates}
                     : embed_with_atoms(atoms_, held_.samples, method_, context_);
  }

  [[nodiscard]] Merits worth(const LocalCodeWeights& weights) const {
    return coded_.labels.empty() ? by_placement(atoms_, reference_, taus_, weights, context_)
                                 : by_accuracy(atoms_, coded_, held_, taus_, weights, context_);
  }

  const Part& whole_;
  const RunContext& context_;
  const CodesOptions& asked_;
  ComponentSpec method_, dictionary_;
  Part learn_, held_;
  Part coded_;  // some of those that learn, among which neighbours are looked for; empty without labels
  Atoms atoms_;
  std::vector<int> taus_;
  Reference reference_;
};

}  // namespace

ComponentSpec with_locality(ComponentSpec dictionary, std::optional<double> locality) {
  if (locality && learns_with_chosen(dictionary)) set_value(dictionary, "locality", fmt::format("{}", *locality));
  return dictionary;
}

CodesOptions validated_codes(const Part& whole, Index n_atoms, const ModelSpec& spec, const CodesOptions& asked,
                             const RunContext& context, Report& report) {
  const PhaseTimer timer(report, "validation of codes");
  constexpr std::string_view kInstead = "the codes were chosen by placing atoms that were left out, since";
  try {
    Report found;
    const CodesOptions best = Validation(whole, n_atoms, spec, asked, context).best(found);
    report.absorb(found);
    return best;
  } catch (const InvalidArgument& error) {
    report.note("coding_tau_from_atoms",
                fmt::format("{} a part of the samples cannot be used for validation: {}", kInstead, error.what()));
  } catch (const NumericalError& error) {
    report.note("coding_tau_from_atoms", fmt::format("{} validation failed: {}", kInstead, error.what()));
  }
  return asked;
}

}  // namespace foldout
