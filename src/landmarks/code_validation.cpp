// SPDX-License-Identifier: Apache-2.0
// A dictionary is learned from three quarters of the samples (or 20 for each atom), and the held-out samples are placed
// by its atoms with each τ and λ. With labels, the error is the fraction whose nearest neighbour belongs to another
// class. Without labels, it is the placement error: in the embedding of all samples if there is one, otherwise in an
// embedding of the atoms together with held-out samples.
#include "landmarks/code_validation.h"

#include <fmt/format.h>

#include <algorithm>

#include "components/rows.h"
#include "components/trial.h"
#include "core/random.h"
#include "core/rows.h"
#include "dictionary/local_codes.h"
#include "dictionary/starting_atoms.h"
#include "extend/code_choice.h"
#include "foldout/evaluate/metrics.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

// Some of the samples, copied.
struct Part {
  Matrix samples;
  std::vector<int> labels;
  Matrix coordinates;
};

Part part_of(const TrainingPart& whole, const std::vector<Index>& rows) {
  Part part{whole.samples.rows(rows), labels_of(whole.labels, rows), {}};
  if (whole.coordinates.size() > 0) part.coordinates = rows_of(whole.coordinates, rows);
  return part;
}

// Held-out samples with their coordinates in an embedding together with the atoms.
struct Reference {
  Matrix samples, coordinates;
  Matrix atom_coordinates;  // in the same embedding
};

// Samples that nearly coincide with an atom would distort the embedding and are uninformative about codes.
std::vector<Index> apart_from(const Matrix& atoms, const Matrix& held, const RunContext& context) {
  constexpr double kNear = 0.3;
  const NeighborTable gaps = nearest_neighbors(atoms, 1, {}, context);
  const NeighborTable near = make_neighbor_index(atoms)->query(held, 1, context);
  std::vector<Index> apart;
  for (Index i = 0; i < held.rows() && std::ssize(apart) < atoms.rows(); ++i)
    if (near.distances_of(i)[0] > kNear * gaps.distances_of(near.of(i)[0])[0]) apart.push_back(i);
  return apart;
}

