// SPDX-License-Identifier: Apache-2.0
// Private: what a method is fitted to, checked: samples, or a matrix that compares every sample with every other.
#pragma once

#include <string_view>

#include "foldout/core/choices.h"
#include "foldout/core/types.h"
#include "graph/affinity.h"

namespace foldout {

/// Samples are checked by require_samples(). Precomputed distances must form a square, symmetric, nonnegative matrix
/// with a zero diagonal, precomputed kernel values a square, symmetric one; otherwise the constructor throws
/// InvalidArgument, which names the entry. Differences within 1e-8 of the largest entry count as rounding errors and
/// are removed.
class FitSamples {
 public:
  FitSamples(const MatrixRef& samples, Metric metric, std::string_view method);
  FitSamples(const MatrixRef& samples, KernelKind kernel, std::string_view method);
  [[nodiscard]] const MatrixRef& rows() const { return view_; }

 private:
  Matrix repaired_;
  MatrixRef view_;
};

/// Throws InvalidArgument for an option that needs the samples themselves if only distances are given.
void require_graph_of_distances(const GraphOptions& options, std::string_view method);

}  // namespace foldout
