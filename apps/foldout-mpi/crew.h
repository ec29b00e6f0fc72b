// SPDX-License-Identifier: Apache-2.0
// A fit on rank 0 whose searches for neighbours, and eigenproblems if asked, are shared by all ranks: the seam
// core/shared_work.h over MPI. Rank 0 runs the fit with a Crew in its context; the others serve().
#pragma once

#include "checkpoint.h"
#include "core/shared_work.h"
#include "ranks.h"
#include "slepc.h"

namespace foldout::mpi {

/// Where eigenproblems are solved: on rank 0, with the bits of the single process, or on all ranks by SLEPc.
enum class Solve { kRoot, kDistributed };

/// What the last distributed eigenproblem took, for the report; no pairs: there was none.
struct DistributedSolution {
  Index n_pairs = 0;
  double residual = 0, gap = 0;  ///< absolute
};

class Crew final : public SharedWork {
 public:
  Crew(Solve solve, const Ranks& ranks, const Checkpoint& checkpoint)
      : solve_(solve), ranks_(ranks), checkpoint_(checkpoint) {}
  [[nodiscard]] std::optional<NeighborTable> nearest(const MatrixRef& samples, Index k, const NeighborOptions& options,
                                                     const RunContext& context) override;
  [[nodiscard]] std::optional<Eigenpairs> smallest(const SparseMatrix& A, const ColMatrix& deflate,
                                                   const EigenOptions& options, const RunContext& context) override;
  [[nodiscard]] const DistributedSolution& solution() const { return solution_; }
  /// Tells the other ranks that the fit is done.
  void dismiss() const;

 private:
  [[nodiscard]] NeighborTable search(const MatrixRef& samples, Index k, const NeighborOptions& options,
                                     const RunContext& context) const;

  Solve solve_;
  const Ranks& ranks_;
  const Checkpoint& checkpoint_;
  DistributedSolution solution_;
};

/// Helps rank 0 until it dismisses the crew.
void serve(const Ranks& ranks, const RunContext& context);

}  // namespace foldout::mpi
