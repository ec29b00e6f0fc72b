// SPDX-License-Identifier: Apache-2.0
// A sample as an affine combination of its τ nearest atoms, with a penalty on distant ones:
//   min ‖y − Σ_j x_j d_j‖² + λ Σ_j x_j² ‖y − d_j‖² + μ ‖x‖²  subject to  Σ_j x_j = 1,  from
//   (G + λ diag(G) + μI) x ∝ 1,  G_jl = (y − d_j)ᵀ(y − d_l).
// Y. Zhou, K. Barner: Locality Constrained Dictionary Learning for Nonlinear Dimensionality Reduction (2013), Eq. (9).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "neighbors/neighbors.h"

namespace foldout {

struct LocalCodeWeights {
  double locality = 0.1;  ///< λ
  double ridge = 1e-3;    ///< μ, absolute: in the units of a squared distance
};

/// Default μ: a hundredth of the mean squared distance of atoms to their nearest, so that codes do not depend on the
/// unit of the samples; 0 for a single atom.
[[nodiscard]] double usual_ridge(const Matrix& atoms, const RunContext& context = {});

/// The code over rows `neighbors` of `atoms`; returns the value of the minimum above. Finite and with sum one even if
/// the system is singular (μ = 0 and a sample at an atom): the smallest ridge that makes it solvable is then added.
double local_code(const double* sample, const MatrixRef& atoms, std::span<const int> neighbors,
                  const LocalCodeWeights& weights, std::span<double> code);

/// One row of codes per sample.
struct LocalCodes {
  SparseMatrix codes;  ///< samples × atoms, τ entries per row
  Vector costs;        ///< the minimum of each sample
};

class CodeSolver;

/// Codes over a fixed set of atoms; immutable and thread-safe. A row's code does not depend on the other rows.
class LocalCoding {
 public:
  /// `atoms` must outlive this; 1 ≤ tau ≤ number of atoms.
  LocalCoding(const Matrix& atoms, int tau, const LocalCodeWeights& weights);
  [[nodiscard]] LocalCodes code(const MatrixRef& samples, const RunContext& context = {}) const;
  /// Codes for several numbers of atoms, none larger than tau, at little more than the cost of the largest; with each
  /// of several λ, one after another.
  [[nodiscard]] std::vector<LocalCodes> code_for(const MatrixRef& samples, const std::vector<int>& taus,
                                                 const std::vector<double>& localities,
                                                 const RunContext& context = {}) const;

 private:
  // Called with a sample, its nearest atoms and their system.
  using Visit = std::function<void(Index i, std::span<const int> neighbors, CodeSolver& solver)>;
  void visit_all(const MatrixRef& samples, const RunContext& context, const Visit& visit) const;
  void visit_by_search(const MatrixRef& samples, const Visit& visit) const;
  void visit_by_products(const MatrixRef& samples, const Visit& visit) const;

  const Matrix& atoms_;
  int tau_;
  LocalCodeWeights weights_;
  std::unique_ptr<NeighborIndex> index_;
  Matrix centered_, products_;  // centred atoms and their inner products, if codes use them
  Eigen::RowVectorXd mean_;
};

}  // namespace foldout
