// SPDX-License-Identifier: Apache-2.0
// The smallest pairs of a sparse positive semidefinite matrix, by one of four solvers:
//   dense         LAPACK, for small matrices and for many pairs
//   shift_invert  Lanczos on (A − σI)⁻¹ through a sparse LDLᵀ factor, σ just below 0
//   lanczos       Lanczos on cI − A, without factorisation, c ≥ ‖A‖
//   multigrid     LOBPCG with a multigrid preconditioner, for large Laplacians
// Neighbourhood graphs of low-dimensional data factor with little fill, and shift-invert needs few steps; graphs of
// high-dimensional data fill in, but their spectrum has gaps and plain Lanczos converges quickly. The pattern of the
// factor, which costs little to compute, decides between the two.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/check.h"
#include "core/parallel.h"
#include "core/shared_work.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "linalg/block_lanczos.h"
#include "linalg/eigenpairs.h"
#include "linalg/lobpcg.h"
#include "linalg/sparse_factor.h"
#include "linalg/sparse_rows.h"

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

ColMatrix product(const SparseMatrix& A, const ColMatrix& V, const RunContext& context) {
  ColMatrix AV(A.rows(), V.cols());
  parallel_blocks(A.rows(), kSparseRows, context, [&](Index begin, Index end) {
    for (Index c = 0; c < V.cols(); ++c)
      for (Index i = begin; i < end; ++i) {
        double sum = 0;
        for (SparseMatrix::InnerIterator it(A, i); it; ++it) sum += it.value() * V(it.col(), c);
        AV(i, c) = sum;
      }
  });
  return AV;
}

// Eigenvalues as Rayleigh quotients, residuals on A itself, ascending order, fixed signs.
Eigenpairs finish(const SparseMatrix& A, const ColMatrix& vectors, double norm, const EigenOptions& options,
                  const RunContext& context) {
  const Index k = vectors.cols();
  const ColMatrix AV = product(A, vectors, context);
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
  Eigenpairs pairs =
      finish(A, some_eigenpairs(std::move(dense), 0, options.n_pairs - 1).vectors, norm, options, context);
  pairs.solver = "dense";
  return pairs;
}

// Vectors in a block: wide blocks need more solves in all, but solve for several columns at little more than the cost
// of one, and orthogonalise many vectors by fast products.
Index first_block(const SparseFactor& factor, Index n_pairs) {
  constexpr Index kMany = 64;
  if (factor.fills_in()) return n_pairs > kMany ? 16 : 4;
  return n_pairs > kMany ? 8 : 4;
}

// Block Lanczos, or restarted Lanczos if that does not find the pairs. Residuals of the inverse are relative to its own
// large values; finish() checks those of A.
Eigenpairs largest_of_inverse(Index n, double shift, const ColMatrix& deflate, SparseFactor& factor,
                              const EigenOptions& options, const RunContext& context) {
  EigenOptions inverse = options;
  inverse.tolerance = 1e-10;
  const BlockProduct solve = [&](const auto& X, auto Y) { factor.solve(X, Y, context); };
  if (auto found = block_lanczos(solve, deflate, first_block(factor, options.n_pairs), inverse, context))
    return *std::move(found);
  inverse.tolerance = 1;
  inverse.basis = std::max(2 * options.n_pairs + 1, options.n_pairs + 6);  // large gaps: few steps suffice
  const SymmetricProduct product = [&](const double* x, double* y) {
    factor.solve(Eigen::Map<const ColMatrix>(x, n, 1), Eigen::Map<ColMatrix>(y, n, 1), context);
  };
  return largest_eigenpairs(product, n, 1.0 / shift, deflate, inverse, context);
}

Eigenpairs solve_shift_invert(const SparseMatrix& A, const ColMatrix& deflate, double norm, double shift,
                              SparseFactor& factor, const EigenOptions& options, const RunContext& context) {
  require_memory(factor.bytes(), fmt::format("the sparse factor of {} samples", A.rows()),
                 "set solver=lanczos, or use fewer neighbors", context.memory_limit);
  factor.compute(shift, context);
  const Eigenpairs found = largest_of_inverse(A.rows(), shift, deflate, factor, options, context);
  Eigenpairs pairs = finish(A, found.vectors, norm, options, context);
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
  Eigenpairs pairs = finish(A, found.vectors, norm, options, context);
  pairs.solver = "lanczos";
  pairs.iterations = found.iterations;
  return pairs;
}

std::optional<Eigenpairs> solve_multigrid(const SparseMatrix& A, const ColMatrix& deflate, double norm,
                                          const EigenOptions& options, const RunContext& context) try {
  auto found = lobpcg(A, deflate, options, context);
  if (!found) return {};
  Eigenpairs pairs = finish(A, found->vectors, norm, options, context);
  pairs.solver = "multigrid";
  pairs.iterations = found->iterations;
  return pairs;
} catch (const NumericalError&) {
  return {};
}

