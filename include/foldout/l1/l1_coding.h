// SPDX-License-Identifier: Apache-2.0
// Exact sparse codes: min ‖a‖₁ + ‖e‖₁ subject to Σ_j a_j d_j + e = x, with a certificate for every solution.
// docs/l1_solver.md derives the method.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

struct L1Options {
  double tolerance = 1e-8;  ///< largest relative duality gap that counts as solved
};

enum class L1Status {
  kSolved,   ///< gap ≤ tolerance
  kInexact,  ///< the gap stayed above the tolerance; the code is feasible, `gap` bounds the possible improvement
  kInfeasible,  ///< without errors only: x is not a combination of the atoms; `error` is the smallest ‖x − Σ a_j d_j‖₁
                ///< found
};

/// A code is a list of atoms with coefficients; all other coefficients are exactly zero.
struct L1Code {
  std::vector<int> atoms;      ///< ascending
  std::vector<double> values;  ///< a_j, none of them zero
  double objective = 0;        ///< ‖a‖₁ + ‖e‖₁
  double error = 0;            ///< ‖e‖₁, with e = x − Σ a_j d_j recomputed
  double gap = 0;              ///< (objective − dual bound) / max(objective, tiny), over all atoms
  L1Status status = L1Status::kSolved;
  Index pivots = 0;
  double multiply_adds = 0;  ///< of the whole solve, counted
  /// y, from which the gap follows: every objective is ≥ xᵀy / max(1, ‖Dy‖∞, ‖y‖∞), without errors ≥ xᵀy / ‖Dy‖∞,
  /// where D are the atoms without the skipped one. Anyone can check it.
  std::vector<double> certificate = {};
};

/// The atoms that samples are coded over (rows; any norm, any number, duplicates and zero rows allowed). Immutable and
/// thread-safe; a code depends only on the sample.
class L1Dictionary {
 public:
  explicit L1Dictionary(Matrix atoms, const L1Options& options = {});
  ~L1Dictionary();
  L1Dictionary(L1Dictionary&&) noexcept;
  L1Dictionary& operator=(L1Dictionary&&) noexcept;

  [[nodiscard]] const Matrix& atoms() const;

  /// min ‖a‖₁ + ‖e‖₁ subject to Σ a_j d_j + e = x. `skip` is the row of an atom that must not be used (an L1 graph
  /// codes every sample over the others); -1: none.
  [[nodiscard]] L1Code code(std::span<const double> x, Index skip = -1) const;
  /// min ‖a‖₁ subject to Σ a_j d_j = x.
  [[nodiscard]] L1Code code_exactly(std::span<const double> x, Index skip = -1) const;

 private:
  struct Data;
  std::unique_ptr<const Data> data_;
};

}  // namespace foldout
