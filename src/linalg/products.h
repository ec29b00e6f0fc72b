// SPDX-License-Identifier: Apache-2.0
// Dense products by OpenBLAS on one thread. Parallel loops are our own (core/parallel.h), so results do not depend on
// the number of threads that OpenBLAS would use.
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// A B
[[nodiscard]] Matrix multiply(const MatrixRef& A, const MatrixRef& B);
/// The same in blocks of rows, on all threads.
[[nodiscard]] Matrix multiply(const MatrixRef& A, const MatrixRef& B, const RunContext& context);
/// A Bᵀ
[[nodiscard]] Matrix multiply_transposed(const MatrixRef& A, const MatrixRef& B);
/// Aᵀ B
[[nodiscard]] Matrix transposed_multiply(const MatrixRef& A, const MatrixRef& B);

/// Aᵀ B, which must be symmetric, by the blocks on and above the diagonal, on all threads. Symmetric to the last bit.
[[nodiscard]] Matrix symmetric_product(const MatrixRef& A, const MatrixRef& B, const RunContext& context = {});

/// The lower triangle of A Aᵀ. G is resized.
void gram_of_rows(const Matrix& A, ColMatrix& G);

/// C = A Bᵀ in float32, for searches that check their results in float64. C is resized.
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
void multiply_transposed(const Eigen::Ref<const FloatRows>& A, const Eigen::Ref<const FloatRows>& B, FloatRows& C);

/// A B for samples in the rows of A. Row i of the result does not depend on the other rows or their number, bit for
/// bit: A is processed in padded blocks of one fixed height.
[[nodiscard]] Matrix multiply_rowwise(const MatrixRef& A, const MatrixRef& B);
/// A Bᵀ in the same way.
[[nodiscard]] Matrix multiply_transposed_rowwise(const MatrixRef& A, const MatrixRef& B);

/// All squared distances between the rows of A and of B, ‖a‖² + ‖b‖² − 2aᵀb; small ones are computed from the
/// differences to avoid cancellation. Accurate to about twelve digits; row i does not depend on the other rows of A.
[[nodiscard]] Matrix squared_distances(const MatrixRef& A, const MatrixRef& B, const RunContext& context = {});

/// 1 − cos between the rows of A and of B, which have unit length, as half the squared distance (no cancellation). A
/// row of zeros has no direction: its distance to all rows is 1, that of orthogonal ones.
[[nodiscard]] Matrix unit_row_distances(const MatrixRef& A, const MatrixRef& B);

/// The height of the blocks of multiply_rowwise, a multiple of every BLAS kernel's tile.
inline constexpr Index kBlockRows = 48;

}  // namespace foldout
