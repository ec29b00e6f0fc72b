// SPDX-License-Identifier: Apache-2.0
// The largest pairs of a symmetric operator by implicitly restarted Lanczos (Spectra). It starts from one vector, which
// contains only one vector of every eigenspace; only rounding can reveal other copies of a repeated eigenvalue. The
// orthogonal complement of the pairs found is therefore searched again, until no eigenvalue above the last remains.
#include <Spectra/SymEigsSolver.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "core/parallel.h"
#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "linalg/blas.h"
#include "linalg/eigenpairs.h"

namespace foldout {
namespace {

// x ↦ P A P x, P the projector onto the orthogonal complement of the deflated vectors.
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

Eigenpairs restarted_lanczos(DeflatedOperator& op, Index k, Index basis, double tolerance, std::uint64_t seed,
                             Index max_products = 0) {
  Index max_restarts = 300;
  // A restart keeps some of the vectors that are not wanted, and adds about half of the difference.
  if (max_products > 0) max_restarts = std::clamp<Index>(2 * max_products / (basis - k), 1, max_restarts);
  Spectra::SymEigsSolver<DeflatedOperator> solver(op, k, basis);
  Vector start = Rng(seed).normal_vector(op.rows());
  op.project(start);
  Index converged = 0;
  try {
    solver.init(start.data());
    converged = solver.compute(Spectra::SortRule::LargestAlge, max_restarts, tolerance, Spectra::SortRule::LargestAlge);
  } catch (const Cancelled&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // Spectra reports breakdowns by exceptions of its own
    throw NumericalError(fmt::format("Lanczos broke down: {}", error.what()));
  }
  if (converged < k)
    throw NumericalError(fmt::format("Lanczos found {} of {} eigenpairs within {} applications of the operator",
                                     converged, k, op.applications()));
  Eigenpairs pairs;
  pairs.values = solver.eigenvalues();
  pairs.vectors = solver.eigenvectors();
  return pairs;
}

// The number of distinct eigenvalues above the bound that a few Lanczos steps find. The steps end early once the
// largest Ritz value exceeds the bound or has converged below it.
Index count_above(double bound, const DeflatedOperator& op, Index steps, std::uint64_t seed) {
  constexpr Index kBetweenLooks = 8;
  ColMatrix Q(op.rows(), steps), T = ColMatrix::Zero(steps, steps), S;
  Vector next = Rng(seed).normal_vector(op.rows()), values;
  op.project(next);
  double length = next.norm();
  for (Index m = 1; m <= steps && length > 0; ++m) {
    Q.col(m - 1) = next / length;
    if (m > 1) T(m - 1, m - 2) = T(m - 2, m - 1) = length;
    op.perform_op(Q.col(m - 1).data(), next.data());
    T(m - 1, m - 1) = Q.col(m - 1).dot(next);
    const double before = next.norm();
    for (int twice = 0; twice < 2; ++twice) next -= Q.leftCols(m) * (Q.leftCols(m).transpose() * next).eval();
    length = next.norm();
    if (length <= 1e-10 * before) length = 0;  // nothing new
    if (m % kBetweenLooks != 0 && m < steps && length > 0) continue;
    S = T.topLeftCorner(m, m);
    small_eigen(S, values);  // ascending
    const double largest = values[m - 1], residual = length * std::abs(S(m - 1, m - 1));
    if (largest > bound) return (values.array() > bound).count();
    if (residual < 0.1 * (bound - largest)) return 0;
  }
  return 0;
}

ColMatrix joined(const ColMatrix& A, const ColMatrix& B) {
  ColMatrix both(A.rows(), A.cols() + B.cols());
  both << A, B;
  return both;
}

// The k largest of both.
Eigenpairs largest_of(const Eigenpairs& found, const Eigenpairs& more, Index k) {
  Vector values(found.values.size() + more.values.size());
  values << found.values, more.values;
  const ColMatrix vectors = joined(found.vectors, more.vectors);
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](Index j) { return values[j]; });
  order.resize(static_cast<std::size_t>(k));
  Eigenpairs pairs;
  pairs.values = values(order);
  pairs.vectors = vectors(Eigen::all, order);
  return pairs;
}

// The largest ‖A v − θ v‖ / scale(θ) of the pairs.
template <class Scale>
double residual_of(const Eigenpairs& pairs, const DeflatedOperator& op, Scale scale) {
  double most = 0;
  Vector image(op.rows());
  for (Index j = 0; j < pairs.values.size(); ++j) {
    op.perform_op(pairs.vectors.col(j).data(), image.data());
    const double residual = (image - pairs.values[j] * pairs.vectors.col(j)).norm();
    most = std::max(most, residual / scale(pairs.values[j]));
  }
  return most;
}

