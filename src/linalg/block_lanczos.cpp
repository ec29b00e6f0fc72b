// SPDX-License-Identifier: Apache-2.0
// Block Lanczos with full reorthogonalisation: G. H. Golub, R. Underwood: The block Lanczos method for computing
// eigenvalues, Mathematical Software III (1977). After j steps A Q = Q T + Q_next R E_lastᵀ with T block tridiagonal,
// and a Ritz vector Q s has the residual ‖R s_last‖, which is known without another product.
#include "linalg/block_lanczos.h"

#include <algorithm>

#include "core/random.h"
#include "linalg/blas.h"
#include "linalg/eigenpairs.h"

namespace foldout {
namespace {

constexpr Index kFirstBlock = 2, kMaxBlock = 16;
constexpr Index kMaxPairs = 64;  // for more, restarts are cheaper than a basis of so many vectors

// The deflated vectors, then the blocks; W = Q H + W' R when a block W is made orthonormal.
class Basis {
 public:
  Basis(const ColMatrix& deflate, Index block, Index n_blocks, std::uint64_t seed)
      : known_(deflate.cols()),
        size_(known_),
        block_(block),
        Q_(deflate.rows(), known_ + n_blocks * block),
        H_(Q_.cols(), block),
        coefficients_(Q_.cols(), block),
        rng_(seed) {
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

  /// Orthonormalises and appends the next block. Two passes are enough unless the block is linearly dependent; random
  /// vectors then complete it.
  void append_next() {
    H_.topRows(size_).setZero();
    R_.setIdentity(block_, block_);
    double least = 0;
    constexpr int kPasses = 2, kMaxPasses = 6;
    for (int pass = 0; pass < kPasses || (least < 0.5 && pass < kMaxPasses); ++pass) {
      project_next();
      H_.topRows(size_) += coefficients_.topRows(size_) * R_;
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

  void project_next() {
    const BlasGuard guard;
    const int n = static_cast<int>(Q_.rows()), m = static_cast<int>(size_), b = static_cast<int>(block_);
    if (m == 0) return;
    const int ldc = static_cast<int>(coefficients_.rows());
    double* W = Q_.col(size_).data();
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, b, n, 1.0, Q_.data(), n, W, n, 0.0, coefficients_.data(),
                ldc);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, b, m, -1.0, Q_.data(), n, coefficients_.data(), ldc, 1.0,
                W, n);
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

  Index known_, size_, block_;
  ColMatrix Q_, H_, R_, coefficients_;
  Rng rng_;
};

std::optional<Eigenpairs> run(const BlockProduct& product, const ColMatrix& deflate, Index b,
                              const EigenOptions& options, const RunContext& context) {
  const Index n = deflate.rows(), k = options.n_pairs;
  const Index steps = std::min(std::max(8 * k + 40, 20 * b) / b, (n - deflate.cols()) / b - 1);
  if ((steps - 1) * b < 2 * k) return {};
  Basis basis(deflate, b, steps + 1, options.seed);
  basis.draw_next();
  basis.append_next();
  ColMatrix T = ColMatrix::Zero((steps + 1) * b, (steps + 1) * b);
  for (Index m = b; m <= steps * b; m += b) {
    product(basis.last(), basis.next());
    basis.append_next();
    T.block(m - b, m - b, b, b) = (basis.along_last() + basis.along_last().transpose()) / 2;
    T.block(m, m - b, b, b) = basis.rest();
    T.block(m - b, m, b, b) = basis.rest().transpose();
    context.tick("eigenvectors", 0);
    if (m < k) continue;
    ColMatrix S = T.topLeftCorner(m, m);
    Vector values;
    small_eigen(S, values);  // ascending
    const ColMatrix wanted = S.rightCols(k).rowwise().reverse();
    const Vector residuals = (basis.rest() * wanted.bottomRows(b)).colwise().norm();
    if ((residuals.array() <= options.tolerance * values.tail(k).reverse().array()).all()) {
      Eigenpairs pairs;
      pairs.solver = "lanczos";
      pairs.values = values.tail(k).reverse();
      pairs.vectors = basis.vectors().leftCols(m) * wanted;
      pairs.iterations = m;
      return pairs;
    }
  }
  return {};
}

// Whether one of the values, sorted in descending order, occurs `times` times.
bool repeats(const Vector& values, Index times) {
  constexpr double kSame = 1e-6;
  for (Index i = times - 1; i < values.size(); ++i)
    if (values[i - times + 1] - values[i] <= kSame * values[i]) return true;
  return false;
}

}  // namespace

std::optional<Eigenpairs> block_lanczos(const BlockProduct& product, const ColMatrix& deflate,
                                        const EigenOptions& options, const RunContext& context) {
  const Index k = options.n_pairs;
  if (k > kMaxPairs) return {};
  std::optional<Eigenpairs> found;
  for (Index b = kFirstBlock; b <= kMaxBlock; b *= 2) {
    auto pairs = run(product, deflate, b, options, context);
    if (!pairs) break;
    if (found) pairs->iterations += found->iterations;
    found = std::move(pairs);
    if (b >= k || !repeats(found->values, b)) break;
  }
  return found;
}

}  // namespace foldout
