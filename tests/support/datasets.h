// SPDX-License-Identifier: Apache-2.0
// Small samples for tests, easy and hard.
#pragma once

#include <cstdint>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"

namespace foldout::dataset {

/// A swiss roll in three dimensions.
Matrix roll(Index n, std::uint64_t seed = 1);
/// The same, turned into `d` ≥ 3 dimensions, with a little noise in all of them.
Matrix lifted_roll(Index n, Index d, std::uint64_t seed = 1);
/// A quarter of a cylinder, evenly sampled: dense enough for Hessian LLE, which a roll of a hundred samples is not.
Matrix sheet(Index n, std::uint64_t seed = 1);
/// side² points of an integer grid, row by row: distances with many ties, exact in floating point.
Matrix grid(Index side, Index d = 2);
/// `parts` Gaussian clouds of n samples each, `distance` apart on a line.
Matrix blobs(Index n, Index parts, Index d, double distance, std::uint64_t seed = 1);
/// Every row `times` times, the copies side by side.
Matrix repeated(const Matrix& samples, Index times);
Matrix rows_of(const Matrix& samples, const std::vector<Index>& rows);
/// A random order of the rows, and its inverse use: rows_of(x, order).
std::vector<Index> random_order(Index n, std::uint64_t seed);

/// Labels that follow from the samples alone: four classes by the medians of two features (fewer where they coincide).
std::vector<int> classes(const Matrix& samples);
/// Samples with these labels.
Dataset labelled(const Matrix& samples);

/// The same shape and the same bits.
bool same_bits(const Matrix& A, const Matrix& B);

}  // namespace foldout::dataset
