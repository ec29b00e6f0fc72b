// SPDX-License-Identifier: Apache-2.0
// P. Vaněk, J. Mandel, M. Brezina: Algebraic multigrid by smoothed aggregation for second and fourth order elliptic
// problems, Computing 56 (1996), with Chebyshev smoothing as in M. Adams, M. Brezina, J. Hu, R. Tuminaro: Parallel
// multigrid smoothing, J. Comput. Phys. 188 (2003). An eigensolver corrects what the cycle leaves, so single precision
// is enough for it and halves the memory traffic.
#include "linalg/multigrid.h"

#include <algorithm>
#include <cmath>

#include "linalg/aggregation.h"
#include "linalg/eigenpairs.h"
#include "linalg/sparse_rows.h"

namespace foldout {
namespace {

using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Index kLast = 300;      // nodes of the coarsest level, whose pseudoinverse is dense
constexpr Index kCoarse = 20000;  // nodes at most of the level on which eigenvectors are guessed

// A bound on the eigenvalues of D⁻¹A after Gershgorin: 2 for the Laplacian of a graph. An estimate by the power method
// misses the eigenvectors of strongly coupled pairs of nodes, which have few entries, and the smoother would diverge.
double spectral_bound(const SparseMatrix& A, const Vector& diagonal, const Vector& near_null) {
  double bound = 0;
  for (Index i = 0; i < A.rows(); ++i) {
    double sum = 0;
    for (SparseMatrix::InnerIterator it(A, i); it; ++it) sum += std::abs(it.value() * near_null[it.col()]);
    bound = std::max(bound, sum / std::abs(diagonal[i] * near_null[i]));
  }
  return bound;
}

// P = (I − 4/3 (ρ D)⁻¹ A) T, T the piecewise near-null vector with columns of unit length.
SparseMatrix interpolation(const SparseMatrix& A, const Vector& diagonal, double rho, const Aggregates& aggregates,
                           const Vector& near_null, const Vector& lengths, const RunContext& context) {
  const double damping = 4 / (3 * rho);
  const auto aggregate_of = [&](Index j) { return aggregates.of[static_cast<std::size_t>(j)]; };
  const auto tentative = [&](Index j) { return near_null[j] / lengths[aggregate_of(j)]; };
  return matrix_of_rows(A.rows(), aggregates.count, context, [&](Index i, RowSum& row) {
    row.add(aggregate_of(i), tentative(i));
    for (SparseMatrix::InnerIterator it(A, i); it; ++it)
      row.add(aggregate_of(it.col()), -damping / diagonal[i] * it.value() * tentative(it.col()));
  });
}

Matrix pseudoinverse(const SparseMatrix& A) {
  const Eigenpairs pairs = all_eigenpairs(ColMatrix(A));
  const double least = 1e-10 * std::max(pairs.values.cwiseAbs().maxCoeff(), 1e-300);
  const Vector inverse = pairs.values.unaryExpr([&](double value) { return value > least ? 1 / value : 0.0; });
  return pairs.vectors * inverse.asDiagonal() * pairs.vectors.transpose();
}

}  // namespace

Multigrid::Rows Multigrid::Rows::of_pattern(const SparseMatrix& A) {
  Rows rows;
  rows.count = A.rows();
  rows.first = A.outerIndexPtr();
  rows.column = A.innerIndexPtr();
  rows.value.assign(A.valuePtr(), A.valuePtr() + A.nonZeros());
  return rows;
}

Multigrid::Rows Multigrid::Rows::copied(const SparseMatrix& A) {
  Rows rows = of_pattern(A);
  rows.own_first.assign(rows.first, rows.first + A.rows() + 1);
  rows.own_column.assign(rows.column, rows.column + A.nonZeros());
  rows.first = rows.own_first.data();
  rows.column = rows.own_column.data();
  return rows;
}

std::optional<Multigrid> Multigrid::make(const SparseMatrix& given, const Vector& near_null,
                                         const RunContext& context) {
  constexpr double kMostNodes = 0.5, kMostEntries = 0.75;  // of a coarser level
  Multigrid result;
  SparseMatrix coarse;
  Vector b = near_null;
  const SparseMatrix* A = &given;
  double entries = 0;
  while (A->rows() > kLast) {
    const Vector diagonal = diagonal_of(*A);
    if (!(diagonal.minCoeff() > 0)) return {};
    const Aggregates aggregates = aggregate(*A);
    if (static_cast<double>(aggregates.count) > kMostNodes * static_cast<double>(A->rows())) return {};
    Vector lengths = Vector::Zero(aggregates.count);
    for (Index i = 0; i < A->rows(); ++i) lengths[aggregates.of[static_cast<std::size_t>(i)]] += b[i] * b[i];
    lengths = lengths.cwiseSqrt();
    const double rho = spectral_bound(*A, diagonal, b);
    const SparseMatrix P = interpolation(*A, diagonal, rho, aggregates, b, lengths, context);
    const SparseMatrix R = transposed(P);
    SparseMatrix next = sparse_product(R, sparse_product(*A, P, context), context);
    if (static_cast<double>(next.nonZeros()) > kMostEntries * static_cast<double>(A->nonZeros()) && next.rows() > kLast)
      return {};
    entries += static_cast<double>(A->nonZeros());
    Level level;
    level.A = A == &given ? Rows::of_pattern(*A) : Rows::copied(*A);
    level.from_coarse = Rows::copied(P);
    level.to_coarse = Rows::copied(R);
    level.inverse_diagonal.resize(static_cast<std::size_t>(A->rows()));
    for (Index i = 0; i < A->rows(); ++i)
      level.inverse_diagonal[static_cast<std::size_t>(i)] = static_cast<float>(1 / diagonal[i]);
    level.bound = static_cast<float>(rho);
    result.levels_.push_back(std::move(level));
    coarse.swap(next);
    A = &coarse;
    b = lengths;
    if (result.coarse_.level == 0 && coarse.rows() <= kCoarse)
      result.coarse_ = {result.levels_.size(), coarse, lengths};
    context.tick("eigenvectors", 0);
  }
  if (result.levels_.empty()) return {};
  result.complexity_ = (entries + static_cast<double>(coarse.nonZeros())) / static_cast<double>(given.nonZeros());
  result.last_ = pseudoinverse(coarse);
  return result;
}

std::vector<Multigrid::Work> Multigrid::workspace(Index width) const {
  std::vector<Work> work(levels_.size() + 1);
  for (std::size_t l = 0; l < work.size(); ++l) {
    const Index rows = l < levels_.size() ? levels_[l].A.count : last_.rows();
    const auto size = static_cast<std::size_t>(rows * width);
    work[l].F.resize(size);
    work[l].X.resize(size);
    if (l == levels_.size()) continue;
    work[l].D.resize(size);
    work[l].E.resize(size);
  }
  return work;
}

void Multigrid::cycle(std::vector<Work>& work, Index width, const RunContext& context, std::size_t at) const {
  float *f = work[at].F.data(), *x = work[at].X.data(), *d = work[at].D.data(), *e = work[at].E.data();
  if (at == levels_.size()) {
    const Eigen::Map<const FloatRows> F(f, last_.rows(), width);
    Eigen::Map<FloatRows>(x, last_.rows(), width) = (last_ * F.cast<double>()).cast<float>();
    return;
  }
  const Level& level = levels_[at];
  const auto A = level.A.view();
  const float* inverse = level.inverse_diagonal.data();
  // Two steps of Chebyshev on [ρ/20, ρ], before and after the correction by the coarser level.
  const float high = level.bound, low = high / 20, center = (high + low) / 2, half = (high - low) / 2;
  const float ratio = half / center, next = 1 / (2 / ratio - ratio);
  const float first_step = 1 / center, keep = next * ratio, step = 2 * next / half;

  parallel_blocks(A.count, kSparseRows, context, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index c = i * width; c < (i + 1) * width; ++c) d[c] = first_step * inverse[i] * f[c];
  });
  for_each_product(A, d, width, context, [=](Index i, const float* product) {
    for (Index c = i * width; c < (i + 1) * width; ++c) {
      f[c] -= *product++;
      e[c] = keep * d[c] + step * inverse[i] * f[c];
      x[c] = d[c] + e[c];
    }
  });
  const auto subtract_from_residual = [=](Index i, const float* product) {
    for (Index c = i * width; c < (i + 1) * width; ++c) f[c] -= *product++;
  };
  for_each_product(A, e, width, context, subtract_from_residual);

  const auto copy_to = [=](float* to) {
    return [=](Index i, const float* product) { std::copy_n(product, width, to + i * width); };
  };
  for_each_product(level.to_coarse.view(), f, width, context, copy_to(work[at + 1].F.data()));
  cycle(work, width, context, at + 1);
  for_each_product(level.from_coarse.view(), work[at + 1].X.data(), width, context, copy_to(d));

  for_each_product(A, d, width, context, [=](Index i, const float* product) {
    for (Index c = i * width; c < (i + 1) * width; ++c) {
      f[c] -= *product++;
      e[c] = first_step * inverse[i] * f[c];
      x[c] += d[c] + e[c];
    }
  });
  for_each_product(A, e, width, context, [=](Index i, const float* product) {
    for (Index c = i * width; c < (i + 1) * width; ++c) x[c] += keep * e[c] + step * inverse[i] * (f[c] - *product++);
  });
}

Matrix Multigrid::interpolated(Matrix vectors, const RunContext& context) const {
  for (std::size_t l = coarse_.level; l-- > 0;) {
    const Rows& P = levels_[l].from_coarse;
    Matrix finer(P.count, vectors.cols());
    parallel_blocks(P.count, kSparseRows, context, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        finer.row(i).setZero();
        for (int e = P.first[i]; e < P.first[i + 1]; ++e)
          finer.row(i) += static_cast<double>(P.value[static_cast<std::size_t>(e)]) * vectors.row(P.column[e]);
      }
    });
    vectors = std::move(finer);
  }
  return vectors;
}

}  // namespace foldout
