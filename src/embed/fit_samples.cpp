// SPDX-License-Identifier: Apache-2.0
#include "embed/fit_samples.h"

#include <fmt/format.h>

#include <cmath>

#include "core/check.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

constexpr double kRounding = 1e-8;  // relative to the largest entry

void require_square(const MatrixRef& M, std::string_view given, std::string_view method) {
  if (M.rows() != M.cols())
    throw InvalidArgument(
        fmt::format("{}: {} needs a square matrix, one row and one column per training sample, but this one has {} "
                    "rows and {} columns: "
                    "omit {} if the rows are samples",
                    method, given, M.rows(), M.cols(), given));
  require_samples(M, 2, method);
}

// Whether the matrix is symmetric but for rounding errors, or exactly. Throws InvalidArgument if it is neither.
bool is_exactly_symmetric(const MatrixRef& M, std::string_view given, std::string_view method) {
  const double allowed = kRounding * M.cwiseAbs().maxCoeff();
  bool exact = true;
  for (Index i = 0; i < M.rows(); ++i)
    for (Index j = 0; j < i; ++j) {
      exact &= M(i, j) == M(j, i);
      if (std::abs(M(i, j) - M(j, i)) > allowed)
        throw InvalidArgument(fmt::format(
            "{}: {} needs a symmetric matrix, but row {}, column {} is {} and row {}, column {} is {}: give "
            "the same value for both",
            method, given, i, j, M(i, j), j, i, M(j, i)));
    }
  return exact;
}

// Whether the diagonal is exactly zero.
bool has_zero_diagonal(const MatrixRef& D, std::string_view method) {
  const double allowed = kRounding * D.cwiseAbs().maxCoeff();
  bool exact = true;
  for (Index i = 0; i < D.rows(); ++i) {
    exact &= D(i, i) == 0;
    if (std::abs(D(i, i)) > allowed)
      throw InvalidArgument(
          fmt::format("{}: metric=precomputed needs distances, but row {}, column {} is {}: the distance of a sample "
                      "to itself must "
                      "be 0",
                      method, i, i, D(i, i)));
  }
  return exact;
}

void require_nonnegative(const MatrixRef& D, std::string_view method) {
  Index i = 0, j = 0;
  if (const double least = D.minCoeff(&i, &j); least < 0)
    throw InvalidArgument(fmt::format(
        "{}: metric=precomputed needs distances, but row {}, column {} is {}: distances must not be negative", method,
        i, j, least));
}

Matrix symmetric_part(const MatrixRef& M) { return (M + Matrix(M.transpose())) / 2; }

Matrix repaired_distances(const MatrixRef& D, std::string_view method) {
  require_square(D, "metric=precomputed", method);
  require_nonnegative(D, method);
  const bool zero_diagonal = has_zero_diagonal(D, method);
  if (is_exactly_symmetric(D, "metric=precomputed", method) && zero_diagonal) return {};
  Matrix repaired = symmetric_part(D);
  repaired.diagonal().setZero();
  return repaired;
}

Matrix repaired_kernel(const MatrixRef& K, std::string_view method) {
  require_square(K, "kernel=precomputed", method);
  return is_exactly_symmetric(K, "kernel=precomputed", method) ? Matrix() : symmetric_part(K);
}

}  // namespace

FitSamples::FitSamples(const MatrixRef& samples, Metric metric, std::string_view method)
    : repaired_(metric == Metric::kPrecomputed ? repaired_distances(samples, method) : Matrix()),
      view_(repaired_.size() > 0 ? MatrixRef(repaired_) : samples) {
  if (metric != Metric::kPrecomputed) require_samples(samples, 2, method);
}

FitSamples::FitSamples(const MatrixRef& samples, KernelKind kernel, std::string_view method)
    : repaired_(kernel == KernelKind::kPrecomputed ? repaired_kernel(samples, method) : Matrix()),
      view_(repaired_.size() > 0 ? MatrixRef(repaired_) : samples) {
  if (kernel != KernelKind::kPrecomputed) require_samples(samples, 2, method);
}

void require_graph_of_distances(const GraphOptions& options, std::string_view method) {
  if (options.metric != Metric::kPrecomputed) return;
  const auto refuse = [&](std::string_view what, std::string_view remedy) {
    throw InvalidArgument(fmt::format("{}: {} needs the samples, and metric=precomputed gives only distances: use {}",
                                      method, what, remedy));
  };
  if (options.graph == GraphKind::kL1) refuse("graph=l1", "graph=knn, mutual, ball or full");
  if (options.graph != GraphKind::kFull && options.components == Components::kLargest)
    refuse("components=largest, which places the other samples by their reconstruction weights,", "components=connect");
  if (options.weights == EdgeWeights::kCosine) refuse("weights=cosine", "weights=heat or binary");
}

}  // namespace foldout
