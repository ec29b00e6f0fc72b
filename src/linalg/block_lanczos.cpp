// SPDX-License-Identifier: Apache-2.0
// Block Lanczos with full reorthogonalisation: G. H. Golub, R. Underwood: The block Lanczos method for computing
// eigenvalues, Mathematical Software III (1977). After j steps A Q = Q T + Q_next R E_lastᵀ with T block tridiagonal,
// and a Ritz vector Q s has the residual ‖R s_last‖, which is known without another product.
#include "linalg/block_lanczos.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.h"
#include "core/large_pages.h"
#include "core/parallel.h"
#include "core/random.h"
#include "linalg/blas.h"
#include "linalg/eigenpairs.h"
#include "linalg/skinny_products.h"

namespace foldout {
namespace {

constexpr Index kMaxBlock = 16;
constexpr Index kFew = 64;  // pairs for which the small problem is solved after every step

// C = A B for matrices stored by columns.
ColMatrix product_of(const Eigen::Ref<const ColMatrix>& A, const ColMatrix& B) {
  const BlasGuard guard;
  ColMatrix C(A.rows(), B.cols());
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(A.rows()), static_cast<int>(B.cols()),
              static_cast<int>(A.cols()), 1.0, A.data(), static_cast<int>(A.outerStride()), B.data(),
              static_cast<int>(B.rows()), 0.0, C.data(), static_cast<int>(C.rows()));
  return C;
}

// The k largest pairs of T, in descending order.
Eigenpairs largest_of_small(const Eigen::Ref<const ColMatrix>& T, Index k) {
  const Index m = T.rows();
  Eigenpairs pairs;
  if (m > 2 * kFew) {
    pairs = some_eigenpairs(T, m - k, m - 1);
    pairs.values.reverseInPlace();
    pairs.vectors = pairs.vectors.rowwise().reverse().eval();
    return pairs;
  }
  ColMatrix S = T;
  small_eigen(S, pairs.values);  // ascending
  pairs.values = pairs.values.tail(k).reverse().eval();
  pairs.vectors = S.rightCols(k).rowwise().reverse();
  return pairs;
}

// The deflated vectors, then the blocks; W = Q H + W' R when a block W is made orthonormal.
class Basis {
 public:
  Basis(const ColMatrix& deflate, Index block, Index n_blocks, std::uint64_t seed, const RunContext& context)
      : context_(context),
        known_(deflate.cols()),
        size_(known_),
        block_(block),
        Q_(deflate.rows(), known_ + n_blocks * block),
        H_(Q_.cols(), block),
        coefficients_(Q_.cols(), block),
        rng_(seed) {
    prefer_large_pages(Q_.data(), sizeof(double) * static_cast<std::size_t>(Q_.size()));
    Q_.leftCols(known_) = deflate;
  }

  [[nodiscard]] auto next() { return Q_.middleCols(size_, block_); }
  [[nodiscard]] auto last() const { return Q_.middleCols(size_ - block_, block_); }
  [[nodiscard]] auto vectors() const { return Q_.middleCols(known_, size_ - known_); }
  /// Of the block appended last: its coefficients along the block before it, and R.
  [[nodiscard]] auto along_last() const { return H_.middleRows(size_ - 2 * block_, block_); }
  [[nodiscard]] const ColMatrix& rest() const { return R_; }

  void draw_next() {
    for (Index c = 0; c < block_; ++c) draw(size_ + c);
  }

  /// Orthonormalises and appends the next block: first against the last two blocks, to which it is related, then
  /// against all. That is enough unless the block is linearly dependent; random vectors then complete it.
  void append_next() {
    H_.topRows(size_).setZero();
    R_.setIdentity(block_, block_);
    double least = 0;
    constexpr int kPasses = 2, kMaxPasses = 6;
    for (int pass = 0; pass < kPasses || (least < 0.5 && pass < kMaxPasses); ++pass) {
      const Index from = pass == 0 ? std::max<Index>(0, size_ - 2 * block_) : 0;
      project_next(from);
      H_.middleRows(from, size_ - from) += coefficients_.middleRows(from, size_ - from) * R_;
      ColMatrix G = ColMatrix::Zero(block_, block_);
      least = orthonormalize_next(G);
      R_ = (G * R_).eval();
    }
    size_ += block_;
  }

 private:
  void draw(Index column) {
    for (double& entry : Q_.col(column)) entry = rng_.uniform(-1, 1);
  }