Index basis_for(Index n_pairs) { return std::max<Index>(2 * n_pairs + 10, 20); }

// Replaces the last pairs by larger ones that were missed. Returns the number of products used.
Index complete(Eigenpairs& pairs, const SymmetricProduct& product, const ColMatrix& deflate, const DeflatedOperator& op,
               double tolerance, std::uint64_t seed, const RunContext& context) {
  constexpr double kRounding = 1e-12, kMoreThanRounding = 1e-9, kDrowned = 1e-6;
  constexpr Index kSteps = 40, kStepsIfSpread = 16;  // well-separated values converge soon
  const Index n = op.rows(), k = pairs.values.size(), room = n - deflate.cols() - k;
  Index products = 0;
  while (room > 1) {
    const ColMatrix known = joined(deflate, pairs.vectors);
    DeflatedOperator rest(product, n, known, context);
    const double last = pairs.values[k - 1];
    const double bound = last + kMoreThanRounding * std::abs(last) + kRounding * std::abs(pairs.values[0]);
    const Index steps = std::min(room, pairs.values[0] > 2 * last ? kStepsIfSpread : kSteps);
    const Index missing = std::min(count_above(bound, rest, steps, ++seed), k);
    Eigenpairs more;
    if (missing > 0) {
      const Index basis = std::min(room, basis_for(missing));
      more = restarted_lanczos(rest, std::min(missing, basis - 1), basis, tolerance, seed);
    }
    products += rest.applications();
    if (missing == 0 || more.values[0] <= bound) break;
    if (!(residual_of(more, op, [](double value) { return std::abs(value); }) <= kDrowned))
      throw NumericalError("the largest eigenvalues of the operator swamp others that are wanted");
    pairs = largest_of(pairs, more, k);
  }
  return products;
}

}  // namespace

Eigenpairs largest_eigenpairs(const SymmetricProduct& product, Index n, double norm, const ColMatrix& deflate,
                              const EigenOptions& options, const RunContext& context) {
  const Index k = options.n_pairs;
  const Index basis = std::min(n - deflate.cols(), options.basis > 0 ? options.basis : basis_for(k));
  if (k >= basis)
    throw InvalidArgument(
        fmt::format("{} eigenpairs of a {}×{} operator are too many for Lanczos: use solver=dense", k, n, n));
  const double inner_tolerance = std::clamp(options.tolerance * 1e-3, 1e-14, 1e-10);
  DeflatedOperator op(product, n, deflate, context);
  Eigenpairs pairs = restarted_lanczos(op, k, basis, inner_tolerance, options.seed, options.max_products);
  const Index more = complete(pairs, product, deflate, op, inner_tolerance, options.seed, context);
  pairs.solver = "lanczos";
  pairs.residual = residual_of(pairs, op, [&](double) { return norm; });
  pairs.iterations = op.applications() + more;
  if (!(pairs.residual <= options.tolerance))
    throw NumericalError(
        fmt::format("Lanczos left a residual of {:.2g}, above the tolerance {:.2g}: use another solver", pairs.residual,
                    options.tolerance));
  fix_signs(pairs.vectors);
  context.tick("eigenvectors", 1);
  return pairs;
}

Eigenpairs largest_eigenpairs(const MatrixRef& A, const EigenOptions& options, const RunContext& context) {
  const Index n = A.rows(), k = options.n_pairs;
  constexpr Index kSmall = 400;  // up to here LAPACK is at least as fast
  if (options.solver == EigenSolver::kShiftInvert || options.solver == EigenSolver::kMultigrid)
    throw InvalidArgument(
        fmt::format("solver={} is for sparse problems: use auto, dense or lanczos here", name_of(options.solver)));
  if (k > n) throw InvalidArgument(fmt::format("{} eigenpairs of a {}×{} matrix do not exist", k, n, n));
  const bool few = n > kSmall && k <= n / 20;
  bool replaced = false;
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
      replaced = options.solver == EigenSolver::kLanczos;
    }
  }
  Eigenpairs pairs = 2 * k > n ? all_eigenpairs(A) : some_eigenpairs(A, n - k, n - 1);
  if (!(pairs.residual <= options.tolerance))
    throw NumericalError(
        fmt::format("eigenvectors left a residual of {:.2g}, above the tolerance {:.2g}: the samples are too nearly "
                    "alike for this method; preprocess them, or use more neighbours",
                    pairs.residual, options.tolerance));
  pairs.replaced = replaced;
  pairs.values = pairs.values.tail(k).reverse().eval();
  pairs.vectors = pairs.vectors.rightCols(k).rowwise().reverse().eval();
  return pairs;
}

}  // namespace foldout
