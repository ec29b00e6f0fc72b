// SPDX-License-Identifier: Apache-2.0
// Dense products through OpenBLAS on one thread: parallel loops are ours (core/parallel.h), so that
// results do not depend on how many threads the BLAS would take.
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// A B
[[nodiscard]] Matrix multiply(const MatrixRef& A, const MatrixRef& B);
/// A Bᵀ
[[nodiscard]] Matrix multiply_transposed(const MatrixRef& A, const MatrixRef& B);
/// Aᵀ B
[[nodiscard]] Matrix transposed_multiply(const MatrixRef& A, const MatrixRef& B);

/// C = A Bᵀ in float32, for searches that check their answer in float64. C is resized.
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
void multiply_transposed(const Eigen::Ref<const FloatRows>& A, const Eigen::Ref<const FloatRows>& B, FloatRows& C);

/// A B for samples in the rows of A, such that row i of the result has the same bits whatever the other
/// rows are and however many there are: A is worked off in padded blocks of one fixed height.
[[nodiscard]] Matrix multiply_rowwise(const MatrixRef& A, const MatrixRef& B);
/// A Bᵀ in the same way.
[[nodiscard]] Matrix multiply_transposed_rowwise(const MatrixRef& A, const MatrixRef& B);

/// All squared distances between the rows of A and of B, ‖a‖² + ‖b‖² − 2aᵀb; small ones, where that would cancel, from
/// the differences. Good to about twelve digits; row i does not depend on the other rows of A.
[[nodiscard]] Matrix squared_distances(const MatrixRef& A, const MatrixRef& B, const RunContext& context = {});

/// 1 − cos between the rows of A and of B, which have unit length (half the squared distance: small ones keep their
/// digits). A row of zeros has no direction: it is as far from all as orthogonal ones are.
[[nodiscard]] Matrix unit_row_distances(const MatrixRef& A, const MatrixRef& B);

/// The height of the blocks of multiply_rowwise, a multiple of every BLAS kernel's tile.
inline constexpr Index kBlockRows = 48;

}  // namespace foldout
