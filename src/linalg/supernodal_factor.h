// SPDX-License-Identifier: Apache-2.0
// Private: a sparse Cholesky factor computed by dense kernels, for factors with much fill. Columns of (almost) the same
// pattern form a supernode, stored as one dense panel.
#pragma once

#include <cstddef>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

using ColSparse = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

class SupernodalFactor {
 public:
  /// The symbolic phase, for a matrix in a fill-reducing order of which the upper triangle is stored. `parent` is its
  /// elimination tree (−1: none), `counts` has the entries below the diagonal in every column of the factor.
  SupernodalFactor(const ColSparse& upper, const std::vector<int>& parent, const std::vector<int>& counts);

  /// Bytes of the factor and of the largest set of updates that exist at a time.
  [[nodiscard]] double bytes() const { return 8 * (entries_ + peak_); }

  /// The numeric phase of upper + shift·I; false if it is not positive definite.
  [[nodiscard]] bool compute(const ColSparse& upper, double shift, const RunContext& context);

  /// X = (L Lᵀ)⁻¹ X for the `width` columns of X, with row i at x + i·width.
  void solve(double* x, Index width, const RunContext& context) const;

 private:
  struct Supernode {
    int first = 0, n_columns = 0;
    std::size_t rows = 0;  // of its list of rows in rows_: its own columns first, all ascending
    int n_rows = 0;
    std::size_t panel = 0;  // of its n_rows × n_columns panel of L in values_, by columns
    int parent = -1;        // the supernode that takes its update
  };
  struct Update;

  [[nodiscard]] const int* rows_of(const Supernode& s) const { return rows_.data() + s.rows; }
  void find_supernodes(const std::vector<int>& parent, const std::vector<int>& counts);
  void find_rows(const ColSparse& upper);
  [[nodiscard]] bool factor_panel(double* L, Index n_rows, Index n_columns, const RunContext& context) const;

  Index n_;
  std::vector<Supernode> supernodes_;
  std::vector<int> rows_;
  std::vector<double> values_;
  double entries_ = 0, peak_ = 0;
};

}  // namespace foldout
