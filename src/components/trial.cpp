// SPDX-License-Identifier: Apache-2.0
#include "components/trial.h"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include "core/random.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Placed {
  Matrix train, held;
  double fit_seconds = 0, place_seconds = 0;
};

Placed place(const std::function<TrialMap()>& make, const Matrix& held, const RunContext& context) {
  Placed placed;
  const auto start = std::chrono::steady_clock::now();
  TrialMap made = make();
  placed.fit_seconds = seconds_since(start);
  placed.train = std::move(made.train);
  const auto begin = std::chrono::steady_clock::now();
  placed.held = made.map->transform(held, context);
  placed.place_seconds = seconds_since(begin) / static_cast<double>(held.rows());
  return placed;
}

}  // namespace

void Figures::measure(const std::function<TrialMap()>& make, const Matrix& held,
                      const std::function<void(const Matrix& train, const Matrix& held)>& judge,
                      const RunContext& context) {
  if (!refusal.empty()) return;
  auto placed = attempt([&] {
    Placed done = place(make, held, context);
    judge(done.train, done.held);
    return done;
  });
  if (!placed) {
    refusal = placed.reason;
    return;
  }
  fit_seconds += placed->fit_seconds;
  place_seconds += placed->place_seconds;
}

PlacementError placement_error(const Matrix& deviations, double extent) {
  const Vector squared = deviations.rowwise().squaredNorm();
  const auto m = static_cast<double>(squared.size());
  const double norm = std::sqrt(squared.sum()), scale = extent > 0 ? extent : 1;
  if (!(norm > 0) || m < 2) return {norm / scale, 0};
  const double variance = (squared.array() - squared.mean()).square().sum() / (m - 1);
  return {norm / scale, std::sqrt(m * variance) / (2 * norm * scale)};  // d√S = dS / 2√S
}

PlacementError mean_of(const std::vector<PlacementError>& errors) {
  const auto n = static_cast<double>(errors.size());
  PlacementError mean;
  for (const PlacementError& error : errors) {
    mean.value += error.value / n;
    mean.standard_error = std::hypot(mean.standard_error, error.standard_error / n);
  }
  return mean;
}

double mean_of(const std::vector<double>& values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  return mean;
}

double spread_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

Split split_samples(Index n_samples, const std::vector<int>& labels, double train, std::uint64_t seed) {
  if (!labels.empty() && std::ssize(labels) != n_samples)
    throw InvalidArgument(
        fmt::format("{} labels for {} samples: one label per sample is needed", labels.size(), n_samples));
  std::map<int, std::vector<Index>> classes;
  for (Index i = 0; i < n_samples; ++i) classes[labels.empty() ? 0 : labels[static_cast<std::size_t>(i)]].push_back(i);
  Split split;
  const Rng rng(seed);
  for (auto& [label, members] : classes) {
    const auto order = rng.stream(static_cast<std::uint64_t>(label)).permutation(static_cast<Index>(members.size()));
    const auto n = static_cast<double>(members.size());
    const auto count = static_cast<std::size_t>(std::lround(train * n));
    for (std::size_t i = 0; i < members.size(); ++i)
      (i < count ? split.train : split.held).push_back(members[static_cast<std::size_t>(order[i])]);
  }
  std::ranges::sort(split.train);
  std::ranges::sort(split.held);
  if (split.train.empty() || split.held.empty())
    throw InvalidArgument(
        fmt::format("{} samples cannot be split into {:.0f} % for training and a held-out part: change train, or "
                    "give more samples",
                    n_samples, 100 * train));
  return split;
}

std::vector<int> labels_of(const std::vector<int>& labels, const std::vector<Index>& rows) {
  std::vector<int> some;
  if (labels.empty()) return some;
  for (const Index i : rows) some.push_back(labels[static_cast<std::size_t>(i)]);
  return some;
}

}  // namespace foldout
