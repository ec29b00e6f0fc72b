// SPDX-License-Identifier: Apache-2.0
// A. V. Knyazev: Toward the optimal preconditioned eigensolver: locally optimal block preconditioned conjugate gradient
// method, SIAM J. Sci. Comput. 23 (2001). Every step minimises the Rayleigh quotient over the span of the current
// vectors X, their preconditioned residuals W and the last change P. More vectors than wanted are kept, since
// convergence depends on the gap behind the last of them, and since they would show a pair that was missed.
#include "linalg/lobpcg.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "core/random.h"
#include "foldout/core/error.h"
#include "linalg/aggregation.h"
#include "linalg/multigrid.h"
#include "linalg/products.h"
#include "linalg/sparse_rows.h"

namespace foldout {
namespace {

constexpr double kConverged = 1e-10;  // of a wanted pair: as for shift-invert
constexpr double kSettled = 0.1;      // of the pair after the last wanted one
constexpr double kLocked = 1e-11;     // a residual or change that is only rounding: enlarged, it would spoil the basis
constexpr double kDependent = 1e-6;   // directions that are this near to the others are left out
constexpr int kMaxSteps = 80;

// X, W and P side by side in the rows of S, with `m` columns each, and A S.
class Search {
 public:
  Search(const SparseMatrix& A, const Vector& trivial, const Multigrid& multigrid, Index m, const RunContext& context)
      : A_(A),
        trivial_(trivial),
        multigrid_(multigrid),
        m_(m),
        context_(context),
        S_(Matrix::Zero(A.rows(), 3 * m)),
        AS_(Matrix::Zero(A.rows(), 3 * m)),
        work_(multigrid.workspace(m)) {}

  /// X = an orthonormal basis of the given vectors.
  void start(const Matrix& vectors) {
    set_second([&](Index i, Index c) { return vectors(i, c); });
    minimize(m_, 2 * m_);
  }

  /// W = the preconditioned residuals of X; returns their lengths.
  [[nodiscard]] Vector precondition_residuals() {
    multigrid_.apply(work_, m_, context_);
    const float* x = work_[0].X.data();
    return set_second([&](Index i, Index c) { return static_cast<double>(x[i * m_ + c]); });
  }

  /// X = the best vectors of the span of X, W and P.
  void step() {
    minimize(0, has_change_ ? 3 * m_ : 2 * m_);
    has_change_ = true;
  }

  [[nodiscard]] const Vector& values() const { return values_; }
  [[nodiscard]] auto vectors() const { return S_.leftCols(m_); }

 private:
  static constexpr Index kBlock = 4096;  // rows, few enough for the cache

  // Σ over blocks of rows of part(begin, end), in order.
  template <class Part>
  [[nodiscard]] Matrix sum_of(Index rows, Index columns, const Part& part) const {
    std::vector<Matrix> parts(static_cast<std::size_t>((A_.rows() + kBlock - 1) / kBlock));
    parallel_blocks(A_.rows(), kBlock, context_, [&](Index begin, Index end) {
      parts[static_cast<std::size_t>(begin / kBlock)] = part(begin, end);
    });
    Matrix sum = Matrix::Zero(rows, columns);
    for (const Matrix& p : parts) sum += p;
    return sum;
  }

