// SPDX-License-Identifier: Apache-2.0
// Private: an approximate inverse of a sparse positive semidefinite matrix, the Laplacian of a graph, by smoothed
// aggregation multigrid. It costs about four products with the matrix, all of them parallel, and has no fill.
#pragma once

#include <optional>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "linalg/sparse_rows.h"

namespace foldout {

class Multigrid {
 public:
  /// For a matrix that maps `near_null`, which has no zeros, (almost) to zero. A is referred to, not copied. Returns
  /// nothing if a coarse level has almost as many nodes or entries as the finer one.
  [[nodiscard]] static std::optional<Multigrid> make(const SparseMatrix& A, const Vector& near_null,
                                                     const RunContext& context);

  /// The vectors of one level, with row i at i·width: right-hand side and then residual, solution, two corrections.
  struct Work {
    std::vector<float> F, X, D, E;
  };
  /// For all levels, of which the first is that of A.
  [[nodiscard]] std::vector<Work> workspace(Index width) const;

  /// X ≈ A⁺ F on the first level for `width` vectors, a multiple of 4; F is overwritten.
  void apply(std::vector<Work>& work, Index width, const RunContext& context) const { cycle(work, width, context, 0); }

  /// Entries of the operators of all levels, in entries of A.
  [[nodiscard]] double complexity() const { return complexity_; }

  /// A coarse level of some thousands of nodes, and the interpolation of a vector from there to A.
  [[nodiscard]] const SparseMatrix& coarse_matrix() const { return coarse_.matrix; }
  [[nodiscard]] const Vector& coarse_near_null() const { return coarse_.near_null; }
  [[nodiscard]] Matrix interpolated(Matrix vectors, const RunContext& context) const;

 private:
  // Rows of a matrix in single precision, for products with several vectors.
  struct Rows {
    Index count = 0;
    const int* first = nullptr;   // entry of every row
    const int* column = nullptr;  // of every entry
    std::vector<float> value;
    std::vector<int> own_first, own_column;  // empty if the pattern is that of a matrix that exists anyway

    static Rows of_pattern(const SparseMatrix& A);
    static Rows copied(const SparseMatrix& A);
    [[nodiscard]] RowsView<float> view() const { return {count, first, column, value.data()}; }
  };
  struct Level {
    Rows A, from_coarse, to_coarse;
    std::vector<float> inverse_diagonal;
    float bound = 0;  // of the eigenvalues of D⁻¹A
  };
  struct Coarse {
    std::size_t level = 0;
    SparseMatrix matrix;
    Vector near_null;
  };

  void cycle(std::vector<Work>& work, Index width, const RunContext& context, std::size_t level) const;

  std::vector<Level> levels_;
  Coarse coarse_;
  Matrix last_;  // pseudoinverse of the matrix of the last level
  double complexity_ = 1;
};

}  // namespace foldout