// Empty if all held-out samples nearly coincide with atoms.
std::optional<Reference> embed_with_atoms(const Atoms& atoms, const Matrix& held, const Component<MethodRow>& method,
                                          const RunContext& context) {
  const std::vector<Index> apart = apart_from(atoms.rows, held, context);
  if (apart.empty()) return std::nullopt;
  Reference reference{rows_of(held, apart), {}, {}};
  Matrix both(atoms.rows.rows() + reference.samples.rows(), held.cols());
  both << atoms.rows, reference.samples;
  const Matrix Y = method.row().fit(both, {}, method, context).embedding->coordinates;
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

// Atoms learned from a part of the samples, and the held-out samples, which are placed by them.
class HeldOut {
 public:
  /// Empty if no held-out sample can be used.
  static std::optional<HeldOut> learn(const TrainingPart& whole, Index n_atoms, const ModelSpec& spec,
                                      std::optional<double> ridge, const RunContext& context) {
    constexpr double kLearn = 0.75;  // the fraction of the samples used for training
    constexpr Index kMostCoded = 1500, kMostLabelled = 500, kMostHeld = 1000;  // for each τ and λ
    const DictionaryPlan plan = spec.dictionary.row().plan(spec.dictionary.options());
    const Split split = split_samples(whole.samples.size(), whole.labels, kLearn, 0);
    const std::vector<Index> rows = plan.by_class ? split.train : thinned(split.train, kStartPerAtom * n_atoms);
    const auto learn = whole.samples.some(rows);
    const std::vector<int> labels = labels_of(whole.labels, rows);
    const Matrix coordinates = whole.coordinates.size() > 0 ? rows_of(whole.coordinates, rows) : Matrix();
    HeldOut out(context);
    out.held_ = part_of(whole, thinned(split.held, whole.labels.empty() ? kMostHeld : kMostLabelled));
    if (!whole.labels.empty()) out.coded_ = part_of(whole, thinned(split.train, kMostCoded));
    // As many atoms as the dictionary of all samples, or as there are samples in this part.
    const DictionaryRow& row = spec.dictionary.row();
    const std::any options =
        plan.by_class ? spec.dictionary.options()
                      : row.with_atoms(spec.dictionary.options(), static_cast<int>(std::min(n_atoms, learn->size())));
    out.atoms_ = embed_atoms({*learn, labels, coordinates}, whole.samples, row.learn(*learn, labels, options, context),
                             spec.method, context);
    out.ridge_ = ridge ? *ridge : usual_ridge(out.atoms_.rows, context);
    if (out.by_labels()) return out;
    if (coordinates.size() > 0) {
      out.reference_ = {out.held_.samples, out.held_.coordinates, out.atoms_.fitted.embedding->coordinates};
      return out;
    }
    auto reference = embed_with_atoms(out.atoms_, out.held_.samples, spec.method, context);
    if (!reference) return std::nullopt;
    out.reference_ = std::move(*reference);
    return out;
  }

  [[nodiscard]] bool by_labels() const { return !coded_.labels.empty(); }
  [[nodiscard]] Index n_atoms() const { return atoms_.rows.rows(); }

  /// The change of the atoms' coordinates in an embedding together with other samples.
  [[nodiscard]] double change_of_embedding() const {
    if (by_labels()) return 0;
    const Matrix &own = atoms_.fitted.embedding->coordinates, &beside = reference_.atom_coordinates;
    return placement(own, own, beside, beside);
  }

  /// The error of codes with each λ and each number of atoms.
  [[nodiscard]] std::vector<double> errors(const std::vector<int>& taus, const std::vector<double>& localities) const {
    return by_labels() ? wrong_neighbors(taus, localities) : misplaced(taus, localities);
  }

 private:
  explicit HeldOut(const RunContext& context) : context_(context) {}

  // Samples placed by codes with each λ and each number of atoms.
  [[nodiscard]] std::vector<Matrix> placed(const Matrix& samples, const Matrix& atom_coordinates,
                                           const std::vector<int>& taus, const std::vector<double>& localities) const {
    const LocalCoding coding(atoms_.rows, taus.back(), {.ridge = ridge_});
    std::vector<Matrix> placed;
    for (const LocalCodes& codes : coding.code_for(samples, taus, localities, context_))
      placed.emplace_back(codes.codes * atom_coordinates);
    return placed;
  }

  [[nodiscard]] std::vector<double> wrong_neighbors(const std::vector<int>& taus,
                                                    const std::vector<double>& localities) const {
    const Matrix& Y = atoms_.fitted.embedding->coordinates;
    const std::vector<Matrix> train = placed(coded_.samples, Y, taus, localities),
                              fresh = placed(held_.samples, Y, taus, localities);
    std::vector<double> errors;
    for (std::size_t t = 0; t < train.size(); ++t) {
      const NeighborTable nearest = make_neighbor_index(train[t])->query(fresh[t], 1, context_);
      int wrong = 0;
      for (std::size_t i = 0; i < held_.labels.size(); ++i)
        wrong += coded_.labels[static_cast<std::size_t>(nearest.indices[i])] == held_.labels[i] ? 0 : 1;
      errors.push_back(static_cast<double>(wrong) / static_cast<double>(held_.labels.size()));
    }
    return errors;
  }

  [[nodiscard]] std::vector<double> misplaced(const std::vector<int>& taus,
                                              const std::vector<double>& localities) const {
    std::vector<double> errors;
    const Matrix& Y = reference_.atom_coordinates;
    for (const Matrix& at : placed(reference_.samples, Y, taus, localities))
      errors.push_back(placement(Y, at, Y, reference_.coordinates));
    return errors;
  }

  const RunContext& context_;
  Part held_;
  Part coded_;  // some training samples, among which neighbours are searched; empty without labels
  Atoms atoms_;
  double ridge_ = 0;
  Reference reference_;  // without labels
};

}  // namespace

CodesOptions validated_codes(const TrainingPart& whole, Index n_atoms, const ModelSpec& spec, const CodesOptions& asked,
                             const RunContext& context, Report& report) {
  const PhaseTimer timer(report, "validation of codes");
  const auto leave_atoms_out = [&](std::string_view why) {
    report.note("coding_tau_from_atoms",
                fmt::format("the codes were selected by placing left-out atoms, because {}", why));
    return asked;
  };
  auto tried = attempt([&] { return HeldOut::learn(whole, n_atoms, spec, asked.ridge, context); });
  if (!tried)
    return leave_atoms_out(fmt::format("a part of the samples cannot be used for validation: {}", tried.reason));
  if (!*tried) return leave_atoms_out("all held-out samples nearly coincide with atoms");
  const HeldOut& held = **tried;
  const CodeTrial trial{held.n_atoms(), held.by_labels(),
                        fmt::format("by the {} of held-out samples", held.by_labels() ? "accuracy" : "placement_error"),
                        [&](const std::vector<int>& taus, const std::vector<double>& localities) {
                          return held.errors(taus, localities);
                        }};
  const CodesOptions best = chosen_codes(asked, trial, report);
  constexpr double kMostChange = 0.25;
  if (const double change = held.change_of_embedding(); change > kMostChange)
    report.note(
        "embedding_unsettled",
        fmt::format("in an embedding together with other samples, the positions of the atoms differ by {:.2g} of its "
                    "extent: more atoms may stabilise it",
                    change));
  return best;
}

}  // namespace foldout
