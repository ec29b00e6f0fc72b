// SPDX-License-Identifier: Apache-2.0
// Private: the sums over samples and codes that the update of the atoms needs. With codes x_i fixed,
//   Σ_i ‖y_i − Dx_i‖² + λ Σ_ij w_ij ‖y_i − d_j‖² = tr DᵀQD − 2 tr DᵀS + const,
//   Q = Σ_i x_i x_iᵀ + λ diag(Σ_i w_i),   S = Σ_i (x_i + λ w_i) y_iᵀ.
// The minimum satisfies QD = S. Samples in batches are added to Q and S and need not be kept.
#pragma once

#include <functional>

#include "core/sample_rows.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

struct AtomSystem {
  SparseMatrix Q;  ///< atoms × atoms
  Matrix S;        ///< atoms × features

  /// `codes` of the held samples. `weights` makes w of them, of the same shape and sparsity pattern.
  using Weights = SparseMatrix (*)(const SparseMatrix& codes);
  AtomSystem(const SampleRows& samples, const SparseMatrix& codes, Weights weights, double locality,
             const RunContext& context);
  /// Multiplies the current sums by `memory`, then adds the new ones.
  void add(const AtomSystem& other, double memory);
};

/// Moves every atom in turn to its minimum with the others fixed (one Gauss-Seidel sweep). Returns the change of the
/// sum above, which never increases. An atom that no code uses stays.
double move_atoms(const AtomSystem& system, Matrix& atoms, const RunContext& context);

/// x² entry by entry: the locality weights of LCDL.
[[nodiscard]] SparseMatrix squared(const SparseMatrix& codes);

}  // namespace foldout