  // W = the given entries, without their parts along the trivial vector and X and with columns of unit length. Returns
  // the lengths before. What lies along X is rounding, of which the preconditioner enlarges the smooth part.
  template <class Entry>
  Vector set_second(const Entry& entry) {
    const Matrix sums = sum_of(m_ + 2, m_, [&](Index begin, Index end) {
      Matrix part = Matrix::Zero(m_ + 2, m_);
      for (Index i = begin; i < end; ++i)
        for (Index c = 0; c < m_; ++c) {
          const double w = entry(i, c);
          for (Index r = 0; r < m_; ++r) part(r, c) += S_(i, r) * w;
          part(m_, c) += trivial_[i] * w;
          part(m_ + 1, c) += w * w;
        }
      return part;
    });
    const auto along = sums.topRows(m_ + 1);
    Vector lengths = (sums.row(m_ + 1) - along.colwise().squaredNorm()).cwiseMax(0).cwiseSqrt();
    const Vector scale = lengths.unaryExpr([](double length) { return length > kLocked ? 1 / length : 0.0; });
    parallel_blocks(A_.rows(), kBlock, context_, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        for (Index c = 0; c < m_; ++c) {
          double w = entry(i, c) - trivial_[i] * along(m_, c);
          for (Index r = 0; r < m_; ++r) w -= S_(i, r) * along(r, c);
          S_(i, m_ + c) = w * scale[c];
        }
    });
    return lengths;
  }

  // Rayleigh-Ritz in the span of columns begin … end−1 of S, of which A W is computed here; and the residuals of X.
  void minimize(Index begin, Index end) {
    const Index width = end - begin;
    const Matrix grams = sum_of(width, 2 * width, [&](Index from, Index to) {
      for_products(rows_of(A_), S_.data() + m_, m_, S_.cols(), from, to,
                   [&](Index i, const double* product) { std::copy_n(product, m_, AS_.data() + i * AS_.cols() + m_); });
      const auto S = S_.block(from, begin, to - from, width);
      Matrix both(width, 2 * width);
      both << transposed_multiply(S, S), transposed_multiply(S, AS_.block(from, begin, to - from, width));
      return both;
    });
    const Matrix C = best_combinations(grams.leftCols(width), grams.rightCols(width), begin == 0);
    float* residual = work_[0].F.data();
    parallel_blocks(A_.rows(), kBlock, context_, [&](Index from, Index to) {
      for (Matrix* M : {&S_, &AS_}) {
        const Matrix combined = multiply(M->block(from, begin, to - from, width), C);
        M->block(from, 0, to - from, m_) = combined.leftCols(m_);
        M->block(from, 2 * m_, to - from, m_) = combined.rightCols(m_);
      }
      for (Index i = from; i < to; ++i)
        for (Index c = 0; c < m_; ++c) residual[i * m_ + c] = static_cast<float>(AS_(i, c) - values_[c] * S_(i, c));
    });
  }

  // The coefficients of the new X and of the new P, which together span X and the part of X that is not in the old one:
  // orthonormal, after U. Hetmaniuk and R. Lehoucq: Basis selection in LOBPCG, J. Comput. Phys. 218 (2006).
  [[nodiscard]] Matrix best_combinations(const Matrix& G, const Matrix& H, bool has_old) {
    const Matrix T = independent_columns(G);
    ColMatrix small = T.transpose() * (H + H.transpose()) * T / 2;
    Vector values;
    small_eigen(small, values);
    if (values.size() < m_) throw NumericalError("the search space of LOBPCG has collapsed");
    values_ = values.head(m_);
    Matrix C = Matrix::Zero(G.rows(), 2 * m_);
    C.leftCols(m_) = T * small.leftCols(m_);
    if (!has_old) return C;
    Matrix change = C.leftCols(m_);
    change.topRows(m_).setZero();
    ColMatrix basis(T.cols(), 2 * m_);  // in coordinates along T
    basis.leftCols(m_) = small.leftCols(m_);
    Index filled = m_;
    for (Index c = 0; c < m_; ++c) {
      Vector y = T.transpose() * (G * change.col(c));
      const double before = y.norm();
      for (int pass = 0; pass < 2; ++pass)
        y -= basis.leftCols(filled) * (basis.leftCols(filled).transpose() * y).eval();
      const double after = y.norm();
      if (after <= kLocked || after <= kDependent * before) continue;
      basis.col(filled++) = y / after;
    }
    C.middleCols(m_, filled - m_) = T * basis.middleCols(m_, filled - m_);
    return C;
  }

