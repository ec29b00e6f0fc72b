// SPDX-License-Identifier: Apache-2.0
// Private: all that moving the atoms needs to know of the samples and their codes. With codes x_i fixed,
//   Σ_i ‖y_i − Dx_i‖² + λ Σ_ij w_ij ‖y_i − d_j‖² = tr DᵀQD − 2 tr DᵀS + what D does not change,
//   Q = Σ_i x_i x_iᵀ + λ diag(Σ_i w_i),   S = Σ_i (x_i + λ w_i) y_iᵀ.
// It is least where QD = S. Samples that come in batches add to Q and S and need not stay.
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

struct AtomSystem {
  SparseMatrix Q;  ///< atoms × atoms
  Matrix S;        ///< atoms × features

  /// `pulls` are w: as many rows and columns as `codes`, with the same entries.
  AtomSystem(const MatrixRef& samples, const SparseMatrix& codes, const SparseMatrix& pulls, double locality,
             const RunContext& context);
  /// Older samples count `memory` times what they did, then the new ones are added.
  void add(const AtomSystem& other, double memory);
};

/// Moves every atom in turn to its best place with the others where they are (Gauss-Seidel). Returns by how much the
/// sum above changes: it never rises. An atom that no code uses stays.
double move_atoms(const AtomSystem& system, Matrix& atoms, const RunContext& context);

/// x² entry by entry: the pull of LCDL.
[[nodiscard]] SparseMatrix squared(const SparseMatrix& codes);

}  // namespace foldout
