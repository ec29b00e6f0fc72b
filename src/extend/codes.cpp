// SPDX-License-Identifier: Apache-2.0
// Y. Zhou, K. Barner: Locality Constrained Dictionary Learning for Nonlinear Dimensionality Reduction (2013):
// g(y) = g(D) x with x of Eq. (9), dictionary/local_codes.h. Decision: the number of atoms in a code need not be the τ
// that the dictionary was learnt with; the printed τ = 2 costs 25 points of accuracy on faces.
#include "foldout/extend/codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "extend/pairs.h"
#include "extend/saved_maps.h"
#include "foldout/core/error.h"
#include "foldout/core/parallel.h"
#include "foldout/core/random.h"
#include "foldout/dictionary/dictionary.h"
#include "foldout/dictionary/starting_atoms.h"

namespace foldout {

Fields fields(CodesOptions& o) {
  return {{key::coding_tau, o.coding_tau}, {key::coding_locality, o.locality}, {key::code_ridge, o.ridge}};
}

namespace {

class LocalCoder final : public Coder {
 public:
  LocalCoder(Matrix atoms, int tau, const LocalCodeWeights& weights)
      : atoms_(std::move(atoms)), tau_(tau), weights_(weights), coding_(atoms_, tau, weights) {}

  [[nodiscard]] const Matrix& anchors() const override { return atoms_; }
  [[nodiscard]] SparseMatrix code(const MatrixRef& samples, Tally&) const override {
    return coding_.code(samples).codes;
  }
  void save(Archive& archive) const override {
    archive.put_text("coder", "local");
    archive.put("samples", atoms_);
    archive.put("tau", static_cast<double>(tau_));
    archive.put("locality", weights_.locality);
    archive.put("ridge", weights_.ridge);
  }

 private:
  Matrix atoms_;
  int tau_;
  LocalCodeWeights weights_;
  LocalCoding coding_;
};

}  // namespace

std::vector<int> coding_taus(Index most) {
  std::vector<int> taus;
  for (const int tau : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128})
    if (tau <= most) taus.push_back(tau);
  return taus;
}

std::shared_ptr<const CodedMap> extend_codes(Matrix atoms, Matrix coordinates, const CodesOptions& options,
                                             TrainingPromise promise) {
  CodesOptions o = options;
  check_fields(fields(o), "codes");
  require_pairs(atoms, coordinates, "codes");
  if (!o.coding_tau || *o.coding_tau > atoms.rows())
    throw InvalidArgument(fmt::format("codes: coding_tau = {} must be at most the number of atoms, {}",
                                      o.coding_tau.value_or(0), atoms.rows()));
  if (!o.locality) throw InvalidArgument("codes: locality must have a value");
  const MapInfo info{"codes", atoms.cols(), coordinates.cols(), promise};
  const LocalCodeWeights weights{*o.locality, o.ridge ? *o.ridge : usual_ridge(atoms)};
  auto coder = std::make_shared<LocalCoder>(std::move(atoms), *o.coding_tau, weights);
  return std::make_shared<CodedMap>(info, std::move(coder), std::move(coordinates));
}

std::vector<double> coding_localities() { return {kUsualLocality, 0.3, 0.03, 1, 0.01, 3, 10}; }

namespace {

// An atom that is left out, and its nearest others.
struct LeftOut {
  Index atom;
  std::vector<int> others;
};

std::vector<LeftOut> leave_out(const Matrix& atoms, Index most, int n_others, const RunContext& context) {
  std::vector<Index> out = Rng(0).permutation(atoms.rows());
  out.resize(static_cast<std::size_t>(std::min(most, atoms.rows())));
  const NeighborTable table = make_neighbor_index(atoms)->query(rows_of(atoms, out), n_others + 1, context);
  std::vector<LeftOut> result;
  for (Index i = 0; i < std::ssize(out); ++i) {
    LeftOut& left = result.emplace_back(out[static_cast<std::size_t>(i)]);
    left.others.assign(table.of(i).begin(), table.of(i).end());
    if (std::erase(left.others, static_cast<int>(left.atom)) == 0) left.others.pop_back();  // its copies were nearer
  }
  return result;
}

// The sum of squared errors of left-out atoms, for each number of atoms.
Vector errors_of(const std::vector<LeftOut>& out, const Matrix& atoms, const MatrixRef& coordinates,
                 const std::vector<int>& taus, const LocalCodeWeights& weights, const RunContext& context) {
  Matrix errors(std::ssize(out), std::ssize(taus));
  parallel_for(errors.rows(), context, [&](Index i) {
    const auto& [atom, others] = out[static_cast<std::size_t>(i)];
    for (Index t = 0; t < errors.cols(); ++t) {
      const auto tau = static_cast<std::size_t>(taus[static_cast<std::size_t>(t)]);
      std::vector<double> code(tau);
      local_code(atoms.row(atom).data(), atoms, std::span(others).first(tau), weights, code);
      Eigen::RowVectorXd left = coordinates.row(atom);
      for (std::size_t j = 0; j < tau; ++j) left -= code[j] * coordinates.row(others[j]);
      errors(i, t) = left.squaredNorm();
    }
  });
  return errors.colwise().sum();
}

}  // namespace

CodesOptions chosen_by_leaving_out(const Matrix& atoms, const MatrixRef& coordinates, CodesOptions options,
                                   const RunContext& context, Report& report) {
  constexpr Index kLeftOut = 500;
  constexpr std::string_view kHow = "by placing atoms that were left out";
  const auto others = static_cast<int>(atoms.rows() - 1);
  CodesOptions best{options.coding_tau.value_or(1), options.locality.value_or(kUsualLocality), options.ridge};
  if (others == 0) return best;
  const std::vector<int> taus =
      options.coding_tau ? std::vector{std::min(*options.coding_tau, others)} : coding_taus(others);
  const double ridge = options.ridge ? *options.ridge : usual_ridge(atoms, context);
  const std::vector<LeftOut> out = leave_out(atoms, kLeftOut, taus.back(), context);
  double least = std::numeric_limits<double>::infinity();
  for (const double locality : options.locality ? std::vector{*options.locality} : coding_localities()) {
    Index t = 0;
    const double error = errors_of(out, atoms, coordinates, taus, {locality, ridge}, context).minCoeff(&t);
    if (!(error < least)) continue;
    least = error;
    best.locality = locality;
    if (!options.coding_tau) best.coding_tau = taus[static_cast<std::size_t>(t)];
  }
  tell_chosen(options, best, kHow, report);
  return best;
}

void tell_chosen(const CodesOptions& asked, const CodesOptions& chosen, std::string_view how, Report& report) {
  if (!asked.coding_tau) {
    report.figure("coding_tau", *chosen.coding_tau);
    report.fact("coding_tau_chosen", how);
  }
  if (!asked.locality) {
    report.figure("locality", *chosen.locality);
    report.fact("locality_chosen", how);
  }
}

std::shared_ptr<const Coder> load_local_coder(const Archive& archive, Index n_features) {
  Matrix atoms = load_samples(archive, n_features);
  const double tau = archive.number("tau");
  const LocalCodeWeights weights{archive.number("locality"), archive.number("ridge")};
  if (!(tau >= 1 && tau <= static_cast<double>(atoms.rows())) || !(weights.locality >= 0) || !(weights.ridge >= 0))
    throw IoError("the codes of the map are not those of its atoms");
  if (!atoms.allFinite()) throw IoError("an atom of the map is not finite");
  return std::make_shared<LocalCoder>(std::move(atoms), static_cast<int>(tau), weights);
}

}  // namespace foldout
