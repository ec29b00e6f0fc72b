// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and eigenvectors of symmetric matrices. Every solver returns sorted pairs, with fixed signs (the entry of
// largest magnitude is positive) and with their residual measured on the original matrix; a pair that did not converge
// is an error, never a silent result.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

struct Eigenpairs {
  Vector values;      ///< ascending for the smallest pairs, descending for the largest
  ColMatrix vectors;  ///< one per column, orthonormal
  double residual = 0;  ///< max_i ‖A v_i − λ_i v_i‖ / ‖A‖ (‖A‖: largest row sum of |A| if sparse, ‖A‖_F/√n if dense)
  std::string solver;     ///< which solver was used: "dense", "shift_invert", "lanczos", "multigrid"
  bool replaced = false;  ///< the solver that was asked for failed
  Index iterations = 0;   ///< applications of the operator, for iterative solvers
  double fill = 0;        ///< entries of the sparse factor, if its pattern was analysed
};

struct EigenOptions {
  Index n_pairs = 1;
  EigenSolver solver = EigenSolver::kAuto;
  double tolerance = 1e-9;  ///< largest residual that counts as converged
  std::uint64_t seed = 0;   ///< of the start vector
  Index basis = 0;          ///< vectors that Lanczos keeps; 0: 2·n_pairs + 10, at least 20
  Index max_products = 0;   ///< after which restarted Lanczos gives up; 0: after 300 restarts
};

/// The smallest pairs of a sparse positive semidefinite matrix, outside the span of the orthonormal columns of
/// `deflate`, which must be eigenvectors (the constant vector of a Laplacian). Chooses between shift-invert with a
/// sparse LDLᵀ factor and Lanczos without factorisation by the fill that the factor would have; small matrices are
/// solved by LAPACK, large Laplacians by LOBPCG with multigrid.
[[nodiscard]] Eigenpairs smallest_eigenpairs(const SparseMatrix& A, const ColMatrix& deflate,
                                             const EigenOptions& options, const RunContext& context = {});

/// The largest pairs of a dense symmetric matrix (all of it is read): Lanczos for a few pairs of a large matrix,
/// LAPACK otherwise.
[[nodiscard]] Eigenpairs largest_eigenpairs(const MatrixRef& A, const EigenOptions& options,
                                            const RunContext& context = {});

/// y = A x for a symmetric A that is known only by its products.
using SymmetricProduct = std::function<void(const double* x, double* y)>;

/// The largest pairs of an operator by restarted Lanczos; `norm` bounds ‖A‖.
[[nodiscard]] Eigenpairs largest_eigenpairs(const SymmetricProduct& product, Index n, double norm,
                                            const ColMatrix& deflate, const EigenOptions& options,
                                            const RunContext& context = {});

/// All pairs of a dense symmetric matrix by LAPACK, ascending.
[[nodiscard]] Eigenpairs all_eigenpairs(ColMatrix A);

/// Pairs first … last (0-based, ascending order) of a dense symmetric matrix by LAPACK.
[[nodiscard]] Eigenpairs some_eigenpairs(ColMatrix A, Index first, Index last);

/// Sets the sign of each column so that its entry of largest magnitude (the first of equals) is positive.
void fix_signs(Eigen::Ref<ColMatrix> vectors);

/// Replaces the symmetric A by its eigenvectors; `values` ascending. For matrices up to some tens of rows.
void small_eigen(ColMatrix& A, Vector& values);

}  // namespace foldout
