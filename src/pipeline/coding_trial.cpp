// SPDX-License-Identifier: Apache-2.0
// A trial of codes: three quarters of the samples (or 20 for each atom) learn a dictionary of their own, and the others
// are placed by its atoms with each τ and λ. With labels, those are worth most with which most of them have a nearest
// neighbour of their class; without, those with which they come nearest to where the method puts them: in the embedding
// of all samples where there is one, else in one of the atoms together with them.
#include "pipeline/coding_trial.h"

#include <algorithm>

#include "foldout/core/error.h"
#include "foldout/core/random.h"
#include "foldout/dictionary/starting_atoms.h"
#include "foldout/evaluate/procrustes.h"
#include "foldout/pipeline/compare.h"

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

constexpr double kLearn = 0.75;  // the part of the samples that learns

// At most so many samples are coded for each τ and λ. λ without labels is the harder choice: dictionaries of different
// λ differ by chance too, and placement errors show it, so that more samples, in several rounds, have a say.
constexpr Index kMostTrain = 3000, kMostHeld = 1000, kMostHeldForLocality = 3000, kMostRounds = 4;

bool choice_is_hard(const CodingAim& aim) { return !aim.asked.locality && aim.whole.labels.empty(); }

// Samples that learn, samples that are held out, and what is tried on them.
class Round {
 public:
  Round(const CodingAim& aim, Index round) : aim_(aim), dictionary_(aim.dictionary) {
    std::optional<Labels> labels;
    if (!aim.whole.labels.empty()) labels = Labels{{}, aim.whole.labels, false};
    const Split split = split_samples(aim.whole.samples.rows(), labels, kLearn, static_cast<std::uint64_t>(round));
    learn_ = part_of(aim.whole, aim.by_class() ? split.train : thinned(split.train, kStartPerAtom * aim.n_atoms));
    // As many atoms as the whole dictionary has, or what the part can give.
    if (!aim.by_class())
      set_value(dictionary_, "n_atoms", std::to_string(std::min(aim.n_atoms, learn_.samples.rows())));
    held_ = part_of(aim.whole, thinned(split.held, choice_is_hard(aim) ? kMostHeldForLocality : kMostHeld));
    if (labels) coded_ = part_of(aim.whole, thinned(split.train, kMostTrain));
  }

  /// The merits of each λ.
  std::vector<Merits> merits() {
    std::vector<Merits> all;
    for (const double locality : aim_.localities()) {
      if (all.empty() || learns_with_chosen(dictionary_)) learn_atoms(locality);
      all.push_back(worth({locality, aim_.asked.ridge ? *aim_.asked.ridge : usual_ridge(atoms_.rows, aim_.context)}));
      if (all.size() == 1) require_same_embedding(all.front());
    }
    return all;
  }

 private:
  void require_same_embedding(const Merits& merits) const {
    constexpr double kMostError = 0.25;
    if (coded_.labels.empty() && -std::ranges::max(merits) > kMostError)
      throw NumericalError("with held-out samples beside them, the atoms get another embedding");
  }

  void learn_atoms(double locality) {
    const ComponentSpec dictionary = with_locality(dictionary_, locality);
    Dictionary learnt = find_dictionary(dictionary.name).learn(learn_.samples, learn_.labels, dictionary, aim_.context);
    atoms_ = embed_atoms(learn_, aim_.whole.samples, std::move(learnt), aim_.method, aim_.context);
    const auto count = static_cast<int>(atoms_.rows.rows());
    taus_ = aim_.asked.coding_tau ? std::vector{std::min(*aim_.asked.coding_tau, count)} : coding_taus(count);
    if (!coded_.labels.empty()) return;
    reference_ = learn_.coordinates.size() > 0
                     ? Reference{held_.samples, held_.coordinates, atoms_.fitted.embedding.coordinates}
                     : embed_with_atoms(atoms_, held_.samples, aim_.method, aim_.context);
  }

  [[nodiscard]] Merits worth(const LocalCodeWeights& weights) const {
    return coded_.labels.empty() ? by_placement(atoms_, reference_, taus_, weights, aim_.context)
                                 : by_accuracy(atoms_, coded_, held_, taus_, weights, aim_.context);
  }

  const CodingAim& aim_;
  ComponentSpec dictionary_;
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

bool CodingAim::by_class() const {
  const std::string* each = dictionary.find("atoms_per_class");
  return each && *each != "none";
}

std::vector<double> CodingAim::localities() const {
  return asked.locality ? std::vector{*asked.locality} : coding_localities();
}

Index coding_rounds(const CodingAim& aim) {
  if (!choice_is_hard(aim)) return 1;
  const auto held = static_cast<Index>((1 - kLearn) * static_cast<double>(aim.whole.samples.rows()));
  return std::clamp<Index>((kMostHeldForLocality + held - 1) / std::max<Index>(held, 1), 1, kMostRounds);
}

std::vector<Merits> try_codes(const CodingAim& aim, Index round) { return Round(aim, round).merits(); }

}  // namespace foldout
