// SPDX-License-Identifier: Apache-2.0
#include "dictionary/atom_moments.h"

#include "foldout/core/parallel.h"

namespace foldout {

AtomMoments::AtomMoments(const MatrixRef& samples, const SparseMatrix& codes, const SparseMatrix& pulls,
                         const RunContext& context)
    : B(Matrix::Zero(codes.cols(), samples.cols())), C(B), c(Vector::Zero(codes.cols())) {
  const SparseMatrix by_atom = codes.transpose(), pull_by_atom = pulls.transpose();
  A = by_atom * codes;
  parallel_for(codes.cols(), context, [&](Index j) {
    SparseMatrix::InnerIterator pull(pull_by_atom, j);
    for (SparseMatrix::InnerIterator it(by_atom, j); it; ++it, ++pull) {
      B.row(j) += it.value() * samples.row(it.col());
      C.row(j) += pull.value() * samples.row(it.col());
      c[j] += pull.value();
    }
  });
}

void AtomMoments::add(const AtomMoments& other, double memory) {
  A = SparseMatrix(memory * A + other.A);
  B = memory * B + other.B;
  C = memory * C + other.C;
  c = memory * c + other.c;
}

void move_atoms(const AtomMoments& moments, double pull, Matrix& atoms, const RunContext& context) {
  const Vector diagonal = moments.A.diagonal();
  constexpr Index kBlock = 16;  // features do not know each other
  parallel_blocks(atoms.cols(), kBlock, context, [&](Index begin, Index end) {
    for (Index j = 0; j < atoms.rows(); ++j) {
      const double weight = diagonal[j] + pull * moments.c[j];
      if (!(weight > 0)) continue;
      Eigen::RowVectorXd sum = moments.B.row(j).segment(begin, end - begin);
      sum += pull * moments.C.row(j).segment(begin, end - begin);
      for (SparseMatrix::InnerIterator it(moments.A, j); it; ++it)
        if (it.col() != j) sum -= it.value() * atoms.row(it.col()).segment(begin, end - begin);
      atoms.row(j).segment(begin, end - begin) = sum / weight;
    }
  });
}

SparseMatrix squared(const SparseMatrix& codes) {
  SparseMatrix squares = codes;
  squares.coeffs() = codes.coeffs().square();
  return squares;
}

}  // namespace foldout
