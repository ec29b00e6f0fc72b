// SPDX-License-Identifier: Apache-2.0
// B. Raducanu, F. Dornaika: Embedding New Observations via Sparse-Coding for Non-linear Manifold Learning (2013):
//   min ‖a‖₁ + ‖u‖₁  subject to  Xa + A_e u = x          Eqs. (12), (13)
//   W_i = |a_i|,  y = Σ_i W_i y_i / Σ_i W_i              Eq. (9)
// Paper's X (D×N) is our Xᵀ. An orthonormal A_e is a rotation: A_eᵀX a + u = A_eᵀx. Other bases are extra columns of an
// equality problem. Decisions: samples are normalised to length 1, without which codes are dense and their signs
// matter. A zero code (optimal if max_j |x_jᵀ sign(x)| ≤ 1) leaves Eq. (9) undefined, and the sample is placed at its
// nearest training sample. If no errors are allowed and x is not a combination of the samples, Eq. (12) is used
// instead.
#include "foldout/extend/sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/archive.h"
#include "core/check.h"
#include "core/tally.h"
#include "extend/error_basis.h"
#include "extend/load_map.h"
#include "extend/makers.h"
#include "extend/pairs.h"
#include "extend/row_lookup.h"
#include "foldout/core/error.h"
#include "foldout/l1/l1_coding.h"
#include "linalg/distance.h"
#include "linalg/products.h"
#include "linalg/svd.h"
#include "maps/saved_info.h"

namespace foldout {

bool is_named_error_basis(std::string_view errors) {
  return errors == "identity" || errors == "none" || errors == "dct" || errors == "haar";
}

Fields fields(SparseOptions& o) {
  static constexpr Key errors{
      "errors", "basis in which errors are sparse: identity, dct, haar, none (no errors), or a file", "A_e"};
  static constexpr Key unit_norm{"unit_norm", "normalise samples to length 1 before coding"};
  static constexpr Key correction{"correction",
                                  "divide coordinate k by 1 − λ_k if that exceeds 0.2; for laplacian_eigenmaps", "μ_k"};
  static constexpr Key tolerance{"tolerance", "largest relative duality gap of a code", "", 1e-14, 1};
  return {{errors, o.errors}, {unit_norm, o.unit_norm}, {correction, o.correction}, {tolerance, o.tolerance}};
}

namespace {

constexpr double kLeastMu = 0.2;

// The errors in the linear program.
struct ErrorModel {
  std::string kind = "identity";  // identity, none, dct, haar, rotation, columns
  Matrix basis;                   // of rotations and columns, from a file

  [[nodiscard]] bool exact() const { return kind == "none" || kind == "columns"; }
  [[nodiscard]] Matrix rotation(Index n_features) const {
    if (kind == "dct" || kind == "haar")
      require_memory(3 * 8 * static_cast<double>(n_features) * static_cast<double>(n_features),
                     fmt::format("sparse: errors={} for {} features", kind, n_features),
                     "use errors=identity, or fewer features");
    if (kind == "dct") return dct_basis(n_features);
    if (kind == "haar") return haar_basis(n_features);
    return kind == "rotation" ? basis : Matrix();
  }
};

ErrorModel error_model(const SparseOptions& o, Index n_features) {
  if (is_named_error_basis(o.errors)) return {o.errors, {}};
  if (o.error_basis.size() == 0)
    throw InvalidArgument(
        fmt::format("sparse: errors = {} is unknown: use identity, dct, haar or none, or give error_basis", o.errors));
  if (o.error_basis.rows() != n_features)
    throw InvalidArgument(fmt::format(
        "sparse: errors = {} has {} rows, but the samples have {} features: an error basis needs one row per "
        "feature",
        o.errors, o.error_basis.rows(), n_features));
  return {is_orthonormal(o.error_basis) ? "rotation" : "columns", o.error_basis};
}

class SparseCoder final : public Coder {
 public:
  SparseCoder(Matrix samples, ErrorModel errors, bool unit_norm, double tolerance, Vector scale)
      : samples_(std::move(samples)),
        scale_(std::move(scale)),
        errors_(std::move(errors)),
        unit_norm_(unit_norm),
        tolerance_(tolerance),
        rotation_(errors_.rotation(samples_.cols())),
        dictionary_(with_error_columns(prepare(samples_)), L1Options{tolerance}),
        prepared_(dictionary_.atoms().topRows(samples_.rows())),
        by_value_(samples_),
        by_direction_(prepared_),
        span_(errors_.exact() ? proper_span(dictionary_.atoms()) : ColMatrix()) {}

