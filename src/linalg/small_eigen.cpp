// SPDX-License-Identifier: Apache-2.0
#include "linalg/small_eigen.h"

#include <Eigen/Eigenvalues>

#include "foldout/core/error.h"

namespace foldout {

void small_eigen(ColMatrix& A, Vector& values) {
  thread_local Eigen::SelfAdjointEigenSolver<ColMatrix> solver;
  solver.compute(A);
  if (solver.info() != Eigen::Success) throw NumericalError("the eigenvectors of a local system did not converge");
  A = solver.eigenvectors();
  values = solver.eigenvalues();
}

}  // namespace foldout
