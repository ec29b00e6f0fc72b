// SPDX-License-Identifier: Apache-2.0
// Private: all that moving the atoms needs to know of the samples and their codes. With codes x_i fixed,
//   Σ_i ‖y_i − Dx_i‖² + λ Σ_ij w_ij ‖y_i − d_j‖²
// depends on the samples through A = Σ x xᵀ, B = Σ x yᵀ, C = Σ w yᵀ and c = Σ w only; samples that come in batches add
// to these and need not stay.
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

struct AtomMoments {
  SparseMatrix A;  ///< atoms × atoms
  Matrix B, C;     ///< atoms × features
  Vector c;        ///< per atom

  /// `pulls` are w: as many rows and columns as `codes`, with the same entries.
  AtomMoments(const MatrixRef& samples, const SparseMatrix& codes, const SparseMatrix& pulls,
              const RunContext& context);
  /// Older samples count `memory` times what they did, then the new ones are added.
  void add(const AtomMoments& other, double memory);
};

/// Moves every atom in turn to its best place with the others where they are (Gauss-Seidel): the sum above never rises.
/// An atom that no code uses stays.
void move_atoms(const AtomMoments& moments, double pull, Matrix& atoms, const RunContext& context);

/// x² entry by entry: the pull of LCDL.
[[nodiscard]] SparseMatrix squared(const SparseMatrix& codes);

}  // namespace foldout
