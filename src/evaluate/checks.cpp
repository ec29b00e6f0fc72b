// SPDX-License-Identifier: Apache-2.0
#include "evaluate/checks.h"

#include <fmt/format.h>

#include "core/check.h"
#include "foldout/core/error.h"

namespace foldout {

void require_paired(const MatrixRef& A, const MatrixRef& B, std::string_view metric) {
  if (A.rows() != B.rows())
    throw InvalidArgument(
        fmt::format("{}: shapes {} × {} and {} × {} must have equal numbers of rows: row i of both is the same sample",
                    metric, A.rows(), A.cols(), B.rows(), B.cols()));
  require_samples(A, 1, metric);
  require_samples(B, 1, metric);
}

void require_neighbors(Index n_neighbors, Index most, Index n_samples, std::string_view metric) {
  if (n_neighbors >= 1 && n_neighbors <= most) return;
  throw InvalidArgument(fmt::format("{}: n_neighbors = {} must be 1 … {} for n_samples = {}: choose fewer neighbours",
                                    metric, n_neighbors, most, n_samples));
}

}  // namespace foldout
