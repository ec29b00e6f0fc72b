// SPDX-License-Identifier: Apache-2.0
// The number types of the whole library. Samples are rows, everywhere.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace [[gnu::visibility("default")]] foldout {

using Index = Eigen::Index;

/// One sample per row, contiguous: the layout of numpy's C order.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// Any matrix argument: a Matrix, a block of one, or a map of foreign memory, without a copy.
using MatrixRef = Eigen::Ref<const Matrix>;
using Vector = Eigen::VectorXd;
using VectorRef = Eigen::Ref<const Vector>;
/// Square systems inside linalg/ are column-major, as LAPACK requires.
using ColMatrix = Eigen::MatrixXd;
/// Compressed sparse rows.
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

}  // namespace foldout
