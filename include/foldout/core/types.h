// SPDX-License-Identifier: Apache-2.0
// The number types of the whole library. Samples are rows, everywhere.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <algorithm>

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

/// Matrices are allocated by the library and freed by the program, or the reverse, so Eigen has to allocate in the same
/// way in both. How it does depends on compiler flags such as -march=native: `align_bytes` is the alignment it assumes,
/// `by_malloc` whether it calls malloc directly. The library defines the member of its own instance only, so a program
/// compiled with flags that do not match fails to link instead of crashing.
template <int align_bytes, bool by_malloc>
struct EigenAllocation {
  static const char is_that_of_libfoldout;
};
constexpr int kEigenAlignBytes = std::max(16, EIGEN_MAX_ALIGN_BYTES);
constexpr bool kEigenByMalloc = EIGEN_DEFAULT_ALIGN_BYTES == 0 || EIGEN_MALLOC_ALREADY_ALIGNED;
extern template struct EigenAllocation<kEigenAlignBytes, kEigenByMalloc>;
[[gnu::used]] static const char* const kEigenAllocation =
    &EigenAllocation<kEigenAlignBytes, kEigenByMalloc>::is_that_of_libfoldout;

}  // namespace foldout
