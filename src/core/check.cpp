// SPDX-License-Identifier: Apache-2.0
#include "core/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "foldout/core/error.h"

namespace foldout {

void require_finite(const MatrixRef& samples, std::string_view what) {
  if ((0 * samples.array()).sum() == 0) return;  // 0·x is NaN unless x is finite: faster than allFinite()
  for (Index i = 0; i < samples.rows(); ++i)
    for (Index j = 0; j < samples.cols(); ++j)
      if (!std::isfinite(samples(i, j)))
        throw InvalidArgument(
            fmt::format("{}: row {}, column {} is {}; every value must be finite: remove or fill in such rows", what, i,
                        j, samples(i, j)));
}

void require_count(const MatrixRef& samples, Index least, std::string_view what) {
  if (samples.cols() < 1) throw InvalidArgument(fmt::format("{}: samples have no features", what));
  if (samples.rows() < least)
    throw InvalidArgument(fmt::format("{}: n_samples = {} must be at least {}", what, samples.rows(), least));
  require_finite(samples, what);
}

void require_samples(const MatrixRef& samples, Index least, std::string_view what) {
  require_count(samples, least, what);
  constexpr double kLargest = 1e150, kSmallest = 1e-150;
  Index i = 0, j = 0;
  const double largest = samples.cwiseAbs().maxCoeff(&i, &j);
  if (largest > 0 && largest < kSmallest)
    throw InvalidArgument(
        fmt::format("{}: the largest magnitude is {:g}; it must be at least {:g}, or squares underflow in double "
                    "precision: multiply the samples by a constant",
                    what, largest, kSmallest));
  if (largest <= kLargest) return;
  throw InvalidArgument(
      fmt::format("{}: row {}, column {} is {:g}; magnitudes must be at most {:g}, or squares overflow in double "
                  "precision: divide the samples by a constant",
                  what, i, j, samples(i, j), kLargest));
}

void require_width(const MatrixRef& samples, Index width, std::string_view what) {
  if (samples.cols() != width)
    throw InvalidArgument(
        fmt::format("{}: samples have {} features, but the model was fitted on {}: pass samples prepared the same way",
                    what, samples.cols(), width));
}

void require_rank(Index rank, Index n_components, std::string_view what, std::string_view method) {
  if (n_components <= rank) return;
  if (rank == 0)
    throw InvalidArgument(
        fmt::format("{}: all samples are equal in double precision and have no coordinates: use samples that differ, "
                    "or multiply them by a constant",
                    method));
  throw InvalidArgument(fmt::format("{}: n_components = {}, but the {} span only {} dimension{}: ask for at most {}",
                                    method, n_components, what, rank, rank == 1 ? "" : "s", rank));
}

void reject(std::string_view name, double value, std::string_view rule) {
  throw InvalidArgument(fmt::format("{} = {} {}", name, value, rule));
}

std::string format_bytes(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

void require_memory(double bytes, std::string_view what, std::string_view remedy, double limit) {
  const double allowed = limit > 0 ? limit : available_memory();
  if (bytes <= allowed) return;
  throw InvalidArgument(fmt::format("{} would take {}, but only {} are available: {}", what, format_bytes(bytes),
                                    format_bytes(allowed), remedy));
}

}  // namespace foldout
