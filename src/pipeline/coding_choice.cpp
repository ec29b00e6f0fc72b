// SPDX-License-Identifier: Apache-2.0
// Three quarters of the samples (or 20 for each atom) learn a dictionary of their own, and the others are placed by its
// atoms with each τ and λ. With labels, those are best with which most of them have a nearest neighbour of their class;
// without, those with which they come nearest to where the method puts them: in the embedding of all samples where
// there is one, else in one of the atoms together with them.
#include <fmt/format.h>

#include <algorithm>

#include "core/random.h"
#include "core/rows.h"
#include "dictionary/local_codes.h"
#include "dictionary/starting_atoms.h"
#include "extend/code_choice.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/procrustes.h"
#include "foldout/pipeline/compare.h"
#include "neighbors/neighbors.h"
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

// What codes are chosen for.
struct CodingAim {
  const Part& whole;
  Index n_atoms;
  ComponentSpec method, dictionary;
  std::optional<double> ridge;
  const RunContext& context;
};

bool by_class(const ComponentSpec& dictionary) {
  const std::string* each = dictionary.find("atoms_per_class");
  return each && *each != "none";
}

// Samples that learn atoms, and samples that are held out and placed by them.
class HeldOut {
 public:
  explicit HeldOut(const CodingAim& aim) : context_(aim.context) {
    constexpr double kLearn = 0.75;                       // the part of the samples that learns
    constexpr Index kMostCoded = 3000, kMostHeld = 1000;  // for each τ and λ
    std::optional<Labels> labels;
    if (!aim.whole.labels.empty()) labels = Labels{{}, aim.whole.labels, false};
    const Split split = split_samples(aim.whole.samples.rows(), labels, kLearn, 0);
    held_ = part_of(aim.whole, thinned(split.held, kMostHeld));
    if (labels) coded_ = part_of(aim.whole, thinned(split.train, kMostCoded));
    const bool classes = by_class(aim.dictionary);
    learn_atoms(aim, part_of(aim.whole, classes ? split.train : thinned(split.train, kStartPerAtom * aim.n_atoms)));
  }

  [[nodiscard]] bool by_labels() const { return !coded_.labels.empty(); }
  [[nodiscard]] Index n_atoms() const { return atoms_.rows.rows(); }

  /// How far atoms are elsewhere in an embedding with other samples beside them.
  [[nodiscard]] double change_of_embedding() const {
    if (by_labels()) return 0;
    const Matrix &own = atoms_.fitted.embedding.coordinates, &beside = reference_.atom_coordinates;
    return placement(own, own, beside, beside);
  }

  /// What codes with this λ do wrong, for each number of atoms.
  [[nodiscard]] std::vector<double> errors(const std::vector<int>& taus, double locality) const {
    const LocalCoding coding(atoms_.rows, taus.back(), {locality, ridge_});
    return by_labels() ? wrong_neighbors(coding, taus) : misplaced(coding, taus);
  }

 private:
  void learn_atoms(const CodingAim& aim, const Part& learn) {
    ComponentSpec dictionary = aim.dictionary;
    // As many atoms as the whole dictionary has, or what the part can give.
    if (!by_class(dictionary))
      set_value(dictionary, "n_atoms", std::to_string(std::min(aim.n_atoms, learn.samples.rows())));
    Dictionary learnt = find_dictionary(dictionary.name).learn(learn.samples, learn.labels, dictionary, context_);
    atoms_ = embed_atoms(learn, aim.whole.samples, std::move(learnt), aim.method, context_);
    ridge_ = aim.ridge ? *aim.ridge : usual_ridge(atoms_.rows, context_);
    if (by_labels()) return;
    reference_ = learn.coordinates.size() > 0
                     ? Reference{held_.samples, held_.coordinates, atoms_.fitted.embedding.coordinates}
                     : embed_with_atoms(atoms_, held_.samples, aim.method, context_);
  }

  // Samples placed by each number of atoms.
  [[nodiscard]] std::vector<Matrix> placed(const Matrix& samples, const Matrix& atom_coordinates,
                                           const LocalCoding& coding, const std::vector<int>& taus) const {
    std::vector<Matrix> placed;
    for (const LocalCodes& codes : coding.code_for(samples, taus, context_))
      placed.emplace_back(codes.codes * atom_coordinates);
    return placed;
  }

