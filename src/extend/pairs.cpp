// SPDX-License-Identifier: Apache-2.0
#include "extend/pairs.h"

#include <fmt/format.h>

#include "core/check.h"
#include "foldout/core/error.h"

namespace foldout {

void require_pairs(const MatrixRef& samples, const MatrixRef& coordinates, std::string_view extension) {
  require_samples(samples, 1, extension);
  require_samples(coordinates, 1, std::string(extension) + " coordinates");
  if (coordinates.rows() != samples.rows())
    throw InvalidArgument(fmt::format("{}: {} samples, but {} rows of coordinates: one row per sample is needed",
                                      extension, samples.rows(), coordinates.rows()));
}

void require_neighbors(int n_neighbors, Index n_samples, std::string_view extension) {
  if (n_neighbors > n_samples)
    throw InvalidArgument(
        fmt::format("{}: n_neighbors = {} must be at most n_samples = {}", extension, n_neighbors, n_samples));
}

CenteredCoordinates::CenteredCoordinates(const MatrixRef& coordinates, bool intercept) : Y(coordinates) {
  if (!intercept) return;
  mean = coordinates.colwise().mean();
  Y.rowwise() -= mean.transpose();
}

}  // namespace foldout
