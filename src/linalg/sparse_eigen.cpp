// SPDX-License-Identifier: Apache-2.0
// The smallest pairs of a sparse positive semidefinite matrix, by one of three solvers:
//   dense         LAPACK, for small matrices and for many pairs
//   shift_invert  Lanczos on (A − σI)⁻¹ through a sparse LDLᵀ factor, σ just below 0
//   lanczos       Lanczos on cI − A, without factorisation, c ≥ ‖A‖
// Neighbourhood graphs of low-dimensional data factor with little fill, and shift-invert needs few steps; graphs of
// high-dimensional data fill in, but their spectrum has gaps and plain Lanczos converges quickly. The pattern of the
// factor, which costs little to compute, decides between the two.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/parallel.h"
#include "core/shared_work.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "linalg/block_lanczos.h"
#include "linalg/eigenpairs.h"
#include "linalg/sparse_factor.h"

namespace foldout {
namespace {

double infinity_norm(const SparseMatrix& A) {
  double norm = 0;
  for (Index i = 0; i < A.rows(); ++i) {
    double sum = 0;
    for (SparseMatrix::InnerIterator it(A, i); it; ++it) sum += std::abs(it.value());
    norm = std::max(norm, sum);
  }
  return norm;
}

// Eigenvalues as Rayleigh quotients, residuals on A itself, ascending order, fixed signs.
Eigenpairs finish(const SparseMatrix& A, ColMatrix vectors, double norm, const EigenOptions& options) {
  const Index k = vectors.cols();
  const ColMatrix AV = A * vectors;
  const Vector values = (vectors.cwiseProduct(AV)).colwise().sum();
  std::vector<Index> order(static_cast<std::size_t>(k));
  for (Index j = 0; j < k; ++j) order[static_cast<std::size_t>(j)] = j;
  std::ranges::stable_sort(order, {}, [&](Index j) { return values[j]; });
  Eigenpairs pairs;
  pairs.values.resize(k);
  pairs.vectors.resize(vectors.rows(), k);
  for (Index j = 0; j < k; ++j) {
    const Index from = order[static_cast<std::size_t>(j)];
    pairs.values[j] = values[from];
    pairs.vectors.col(j) = vectors.col(from);
    pairs.residual = std::max(pairs.residual, (AV.col(from) - values[from] * vectors.col(from)).norm() / norm);
  }
  if (!(pairs.residual <= options.tolerance))
    throw NumericalError(
        fmt::format("eigenvectors left a residual of {:.2g}, above the tolerance {:.2g}: the samples are too nearly "
                    "alike for this method; preprocess them, or use more neighbours",
                    pairs.residual, options.tolerance));
  fix_signs(pairs.vectors);
  return pairs;
}

Eigenpairs solve_dense(const SparseMatrix& A, const ColMatrix& deflate, double norm, const EigenOptions& options,
                       const RunContext& context) {
  require_memory(3.0 * 8 * static_cast<double>(A.rows()) * static_cast<double>(A.rows()),
                 fmt::format("the dense eigenproblem of {} samples", A.rows()),
                 "ask for fewer components or samples, or set solver=shift_invert", context.memory_limit);
  ColMatrix dense = A;
  dense += 2 * norm * deflate * deflate.transpose();  // lifts the deflated vectors above all others
  Eigenpairs pairs = finish(A, some_eigenpairs(std::move(dense), 0, options.n_pairs - 1).vectors, norm, options);
  pairs.solver = "dense";
  return pairs;
}

// Block Lanczos for a few pairs, since solving for several columns costs little more than for one; restarted Lanczos
// for many, and if block Lanczos fails. Residuals of the inverse are relative to its own large values; finish() checks
// those of A.
Eigenpairs largest_of_inverse(Index n, double shift, const ColMatrix& deflate, SparseFactor& factor,
                              const EigenOptions& options, const RunContext& context) {
  EigenOptions inverse = options;
  inverse.tolerance = 1e-10;
  const BlockProduct solve = [&](const auto& X, auto Y) { factor.solve(X, Y); };
  if (auto found = block_lanczos(solve, deflate, inverse, context)) return *std::move(found);
  inverse.tolerance = 1;
  inverse.basis = std::max(2 * options.n_pairs + 1, options.n_pairs + 6);  // large gaps: few steps suffice
  const SymmetricProduct product = [&](const double* x, double* y) {
    factor.solve(Eigen::Map<const ColMatrix>(x, n, 1), Eigen::Map<ColMatrix>(y, n, 1));
  };
  return largest_eigenpairs(product, n, 1.0 / shift, deflate, inverse, context);
}

Eigenpairs solve_shift_invert(const SparseMatrix& A, const ColMatrix& deflate, double norm, double shift,
                              SparseFactor& factor, const EigenOptions& options, const RunContext& context) {
  require_memory(16 * factor.fill(), fmt::format("the sparse factor of {} samples", A.rows()),
                 "set solver=lanczos, or use fewer neighbors", context.memory_limit);
  factor.compute(shift);
  const Eigenpairs found = largest_of_inverse(A.rows(), shift, deflate, factor, options, context);
  Eigenpairs pairs = finish(A, found.vectors, norm, options);
  pairs.solver = "shift_invert";
  pairs.iterations = found.iterations;
  return pairs;
}

Eigenpairs solve_lanczos(const SparseMatrix& A, const ColMatrix& deflate, double norm, const EigenOptions& options,
                         const RunContext& context) {
  const SymmetricProduct product = [&](const double* x, double* y) {
    constexpr Index kRows = 4096;
    parallel_blocks(A.rows(), kRows, context, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        double sum = norm * x[i];
        for (SparseMatrix::InnerIterator it(A, i); it; ++it) sum -= it.value() * x[it.col()];
        y[i] = sum;
      }
    });
  };
  const Eigenpairs found = largest_eigenpairs(product, A.rows(), norm, deflate, options, context);
  Eigenpairs pairs = finish(A, found.vectors, norm, options);
  pairs.solver = "lanczos";
  pairs.iterations = found.iterations;
  return pairs;
}