  [[nodiscard]] const Matrix& anchors() const override { return samples_; }

  [[nodiscard]] SparseMatrix code(const MatrixRef& samples, Tally& tally) const override {
    SparseMatrix unused;
    return code_with_coefficients(samples, tally, unused);
  }
  [[nodiscard]] bool has_coefficients() const override { return true; }

  [[nodiscard]] SparseMatrix code_with_coefficients(const MatrixRef& samples, Tally& tally,
                                                    SparseMatrix& coefficients) const override {
    const Matrix x = prepare(samples);
    std::vector<Eigen::Triplet<double>> weights, values;  // W = |a| / Σ|a|, and a
    for (Index i = 0; i < x.rows(); ++i) {
      const L1Code solution = solve(x, i, tally);
      std::size_t count = 0;
      double sum = 0;
      while (count < solution.atoms.size() && solution.atoms[count] < samples_.rows()) {
        sum += weight(solution, count);
        ++count;
      }
      const auto row = static_cast<int>(i);
      tally.add("nonzeros", sum > 0 ? static_cast<Index>(count) : 1);
      if (!(sum > 0)) {
        weights.emplace_back(row, equal_sample(samples.row(i).data(), nearest(x.row(i).data())), 1.0);
        tally.remark("sparse_zero_code", "not explained by any training sample, placed at the nearest", i);
        continue;
      }
      for (std::size_t j = 0; j < count; ++j) {
        const int atom = count == 1 ? equal_sample(samples.row(i).data(), solution.atoms[j]) : solution.atoms[j];
        weights.emplace_back(row, atom, weight(solution, j) / sum);
        values.emplace_back(row, atom, solution.values[j]);
      }
    }
    SparseMatrix codes(samples.rows(), samples_.rows());
    codes.setFromTriplets(weights.begin(), weights.end());
    coefficients.resize(samples.rows(), samples_.rows());
    coefficients.setFromTriplets(values.begin(), values.end());
    return codes;
  }

  void save(Archive& archive) const override {
    archive.put_text("coder", "sparse");
    archive.put_text("errors", errors_.kind);
    archive.put("error_basis", errors_.basis);
    archive.put("samples", samples_);
    archive.put("unit_norm", unit_norm_ ? 1.0 : 0.0);
    archive.put("tolerance", tolerance_);
    archive.put("scale", scale_);
  }

 private:
  [[nodiscard]] double weight(const L1Code& code, std::size_t j) const {
    return (scale_.size() > 0 ? scale_[code.atoms[j]] : 1) * std::abs(code.values[j]);
  }
  [[nodiscard]] Matrix prepare(const MatrixRef& samples) const {
    Matrix x = unit_norm_ ? unit_rows(samples) : Matrix(samples);
    if (rotation_.size() > 0) x = multiply_rowwise(x, rotation_);
    return x;
  }

  [[nodiscard]] Matrix with_error_columns(Matrix prepared) const {
    if (errors_.kind != "columns") return prepared;
    Matrix both(prepared.rows() + errors_.basis.cols(), prepared.cols());
    both << prepared, errors_.basis.transpose();
    return both;
  }

  [[nodiscard]] L1Code solve(const Matrix& x, Index i, Tally& tally) const {
    const std::span<const double> sample(x.row(i).data(), static_cast<std::size_t>(x.cols()));
    const bool without_errors = errors_.exact() && in_span(x.row(i));
    L1Code code = without_errors ? dictionary_.code_exactly(sample) : dictionary_.code(sample);
    if (errors_.exact() && (!without_errors || code.status == L1Status::kInfeasible)) {
      tally.remark("sparse_infeasible", "not a combination of the training samples, coded with errors allowed", i);
      if (without_errors) code = dictionary_.code(sample);
    }
    if (code.status == L1Status::kInexact)
      tally.remark("sparse_inexact", "coded with a duality gap above the tolerance", i);
    tally.add("pivots", code.pivots);
    tally.add("multiply_adds", static_cast<Index>(code.multiply_adds));
    tally.raise("largest_gap", code.gap);
    return code;
  }

  // Most samples are not in the span of the others, and a projection shows this faster than a linear program.
  [[nodiscard]] bool in_span(const Eigen::RowVectorXd& x) const {
    if (span_.size() == 0) return true;
    return (x - (x * span_) * span_.transpose()).norm() <= 1e-8 * x.norm();
  }

