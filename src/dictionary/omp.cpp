// SPDX-License-Identifier: Apache-2.0
// Y. Pati, R. Rezaiifar, P. Krishnaprasad: Orthogonal Matching Pursuit (1993), in the form of R. Rubinstein,
// M. Zibulevsky, M. Elad: Efficient Implementation of the K-SVD Algorithm using Batch Orthogonal Matching Pursuit
// (2008): with unit atoms D, G = DDᵀ and α⁰ = Dy, the residual of y after a code x over atoms I has the products
// α = α⁰ − G_I x with the atoms, where G_II x = α⁰_I; the Cholesky factor of G_II grows by one row with each atom.
#include "dictionary/omp.h"

#include <algorithm>
#include <vector>

#include "core/parallel.h"
#include "dictionary/code_rows.h"
#include "linalg/distance.h"
#include "linalg/products.h"

namespace foldout {
namespace {

// Below these fractions, the residual of a sample, or of an atom given those in the code, is rounding error.
constexpr double kNothingLeft = 1e-13, kDependent = 1e-12;

class Pursuit {
 public:
  Pursuit(const Matrix& gram, Index sparsity)
      : gram_(gram), factor_(ColMatrix::Zero(sparsity, sparsity)), alpha_(gram.rows()), x_(sparsity) {}

  // Leaves the code in atoms() and values().
  void code(const double* products, double size) {
    const Index K = gram_.rows();
    const Eigen::Map<const Vector> start(products, K);
    atoms_.clear();
    alpha_ = start;
    while (std::ssize(atoms_) < factor_.rows()) {
      for (const int j : atoms_) alpha_[j] = 0;
      Index best = 0;
      if (!(alpha_.cwiseAbs().maxCoeff(&best) > kNothingLeft * size) || !append(best)) break;
      const auto p = std::ssize(atoms_);
      const auto L = factor_.topLeftCorner(p, p);
      for (Index i = 0; i < p; ++i) x_[i] = start[atoms_[static_cast<std::size_t>(i)]];
      L.triangularView<Eigen::Lower>().solveInPlace(x_.head(p));
      L.transpose().triangularView<Eigen::Upper>().solveInPlace(x_.head(p));
      if (p == factor_.rows()) break;
      alpha_ = start;
      for (Index i = 0; i < p; ++i) alpha_ -= x_[i] * gram_.row(atoms_[static_cast<std::size_t>(i)]).transpose();
    }
  }

  [[nodiscard]] const std::vector<int>& atoms() const { return atoms_; }
  [[nodiscard]] const Vector& values() const { return x_; }

 private:
  // Adds a row to the factor; false if the atom is a linear combination of those in the code.
  bool append(Index atom) {
    const auto p = std::ssize(atoms_);
    Vector row(p);
    for (Index i = 0; i < p; ++i) row[i] = gram_(atom, atoms_[static_cast<std::size_t>(i)]);
    factor_.topLeftCorner(p, p).triangularView<Eigen::Lower>().solveInPlace(row);
    const double rest = gram_(atom, atom) - row.squaredNorm();
    if (!(rest > kDependent)) return false;
    factor_.row(p).head(p) = row.transpose();
    factor_(p, p) = std::sqrt(rest);
    atoms_.push_back(static_cast<int>(atom));
    return true;
  }

  const Matrix& gram_;
  ColMatrix factor_;
  Vector alpha_, x_;
  std::vector<int> atoms_;
};

}  // namespace

SparseMatrix omp_codes(const MatrixRef& samples, const MatrixRef& atoms, int sparsity, const RunContext& context) {
  const Index n = samples.rows(), K = atoms.rows(), most = std::min<Index>(sparsity, K);
  const Matrix D = unit_rows(atoms), G = multiply_transposed(D, D);
  std::vector<CodeRow> rows(static_cast<std::size_t>(n));
  constexpr Index kBlock = 4 * kBlockRows;
  parallel_blocks(n, kBlock, context, [&](Index begin, Index end) {
    const Matrix products = multiply_transposed_rowwise(samples.middleRows(begin, end - begin), D);
    Pursuit pursuit(G, most);
    for (Index i = begin; i < end; ++i) {
      pursuit.code(products.row(i - begin).data(), length(samples.row(i).data(), samples.cols()));
      CodeRow& row = rows[static_cast<std::size_t>(i)];
      for (std::size_t k = 0; k < pursuit.atoms().size(); ++k) {
        const int j = pursuit.atoms()[k];
        row.emplace_back(j, pursuit.values()[static_cast<Index>(k)] / length(atoms.row(j).data(), atoms.cols()));
      }
      std::ranges::sort(row);
    }
  });
  return sparse_codes(rows, K);
}

}  // namespace foldout
