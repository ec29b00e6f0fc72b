// SPDX-License-Identifier: Apache-2.0
// The largest pairs of a symmetric operator by implicitly restarted Lanczos (Spectra).
#include <Spectra/SymEigsSolver.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "foldout/core/error.h"
#include "foldout/core/parallel.h"
#include "foldout/core/random.h"
#include "foldout/linalg/eigenpairs.h"
#include "linalg/blas.h"

namespace foldout {
namespace {

// x ↦ P A P x, P the projector off the deflated vectors.
class DeflatedOperator {
 public:
  using Scalar = double;
  DeflatedOperator(const SymmetricProduct& product, Index n, const ColMatrix& deflate, const RunContext& context)
      : product_(product), n_(n), deflate_(deflate), context_(context), x_(n) {}

  [[nodiscard]] Index rows() const { return n_; }
  [[nodiscard]] Index cols() const { return n_; }
  void perform_op(const double* x, double* y) const {
    x_ = Eigen::Map<const Vector>(x, n_);
    project(x_);
    product_(x_.data(), y);
    project(Eigen::Map<Vector>(y, n_));
    if (++applications_ % 16 == 0) context_.tick("eigenvectors", 0);
  }
  void project(Eigen::Ref<Vector> x) const {
    if (deflate_.cols() > 0) x -= deflate_ * (deflate_.transpose() * x).eval();
  }
  [[nodiscard]] Index applications() const { return applications_; }

 private:
  const SymmetricProduct& product_;
  Index n_;
  const ColMatrix& deflate_;
  const RunContext& context_;
  mutable Vector x_;
  mutable Index applications_ = 0;
};

constexpr Index kMaxRestarts = 300;

}  // namespace

Eigenpairs largest_eigenpairs(const SymmetricProduct& product, Index n, double norm, const ColMatrix& deflate,
                              const EigenOptions& options, const RunContext& context) {
  const Index k = options.n_pairs;
  const Index wanted = options.basis > 0 ? options.basis : std::max<Index>(2 * k + 10, 20);
  const Index basis = std::min(n - deflate.cols(), wanted);
  if (k >= basis)
    throw InvalidArgument(fmt::format("{} eigenpairs of a {}×{} operator are too many for Lanczos", k, n, n));
  DeflatedOperator op(product, n, deflate, context);
  Spectra::SymEigsSolver<DeflatedOperator> solver(op, k, basis);
  Vector start = Rng(options.seed).normal_vector(n);
  op.project(start);
  solver.init(start.data());
  const double inner_tolerance = std::clamp(options.tolerance * 1e-3, 1e-14, 1e-10);
  const Index converged =
      solver.compute(Spectra::SortRule::LargestAlge, kMaxRestarts, inner_tolerance, Spectra::SortRule::LargestAlge);

  Eigenpairs pairs;
  pairs.solver = "lanczos";
  pairs.values = solver.eigenvalues();
  pairs.vectors = solver.eigenvectors();
  if (converged < k)
    throw NumericalError(fmt::format("Lanczos found {} of {} eigenpairs within {} applications of the operator",
                                     converged, k, op.applications()));
  Vector image(n);
  for (Index j = 0; j < k; ++j) {
    op.perform_op(pairs.vectors.col(j).data(), image.data());
    const double residual = (image - pairs.values[j] * pairs.vectors.col(j)).norm() / norm;
    pairs.residual = std::max(pairs.residual, residual);
  }
  pairs.iterations = op.applications();
  if (!(pairs.residual <= options.tolerance))
    throw NumericalError(fmt::format("Lanczos left a residual of {:.2g}, above the tolerance {:.2g}", pairs.residual,
                                     options.tolerance));
  fix_signs(pairs.vectors);
  context.tick("eigenvectors", 1);
  return pairs;
}

Eigenpairs largest_eigenpairs(const MatrixRef& A, const EigenOptions& options, const RunContext& context) {
  const Index n = A.rows(), k = options.n_pairs;
  constexpr Index kSmall = 400;  // below, LAPACK is at least as fast
  if (options.solver == EigenSolver::kShiftInvert)
    throw InvalidArgument("solver=shift_invert is for sparse problems: use auto, dense or lanczos here");
  if (k > n) throw InvalidArgument(fmt::format("{} eigenpairs of a {}×{} matrix do not exist", k, n, n));
  const bool few = n > kSmall && k <= n / 20;
  if (options.solver == EigenSolver::kLanczos || (options.solver == EigenSolver::kAuto && few)) {
    const SymmetricProduct product = [&](const double* x, double* y) {
      constexpr Index kRows = 512;
      parallel_blocks(n, kRows, context, [&](Index begin, Index end) {
        const BlasGuard guard;
        cblas_dgemv(CblasRowMajor, CblasNoTrans, static_cast<int>(end - begin), static_cast<int>(n), 1.0,
                    A.data() + begin * A.outerStride(), static_cast<int>(A.outerStride()), x, 1, 0.0, y + begin, 1);
      });
    };
    try {
      const double norm = std::max(A.norm() / std::sqrt(static_cast<double>(n)), 1e-300);
      return largest_eigenpairs(product, n, norm, ColMatrix(n, 0), options, context);
    } catch (const NumericalError&) {
      if (options.solver == EigenSolver::kLanczos) throw;
    }
  }
  Eigenpairs pairs = 2 * k > n ? all_eigenpairs(A) : some_eigenpairs(A, n - k, n - 1);
  if (!(pairs.residual <= options.tolerance))
    throw NumericalError(fmt::format("eigenvectors left a residual of {:.2g}, above the tolerance {:.2g}",
                                     pairs.residual, options.tolerance));
  pairs.values = pairs.values.tail(k).reverse().eval();
  pairs.vectors = pairs.vectors.rightCols(k).rowwise().reverse().eval();
  return pairs;
}

}  // namespace foldout
