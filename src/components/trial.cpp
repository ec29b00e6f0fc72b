// SPDX-License-Identifier: Apache-2.0
#include "components/trial.h"

#include <chrono>
#include <cmath>
#include <optional>

#include "components/attempt.h"

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

}  // namespace foldout