  // T with Tᵀ G T = I for as many columns as are independent up to rounding.
  [[nodiscard]] static Matrix independent_columns(const Matrix& G) {
    const Vector scale = G.diagonal().unaryExpr([](double square) { return square > 0 ? 1 / std::sqrt(square) : 0.0; });
    ColMatrix U = scale.asDiagonal() * (G + G.transpose()) * scale.asDiagonal() / 2;
    Vector squares;
    small_eigen(U, squares);
    const Index kept = (squares.array() > kDependent).count();
    return scale.asDiagonal() * U.rightCols(kept) * squares.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  }

  const SparseMatrix& A_;
  const Vector& trivial_;
  const Multigrid& multigrid_;
  Index m_;
  const RunContext& context_;
  Matrix S_, AS_;
  std::vector<Multigrid::Work> work_;
  Vector values_;
  bool has_change_ = false;
};

// The eigenvectors of a coarse level, interpolated, and at least one random vector, which contains what they lack.
Matrix first_vectors(const Multigrid& multigrid, Index n, Index m, const EigenOptions& options,
                     const RunContext& context) {
  Rng rng(options.seed);
  Matrix vectors(n, m);
  const Index known = std::min(m - 1, multigrid.coarse_matrix().rows() / 5);
  for (Index i = 0; i < n; ++i)
    for (Index c = known; c < m; ++c) vectors(i, c) = rng.uniform(-1, 1);
  if (known == 0) return vectors;
  const EigenOptions coarse{.n_pairs = known, .solver = EigenSolver::kShiftInvert, .seed = options.seed};
  const ColMatrix trivial = multigrid.coarse_near_null().normalized();
  vectors.leftCols(known) =
      multigrid.interpolated(smallest_eigenpairs(multigrid.coarse_matrix(), trivial, coarse, context).vectors, context);
  return vectors;
}

// Vectors of a block: one more than wanted, and a multiple of what a product processes at once.
Index block_width(Index n_pairs) { return (n_pairs + 4) / 4 * 4; }

}  // namespace

double lobpcg_bytes(const SparseMatrix& A, Index n_pairs) {
  constexpr double kPerEntry = 12 + 4 + 12;     // A in another order, in single precision, and a product during set-up
  constexpr double kPerVector = 6 * 8 + 4 * 4;  // S and A S, and four of a multigrid cycle
  constexpr double kCoarser = 1.2;
  return kCoarser * (kPerEntry * static_cast<double>(A.nonZeros()) +
                     kPerVector * static_cast<double>(A.rows() * block_width(n_pairs)));
}

std::optional<Eigenpairs> lobpcg(const SparseMatrix& given, const ColMatrix& deflate, const EigenOptions& options,
                                 const RunContext& context) {
  const Index n = given.rows(), k = options.n_pairs, m = block_width(k);
  if (deflate.cols() != 1 || 10 * m > n || !(deflate.cwiseAbs().minCoeff() > 0)) return {};
  const std::vector<int> order = breadth_first_order(given);
  const SparseMatrix A = in_order(given, order, context);
  const Vector trivial = deflate(order, 0);
  const auto multigrid = Multigrid::make(A, trivial, context);
  if (!multigrid) return {};
  Search search(A, trivial, *multigrid, m, context);
  search.start(first_vectors(*multigrid, n, m, options, context));
  for (int step = 1; step <= kMaxSteps; ++step) {
    const Vector lengths = search.precondition_residuals();
    context.tick("eigenvectors", 0);
    if (lengths.head(k).maxCoeff() <= kConverged && lengths[k] <= kSettled) {
      Eigenpairs pairs;
      pairs.values = search.values().head(k);
      pairs.vectors.resize(n, k);
      for (Index p = 0; p < n; ++p)
        pairs.vectors.row(order[static_cast<std::size_t>(p)]) = search.vectors().row(p).head(k);
      pairs.iterations = step;
      return pairs;
    }
    search.step();
  }
  return {};
}

}  // namespace foldout