// Measured: a factor runs at about 1 Gflop/s, and unshifted Lanczos needs some hundreds of products with A.
bool factor_is_cheap(const SparseFactor& factor, const SparseMatrix& A, const EigenOptions& options) {
  const double basis = static_cast<double>(2 * options.n_pairs + 10);
  const double lanczos_flops =
      300 * (2.0 * static_cast<double>(A.nonZeros()) + 4 * basis * static_cast<double>(A.rows()));
  return factor.flops() < std::max(1e9, 8 * lanczos_flops);
}

}  // namespace

Eigenpairs smallest_eigenpairs(const SparseMatrix& A, const ColMatrix& deflate, const EigenOptions& options,
                               const RunContext& context) {
  const Index n = A.rows(), k = options.n_pairs;
  if (k > n - deflate.cols())
    throw InvalidArgument(
        fmt::format("{} eigenpairs were requested, but {} samples have only {}", k, n, n - deflate.cols()));
  if (context.shared)
    if (auto pairs = context.shared->smallest(A, deflate, options, context)) return *std::move(pairs);
  const double norm = std::max(infinity_norm(A), 1e-300);
  constexpr Index kSmall = 250;
  const bool dense_pays = n <= kSmall || 5 * k > n;
  if (options.solver == EigenSolver::kDense || (options.solver == EigenSolver::kAuto && dense_pays))
    return solve_dense(A, deflate, norm, options, context);
  if (k >= n - deflate.cols()) {  // all pairs: too many for Lanczos, with or without a factor
    Eigenpairs pairs = solve_dense(A, deflate, norm, options, context);
    pairs.replaced = true;
    return pairs;
  }
  if (options.solver == EigenSolver::kLanczos) try {
      return solve_lanczos(A, deflate, norm, options, context);
    } catch (const NumericalError&) {
      Eigenpairs pairs = solve_dense(A, deflate, norm, options, context);
      pairs.replaced = true;
      return pairs;
    }

  SparseFactor factor(A);
  const double fill = factor.fill();
  if (options.solver == EigenSolver::kAuto && !factor_is_cheap(factor, A, options)) {
    try {
      Eigenpairs pairs = solve_lanczos(A, deflate, norm, options, context);
      pairs.fill = fill;
      return pairs;
    } catch (const NumericalError&) {
      // A spectrum without gaps: shift-invert costs more, but converges.
    }
  }
  // Just below zero, since the wanted eigenvalues may be as small as 1e-10. If there are null vectors that were not
  // deflated, so small a shift lets them swamp the others; the next larger one is then tried.
  Eigenpairs pairs;
  for (const double shift : {1e-13, 1e-10, 1e-7}) try {
      pairs = solve_shift_invert(A, deflate, norm, shift * norm, factor, options, context);
      pairs.fill = fill;
      return pairs;
    } catch (const NumericalError&) {  // the next shift
    }
  pairs = solve_dense(A, deflate, norm, options, context);  // refuses what does not fit into memory
  pairs.replaced = options.solver == EigenSolver::kShiftInvert;
  pairs.fill = fill;
  return pairs;
}

}  // namespace foldout
