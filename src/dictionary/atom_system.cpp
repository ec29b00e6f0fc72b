// SPDX-License-Identifier: Apache-2.0
#include "dictionary/atom_system.h"

#include <span>

#include "core/parallel.h"
#include "linalg/loops.h"

namespace foldout {

namespace {

// Q and S of some samples.
Sums sums_of(const MatrixRef& samples, const SparseMatrix& codes, const SparseMatrix& weights, double locality) {
  Sums sums{Matrix::Zero(codes.cols(), samples.cols()), codes.transpose() * codes};
  const Vector weight = weights.transpose() * Vector::Ones(weights.rows());
  for (Index j = 0; j < codes.cols(); ++j)
    if (weight[j] > 0) sums.sparse.coeffRef(j, j) += locality * weight[j];
  const SparseMatrix by_atom = SparseMatrix(codes + locality * weights).transpose();
  for (Index j = 0; j < codes.cols(); ++j) {
    const auto first = static_cast<std::size_t>(by_atom.outerIndexPtr()[j]);
    const auto count = static_cast<std::size_t>(by_atom.outerIndexPtr()[j + 1]) - first;
    add_rows(sums.dense.row(j).data(), samples.cols(), samples.data(), samples.outerStride(),
             std::span(by_atom.innerIndexPtr() + first, count), std::span(by_atom.valuePtr() + first, count));
  }
  sums.sparse.makeCompressed();
  return sums;
}

}  // namespace

AtomSystem::AtomSystem(const SampleRows& samples, const SparseMatrix& codes, Weights weights, double locality,
                       const RunContext& context) {
  Sums sums = sum_over(samples, context, [&](Index begin, Index end) {
    const SparseMatrix part = codes.middleRows(begin, end - begin);
    return sums_of(samples.held().middleRows(begin, end - begin), part, weights(part), locality);
  });
  Q.swap(sums.sparse);
  S = std::move(sums.dense);
}

void AtomSystem::add(const AtomSystem& other, double memory) {
  Q = SparseMatrix(memory * Q + other.Q);
  S = memory * S + other.S;
}

double move_atoms(const AtomSystem& system, Matrix& atoms, const RunContext& context) {
  const SparseMatrix& Q = system.Q;
  const Matrix& S = system.S;
  const Matrix before = atoms;
  const Vector diagonal = Q.diagonal();
  constexpr Index kBlock = 16;  // features are independent of each other
  parallel_blocks(atoms.cols(), kBlock, context, [&](Index begin, Index end) {
    for (Index j = 0; j < atoms.rows(); ++j) {
      if (!(diagonal[j] > 0)) continue;
      Eigen::RowVectorXd sum = S.row(j).segment(begin, end - begin);
      for (SparseMatrix::InnerIterator it(Q, j); it; ++it)
        if (it.col() != j) sum -= it.value() * atoms.row(it.col()).segment(begin, end - begin);
      atoms.row(j).segment(begin, end - begin) = sum / diagonal[j];
    }
  });
  const Matrix step = atoms - before;
  return step.cwiseProduct(Q * (before + atoms) - 2 * S).sum();
}

SparseMatrix squared(const SparseMatrix& codes) {
  SparseMatrix squares = codes;
  squares.coeffs() = codes.coeffs().square();
  return squares;
}

}  // namespace foldout