  [[nodiscard]] static ColMatrix proper_span(const Matrix& atoms) {
    const Svd svd = thin_svd(atoms);
    const Index rank = svd.rank();
    return rank < atoms.cols() ? ColMatrix(svd.V.leftCols(rank)) : ColMatrix();
  }

  [[nodiscard]] int nearest(const double* x) const {
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < prepared_.rows(); ++j)
      if (const double d2 = squared_distance(x, prepared_.row(j).data(), prepared_.cols()); d2 < least) {
        least = d2;
        best = static_cast<int>(j);
      }
    return best;
  }

  // Codes cannot distinguish samples in the same direction: selects the one that equals x, otherwise the first.
  [[nodiscard]] int equal_sample(const double* x, int j) const {
    const int itself = by_value_.find(x);
    return itself >= 0 ? itself : by_direction_.find(prepared_.row(j).data());
  }

  Matrix samples_;
  Vector scale_;  // of the weights; empty: 1
  ErrorModel errors_;
  bool unit_norm_;
  double tolerance_;
  Matrix rotation_;
  L1Dictionary dictionary_;  // rejects values that are not finite, which RowLookup cannot order
  MatrixRef prepared_;       // the samples among its atoms
  RowLookup by_value_, by_direction_;
  ColMatrix span_;  // orthonormal basis of the atoms, if no errors are allowed and they do not span all samples
};

Map sparse_map(const MatrixRef& samples, const MatrixRef& coordinates, const SparseOptions& options) {
  SparseOptions o = options;
  check_fields(fields(o), "sparse");
  require_pairs(samples, coordinates, "sparse");
  ErrorModel errors = error_model(o, samples.cols());
  // Without unit length, or with error columns of any length, another code may cost less than the sample itself.
  const bool exact = o.unit_norm && !o.correction && errors.kind != "columns";
  const auto promise = exact ? TrainingPromise::kExact : TrainingPromise::kApproximate;
  auto coder = std::make_shared<SparseCoder>(samples, std::move(errors), o.unit_norm, o.tolerance, Vector());
  return std::make_shared<CodedMap>(MapInfo{"sparse", samples.cols(), coordinates.cols(), promise}, std::move(coder),
                                    coordinates);
}

}  // namespace

Matrix corrected_by(const Vector& mu, Matrix Y) {
  for (Index k = 0; k < Y.cols(); ++k)
    if (mu[k] > kLeastMu) Y.col(k) /= mu[k];
  return Y;
}

std::shared_ptr<const Coder> make_sparse_coder(Matrix samples, Vector scale) {
  return std::make_shared<SparseCoder>(std::move(samples), ErrorModel{}, true, SparseOptions{}.tolerance,
                                       std::move(scale));
}

Extension extend_sparse(const MatrixRef& samples, const MatrixRef& coordinates, const SparseOptions& options,
                        const RunContext&) {
  if (options.correction)
    throw InvalidArgument(
        "sparse: correction = true divides by the eigenvalues of a Laplacian and needs such a fit: extend a fit of "
        "laplacian_eigenmaps, or use correction = false");
  return {sparse_map(samples, coordinates, options), {}};
}

Extension extend_sparse(const MatrixRef& samples, const LaplacianEigenmapsFit& fit, const SparseOptions& options,
                        const RunContext&) {
  if (!options.correction) return {sparse_map(samples, fit.coordinates, options), {}};
  return {sparse_map(samples, corrected_by(1 - fit.eigenvalues.array(), fit.coordinates), options), {}};
}

std::shared_ptr<const Coder> load_sparse_coder(const Archive& archive, Index n_features) {
  ErrorModel errors{archive.text("errors"), archive.matrix("error_basis")};
  Matrix samples = load_samples(archive, n_features);
  const double tolerance = archive.number("tolerance");
  Vector scale = archive.vector("scale");
  const bool from_file = errors.kind == "rotation" || errors.kind == "columns";
  if (!from_file && !is_named_error_basis(errors.kind))
    throw IoError(fmt::format("errors '{}' are not known to this version", errors.kind));
  if (!(tolerance > 0 && tolerance <= 1) || (from_file && errors.basis.rows() != samples.cols()) ||
      (errors.kind == "rotation" && !is_orthonormal(errors.basis)) ||
      (scale.size() != 0 && (scale.size() != samples.rows() || !(scale.array() > 0).all())))
    throw IoError("the arrays of the map do not fit together");
  return std::make_shared<SparseCoder>(std::move(samples), std::move(errors), archive.number("unit_norm") != 0,
                                       tolerance, std::move(scale));
}

}  // namespace foldout
