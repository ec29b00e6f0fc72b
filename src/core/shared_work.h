// SPDX-License-Identifier: Apache-2.0
// Private: work of a fit that other processes share, behind RunContext::shared. One process runs the fit; where it asks
// for neighbours or eigenpairs, the others help. The seam of foldout-mpi for fits without a dictionary; for those with
// one see core/sample_rows.h.
#pragma once

#include <optional>

#include "foldout/core/types.h"

namespace foldout {

struct RunContext;
struct NeighborTable;
struct NeighborOptions;
struct Eigenpairs;
struct EigenOptions;

class SharedWork {
 public:
  SharedWork() = default;
  virtual ~SharedWork() = default;
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  /// nearest_neighbors() with the same table, bit for bit; empty: too little work to be shared.
  [[nodiscard]] virtual std::optional<NeighborTable> nearest(const MatrixRef& samples, Index k,
                                                             const NeighborOptions& options,
                                                             const RunContext& context) = 0;
  /// smallest_eigenpairs() within its tolerance; empty: not to be shared.
  [[nodiscard]] virtual std::optional<Eigenpairs> smallest(const SparseMatrix& A, const ColMatrix& deflate,
                                                           const EigenOptions& options, const RunContext& context) = 0;
};

}  // namespace foldout
