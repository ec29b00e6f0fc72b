// SPDX-License-Identifier: Apache-2.0
// Y. Zhou, K. Barner: Locality Constrained Dictionary Learning for Nonlinear Dimensionality Reduction (2013):
// g(y) = g(D) x with x of Eq. (9), dictionary/local_codes.h. Decision: the number of atoms in a code need not be the τ
// with which the dictionary was learned; the paper's τ = 2 costs 25 points of accuracy on faces.
#include "foldout/extend/codes.h"

#include <fmt/format.h>

#include "core/archive.h"
#include "core/tally.h"
#include "dictionary/keys.h"
#include "dictionary/local_codes.h"
#include "extend/code_choice.h"
#include "extend/load_map.h"
#include "extend/makers.h"
#include "extend/pairs.h"
#include "foldout/core/error.h"
#include "foldout/dictionary/dictionary.h"
#include "maps/saved_info.h"

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

Map make_codes_map(const MatrixRef& atoms, const MatrixRef& coordinates, const CodesOptions& options,
                   TrainingPromise promise) {
  CodesOptions o = options;
  check_fields(fields(o), "codes");
  require_pairs(atoms, coordinates, "codes");
  if (*o.coding_tau > atoms.rows())
    throw InvalidArgument(
        fmt::format("codes: coding_tau = {} must be at most the number of atoms, {}", *o.coding_tau, atoms.rows()));
  const MapInfo info{"codes", atoms.cols(), coordinates.cols(), promise};
  const LocalCodeWeights weights{*o.locality, o.ridge ? *o.ridge : usual_ridge(atoms)};
  return std::make_shared<CodedMap>(info, std::make_shared<LocalCoder>(atoms, *o.coding_tau, weights), coordinates);
}

Extension extend_codes(const MatrixRef& samples, const MatrixRef& coordinates, const CodesOptions& options,
                       const RunContext& context) {
  CodesOptions o = options;
  check_fields(fields(o), "codes");
  require_pairs(samples, coordinates, "codes");
  Report report;
  if (!o.coding_tau || !o.locality) o = chosen_by_leaving_out(samples, coordinates, o, context, report);
  return {make_codes_map(samples, coordinates, o, TrainingPromise::kApproximate), std::move(report)};
}

std::shared_ptr<const Coder> load_local_coder(const Archive& archive, Index n_features) {
  Matrix atoms = load_samples(archive, n_features);
  const double tau = archive.number("tau");
  const LocalCodeWeights weights{archive.number("locality"), archive.number("ridge")};
  if (!(tau >= 1 && tau <= static_cast<double>(atoms.rows())) || !(weights.locality >= 0) || !(weights.ridge >= 0))
    throw IoError("the codes of the map do not match its atoms");
  if (!atoms.allFinite()) throw IoError("an atom of the map is not finite");
  return std::make_shared<LocalCoder>(std::move(atoms), static_cast<int>(tau), weights);
}

}  // namespace foldout
