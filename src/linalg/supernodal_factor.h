// SPDX-License-Identifier: Apache-2.0
// Private: a sparse Cholesky factor computed by dense kernels. Columns of (almost) the same pattern form a supernode,
// stored as one dense panel.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "linalg/elimination_tree.h"

namespace foldout {

class SupernodalFactor {
 public:
  /// The symbolic phase.
  SupernodalFactor(const SparseMatrix& A, const EliminationTree& tree);

  /// Bytes of the factor and of the largest set of updates that exist at a time.
  [[nodiscard]] double bytes() const { return 8 * (entries_ + peak_); }

  /// The numeric phase of A + shift·I; false if it is not positive definite.
  [[nodiscard]] bool compute(double shift, const RunContext& context);

  /// X = (L Lᵀ)⁻¹ X for `width` columns of X, a multiple of kRowUnit, with row i in the order of the tree at
  /// x + i·width.
  void solve(double* x, Index width, const RunContext& context) const;

 private:
  struct Supernode {
    int first = 0, n_columns = 0;
    std::size_t rows = 0;  // of its list of rows in rows_: its own columns first, all ascending
    int n_rows = 0;
    std::size_t panel = 0;  // of its ld × n_columns panel of L in values_, by columns
    Index ld = 0;           // the rows of the panel, those below the diagonal block padded
    int parent = -1;        // the supernode that takes its update

    [[nodiscard]] Index update_size() const { return ld - n_columns; }
    /// Whether BLAS is worth its calls.
    [[nodiscard]] bool is_large() const;
  };

  // The lower triangle of A in the order of the tree; the entries of a column are not sorted.
  struct Lower {
    std::vector<int> first, rows;
    std::vector<double> values;
  };

  [[nodiscard]] const int* rows_of(const Supernode& s) const { return rows_.data() + s.rows; }
  void take_lower(const SparseMatrix& A, const std::vector<int>& order);
  void find_supernodes(const EliminationTree& tree);
  void find_rows();
  [[nodiscard]] bool factor_panel(double* L, const Supernode& node, const RunContext& context) const;
  void subtract_outer_product(const double* L, const Supernode& node, double* update, const RunContext& context) const;

  Index n_;
  Lower lower_;
  std::vector<Supernode> supernodes_;
  std::vector<int> rows_;
  std::unique_ptr<double[]> values_;  // the panels, one after another
  double entries_ = 0, peak_ = 0;
};

}  // namespace foldout
