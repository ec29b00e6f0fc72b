// SPDX-License-Identifier: Apache-2.0
// A symmetric matrix over samples, stored as sparse + diagonal + low rank + RᵀR. Graph Laplacians are sparse and
// diagonal; class means and centring are dense n×n of low rank; a sum of squares of sparse functions, such as the cost
// of LLE, has far fewer entries in R than in RᵀR.
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

struct SymmetricOperator {
  Index n = 0;
  SparseMatrix sparse = {};  ///< empty: none
  Vector diagonal = {};      ///< empty: none
  Matrix factor = {};        ///< F, one column per term of Σ_r w_r f_r f_rᵀ; empty: none
  Vector weights = {};       ///< w
  SparseMatrix root = {};    ///< R of a term RᵀR, rows not necessarily sorted; empty: none
  Matrix dense = {};         ///< for matrices of no such form; empty: none

  [[nodiscard]] static SymmetricOperator identity(Index n);
  /// D − W, and D alone.
  [[nodiscard]] static SymmetricOperator laplacian(const SparseMatrix& W);
  [[nodiscard]] static SymmetricOperator degrees(const SparseMatrix& W);

  /// Φᵀ M Φ, symmetric to the last bit.
  [[nodiscard]] Matrix congruence(const MatrixRef& Phi, const RunContext& context = {}) const;

 private:
  /// M Φ without the term RᵀR.
  [[nodiscard]] Matrix times(const MatrixRef& Phi, const RunContext& context) const;
};

}  // namespace foldout