// Whether A has no positive entry beside its diagonal, as the Laplacian of a graph.
bool is_laplacian(const SparseMatrix& A) {
  for (Index i = 0; i < A.rows(); ++i)
    for (SparseMatrix::InnerIterator it(A, i); it; ++it)
      if (it.col() != i && it.value() > 0) return false;
  return true;
}

// Measured: a factor of a surface is computed sooner for fewer nodes, and so are its solves for more pairs; chains and
// trees do not fill in at all.
bool multigrid_pays(const SparseMatrix& A, const EigenOptions& options, const RunContext& context) {
  constexpr Index kLarge = 200000, kFewPairs = 12, kEntriesPerRow = 4;
  const double room = context.memory_limit > 0 ? context.memory_limit : available_memory();
  return A.rows() >= kLarge && options.n_pairs <= kFewPairs && A.nonZeros() >= kEntriesPerRow * A.rows() &&
         lobpcg_bytes(A, options.n_pairs) <= room && is_laplacian(A);
}

// What a factor costs in operations of a product with A, which is limited by memory. Measured: dense kernels do twenty
// times as many in a second.
constexpr double kDenseSpeed = 20;

double work_of(const SparseFactor& factor) { return factor.fills_in() ? factor.flops() / kDenseSpeed : factor.flops(); }

double product_work(const SparseMatrix& A, const EigenOptions& options) {
  const double basis = static_cast<double>(2 * options.n_pairs + 10);
  return 2.0 * static_cast<double>(A.nonZeros()) + 4 * basis * static_cast<double>(A.rows());
}

// A spectrum with gaps needs some hundreds of products.
bool is_cheap(double work, const SparseMatrix& A, const EigenOptions& options) {
  return work < 150 * product_work(A, options);
}

// Whether a part of A shows that its factor is out of the question, so that the symbolic phase can be spared.
bool fills_in_by_far(double estimated_work, const SparseMatrix& A, const EigenOptions& options) {
  constexpr double kByFar = 3;  // what an estimate may be wrong by
  return !is_cheap(estimated_work / kByFar, A, options);
}

// Lanczos may take about as long as the factor and its solves would.
Index affordable_products(double work, const SparseMatrix& A, const EigenOptions& options) {
  constexpr double kLeast = 600, kMost = 1e6;
  return static_cast<Index>(std::clamp(2 * work / product_work(A, options), kLeast, kMost));
}

// Shift-invert, or Lanczos where the factor fills in.
Eigenpairs solve_by_fill(const SparseMatrix& A, const ColMatrix& deflate, double norm, const EigenOptions& options,
                         const RunContext& context) {
  const auto by_lanczos = [&](double work) -> std::optional<Eigenpairs> {
    EigenOptions limited = options;
    limited.max_products = affordable_products(work, A, options);
    try {
      return solve_lanczos(A, deflate, norm, limited, context);
    } catch (const NumericalError&) {  // a spectrum without gaps: shift-invert costs more, but converges
      return {};
    }
  };
  constexpr Index kMany = 20000;  // rows from which on an estimate is worth its time
  const bool may_choose = options.solver != EigenSolver::kShiftInvert;
  bool tried = false;
  if (const auto flops = may_choose && A.rows() >= kMany ? estimated_flops(A) : std::nullopt) {
    tried = fills_in_by_far(*flops / kDenseSpeed, A, options);
    if (tried)
      if (auto pairs = by_lanczos(*flops / kDenseSpeed)) return *std::move(pairs);
  }
  SparseFactor factor(A);
  const double fill = factor.fill();
  if (may_choose && !tried && !is_cheap(work_of(factor), A, options))
    if (auto pairs = by_lanczos(work_of(factor))) {
      pairs->fill = fill;
      return *std::move(pairs);
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
  const bool multigrid_asked_for = options.solver == EigenSolver::kMultigrid;
  if (multigrid_asked_for || (options.solver == EigenSolver::kAuto && multigrid_pays(A, options, context))) {
    if (multigrid_asked_for)
      require_memory(lobpcg_bytes(A, k), fmt::format("the multigrid method for {} samples", n),
                     "ask for fewer components, or set solver=shift_invert", context.memory_limit);
    if (auto pairs = solve_multigrid(A, deflate, norm, options, context)) return *std::move(pairs);
  }
  Eigenpairs pairs = solve_by_fill(A, deflate, norm, options, context);
  pairs.replaced |= multigrid_asked_for;
  return pairs;
}

}  // namespace foldout