  [[nodiscard]] std::vector<double> wrong_neighbors(const LocalCoding& coding, const std::vector<int>& taus) const {
    const Matrix& Y = atoms_.fitted.embedding.coordinates;
    const std::vector<Matrix> train = placed(coded_.samples, Y, coding, taus),
                              fresh = placed(held_.samples, Y, coding, taus);
    std::vector<double> errors;
    for (std::size_t t = 0; t < taus.size(); ++t) {
      const NeighborTable nearest = make_neighbor_index(train[t])->query(fresh[t], 1, context_);
      int wrong = 0;
      for (std::size_t i = 0; i < held_.labels.size(); ++i)
        wrong += coded_.labels[static_cast<std::size_t>(nearest.indices[i])] == held_.labels[i] ? 0 : 1;
      errors.push_back(static_cast<double>(wrong) / static_cast<double>(held_.labels.size()));
    }
    return errors;
  }

  [[nodiscard]] std::vector<double> misplaced(const LocalCoding& coding, const std::vector<int>& taus) const {
    std::vector<double> errors;
    const Matrix& Y = reference_.atom_coordinates;
    for (const Matrix& at : placed(reference_.samples, Y, coding, taus))
      errors.push_back(placement(Y, at, Y, reference_.coordinates));
    return errors;
  }

  const RunContext& context_;
  Part held_;
  Part coded_;  // some of those that learn, among which neighbours are looked for; empty without labels
  Atoms atoms_;
  double ridge_ = 0;
  Reference reference_;  // without labels
};

// Throws InvalidArgument where the samples do not allow it, and NumericalError where the method fails.
CodesOptions best_codes(const CodingAim& aim, const CodesOptions& asked, Report& report) {
  const HeldOut held(aim);
  const auto errors = [&](const std::vector<int>& taus, double locality) { return held.errors(taus, locality); };
  const std::string_view measure = held.by_labels() ? "accuracy" : "placement_error";
  const CodeTrial trial{held.n_atoms(), held.by_labels(), fmt::format("by the {} of held-out samples", measure),
                        errors};
  const CodesOptions best = chosen_codes(asked, trial, report);
  constexpr double kMostChange = 0.25;
  if (const double change = held.change_of_embedding(); change > kMostChange)
    report.note(
        "embedding_unsettled",
        fmt::format("with other samples beside them, atoms are placed elsewhere: by {:.2g} of the extent of the "
                    "embedding; more atoms may settle it",
                    change));
  return best;
}

bool learns_with_chosen(const ComponentSpec& dictionary) {
  const std::string* own = dictionary.find("locality");
  return find_dictionary(dictionary.name).learns_by_codes && (!own || *own == "auto");
}

}  // namespace

ComponentSpec with_locality(ComponentSpec dictionary, std::optional<double> locality) {
  if (locality && learns_with_chosen(dictionary)) set_value(dictionary, "locality", fmt::format("{}", *locality));
  return dictionary;
}

CodesOptions validated_codes(const Part& whole, Index n_atoms, const ModelSpec& spec, const CodesOptions& asked,
                             const RunContext& context, Report& report) {
  const PhaseTimer timer(report, "validation of codes");
  const CodingAim aim{whole,       n_atoms, parse_method(spec.method), ComponentSpec::parse(spec.dictionary),
                      asked.ridge, context};
  const auto leave_atoms_out = [&](std::string_view why) {
    report.note("coding_tau_from_atoms",
                fmt::format("the codes were chosen by placing atoms that were left out, since {}", why));
    return asked;
  };
  try {
    Report found;
    const CodesOptions best = best_codes(aim, asked, found);
    report.absorb(found);
    return best;
  } catch (const InvalidArgument& error) {
    return leave_atoms_out(fmt::format("a part of the samples cannot be used for validation: {}", error.what()));
  } catch (const NumericalError& error) {
    return leave_atoms_out(fmt::format("validation failed: {}", error.what()));
  }
}

}  // namespace foldout
