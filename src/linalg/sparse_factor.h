// SPDX-License-Identifier: Apache-2.0
// Private: the sparse Cholesky factor of A + shift·I for a symmetric positive semidefinite A, in a fill-reducing order.
#pragma once

#include <memory>
#include <optional>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

class SparseFactor {
 public:
  /// The symbolic phase: order and pattern.
  explicit SparseFactor(const SparseMatrix& A);
  ~SparseFactor();
  SparseFactor(const SparseFactor&) = delete;
  SparseFactor& operator=(const SparseFactor&) = delete;

  /// Entries of the factor and an estimate of the work to compute it, known after the symbolic phase.
  [[nodiscard]] double fill() const { return fill_; }
  [[nodiscard]] double flops() const { return flops_; }
  /// Bytes that the numeric phase takes at most.
  [[nodiscard]] double bytes() const;

  /// The numeric phase; throws NumericalError if A + shift·I is not positive definite.
  void compute(double shift, const RunContext& context);

  /// X = (A + shift·I)⁻¹ B. One pass over the factor solves for several columns.
  void solve(const Eigen::Ref<const ColMatrix>& B, Eigen::Ref<ColMatrix> X, const RunContext& context);

  /// Whether most of the work is in large fronts, whose solves gain from many columns at a time.
  [[nodiscard]] bool fills_in() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  double fill_ = 0, flops_ = 0;
};

/// What flops() would be, from the parts of A around one node and without its symbolic phase, which takes long for
/// matrices that fill in: the work for two sizes, extrapolated. Nothing for matrices that do not: those with up to 6000
/// rows, and those whose nodes are many edges apart, as on a surface.
[[nodiscard]] std::optional<double> estimated_flops(const SparseMatrix& A);

}  // namespace foldout
