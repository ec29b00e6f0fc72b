// SPDX-License-Identifier: Apache-2.0
// The smallest eigenpairs of a distributed sparse matrix, by SLEPc.
#pragma once

#include <string>
#include <vector>

#include "ranks.h"

namespace foldout::mpi {

/// Consecutive rows of a symmetric positive semidefinite matrix, and the same rows of its known null vector (of unit
/// length). Indices have the width of PETSc's.
struct MatrixRows {
  std::int64_t n = 0;  ///< rows of the whole matrix
  std::vector<int> row_starts, columns;
  std::vector<double> values;
  std::vector<double> null_vector;

  [[nodiscard]] Index n_rows() const { return std::ssize(row_starts) - 1; }
};

/// Jacobi–Davidson with algebraic multigrid suits graphs of low-dimensional data, Krylov–Schur those whose spectrum has
/// wide gaps, and shift-invert by a distributed factorisation (MUMPS) the squares of such operators (lle and its like).
enum class DistributedSolver { kJacobiDavidson, kKrylovSchur, kShiftInvert };
[[nodiscard]] std::string_view name_of(DistributedSolver solver);

struct SolvedRows {
  Vector values;   ///< ascending
  Matrix vectors;  ///< the rows of this rank, one eigenvector per column
  double gap = 0;  ///< the smallest between the eigenvalues found and 0, nearly equal ones apart
  Index iterations = 0;
};

/// Collective. Residuals are at most 3e-8 of the gap, which bounds the error of the eigenvectors, unless rounding
/// forbids it. Throws NumericalError if the solver does not converge.
[[nodiscard]] SolvedRows smallest_pairs(const MatrixRows& rows, Index n_pairs, DistributedSolver solver,
                                        const Ranks& ranks, const RunContext& context);

/// Collective; ends PETSc if it was started, which prints what PETSC_OPTIONS=-log_view asks for.
void end_petsc();

}  // namespace foldout::mpi