  // The block against the vectors from `first` on: coefficients, then differences, each in blocks with fixed borders.
  void project_next(Index first) {
    if (size_ == first) return;
    if (block_ == kSkinny) return project_skinny(first);
    const BlasGuard guard;
    constexpr Index kColumns = 64, kRows = 4096;
    const int n = static_cast<int>(Q_.rows()), m = static_cast<int>(size_ - first), b = static_cast<int>(block_);
    const int ldc = static_cast<int>(coefficients_.rows());
    double *Q = Q_.col(first).data(), *W = Q_.col(size_).data(), *C = coefficients_.data() + first;
    parallel_blocks(m, kColumns, context_, [&](Index from, Index to) {
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, static_cast<int>(to - from), b, n, 1.0, Q + from * n, n, W,
                  n, 0.0, C + from, ldc);
    });
    parallel_blocks(n, kRows, context_, [&](Index from, Index to) {
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(to - from), b, m, -1.0, Q + from, n, C,
                  ldc, 1.0, W + from, n);
    });
  }

  void project_skinny(Index first) {
    constexpr Index kRows = 1024;
    const Index n = Q_.rows(), m = size_ - first, n_blocks = (n + kRows - 1) / kRows;
    const double* Q = Q_.col(first).data();
    double* W = Q_.col(size_).data();
    std::vector<double> parts(static_cast<std::size_t>(n_blocks * m * kSkinny));
    parallel_blocks(n, kRows, context_, [&](Index from, Index to) {
      skinny_coefficients(Q + from, m, W + from, n, to - from, parts.data() + from / kRows * m * kSkinny);
    });
    ColMatrix C = ColMatrix::Zero(m, kSkinny);
    for (Index b = 0; b < n_blocks; ++b) C += Eigen::Map<const ColMatrix>(parts.data() + b * m * kSkinny, m, kSkinny);
    parallel_blocks(n, kRows, context_, [&](Index from, Index to) {
      subtract_skinny_product(Q + from, m, C.data(), n, to - from, W + from);
    });
    coefficients_.middleRows(first, m) = C;
  }

  // Gram-Schmidt within the block: W = W' G. Returns the smallest length of a column.
  double orthonormalize_next(ColMatrix& G) {
    double least = 1;
    for (Index c = 0; c < block_; ++c) {
      auto w = Q_.col(size_ + c);
      for (Index i = 0; i < c; ++i) {
        G(i, c) = Q_.col(size_ + i).dot(w);
        w -= G(i, c) * Q_.col(size_ + i);
      }
      const double length = w.norm();
      G(c, c) = length;
      least = std::min(least, length);
      if (length > 1e-300) {
        w /= length;
      } else {
        draw(size_ + c);
        w.normalize();
        least = 0;
      }
    }
    return least;
  }

  const RunContext& context_;
  Index known_, size_, block_;
  ColMatrix Q_, H_, R_, coefficients_;
  Rng rng_;
};

// After how many vectors to solve the small problem: always for few pairs; for many, whose small problem is expensive,
// where the residuals will have converged if they go on to fall as they did.
class Looks {
 public:
  Looks(Index k, Index block) : block_(block), many_(k > kFew), next_(many_ ? k + k / 4 : k) {}
  [[nodiscard]] Index next() const { return next_; }
  void seen(Index m, double excess) {
    if (!many_ || !(excess > 1)) return;
    const double level = std::log(excess), fallen = level_ - level;
    const double needed = fallen > 0 ? static_cast<double>(m - m_) * level / fallen : static_cast<double>(m) / 8;
    next_ = m + std::clamp(static_cast<Index>(needed), block_, m / 4 + block_);
    level_ = level;
    m_ = m;
  }

 private:
  Index block_;
  bool many_;
  Index next_, m_ = 0;
  double level_ = 0;
};

double room_for_basis(const RunContext& context) {
  return context.memory_limit > 0 ? context.memory_limit : available_memory();
}

// Whether `times` of the values, sorted in descending order, nearly coincide.
bool repeats(const Vector& values, Index times) {
  constexpr double kSame = 1e-4;
  for (Index i = times - 1; i < values.size(); ++i)
    if (values[i - times + 1] - values[i] <= kSame * values[i]) return true;
  return false;
}

struct Found {
  Eigenpairs pairs;
  // Half as many eigenvalues as a block can show nearly coincide, some perhaps behind the last wanted one: there may be
  // more of them.
  bool crowded = false;
};

std::optional<Found> run(const BlockProduct& product, const ColMatrix& deflate, Index b, const EigenOptions& options,
                         const RunContext& context) {
  const Index n = deflate.rows(), k = options.n_pairs;
  const Index most = std::max(k <= kFew ? 16 * k + 80 : 4 * k + 296, 20 * b);
  const Index steps = std::min(most / b, (n - deflate.cols()) / b - 1);
  if ((steps - 1) * b < 2 * k) return {};
  if (8.0 * static_cast<double>(n) * static_cast<double>(steps * b) > room_for_basis(context)) return {};
  Basis basis(deflate, b, steps + 1, options.seed, context);
  basis.draw_next();
  basis.append_next();
  ColMatrix T = ColMatrix::Zero((steps + 1) * b, (steps + 1) * b);
  Looks looks(k, b);
  for (Index m = b; m <= steps * b; m += b) {
    product(basis.last(), basis.next());
    basis.append_next();
    T.block(m - b, m - b, b, b) = (basis.along_last() + basis.along_last().transpose()) / 2;
    T.block(m, m - b, b, b) = basis.rest();
    T.block(m - b, m, b, b) = basis.rest().transpose();
    context.tick("eigenvectors", 0);
    if (m < looks.next() && m + b <= steps * b) continue;
    const Eigenpairs ritz = largest_of_small(T.topLeftCorner(m, m), std::min(k + b, m));
    const Vector residuals = (basis.rest() * ritz.vectors.bottomRows(b).leftCols(k)).colwise().norm();
    const double excess = (residuals.array() / (options.tolerance * ritz.values.head(k).array())).maxCoeff();
    looks.seen(m, excess);
    if (excess <= 1) {
      Eigenpairs pairs;
      pairs.solver = "lanczos";
      pairs.values = ritz.values.head(k);
      pairs.vectors = product_of(basis.vectors().leftCols(m), ritz.vectors.leftCols(k));
      pairs.iterations = m;
      return Found{std::move(pairs), repeats(ritz.values, std::max<Index>(b / 2, 2))};
    }
  }
  return {};
}

}  // namespace

std::optional<Eigenpairs> block_lanczos(const BlockProduct& product, const ColMatrix& deflate, Index first_block,
                                        const EigenOptions& options, const RunContext& context) {
  const Index k = options.n_pairs;
  std::optional<Eigenpairs> found;
  for (Index b = first_block; b <= kMaxBlock; b *= 2) {
    auto wider = run(product, deflate, b, options, context);
    if (!wider) break;
    if (found) wider->pairs.iterations += found->iterations;
    found = std::move(wider->pairs);
    if (b >= k || !wider->crowded) break;
  }
  return found;
}

}  // namespace foldout
