// SPDX-License-Identifier: Apache-2.0
#include "dictionary/l1_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dictionary/l1_kernels.h"

namespace foldout::l1 {
namespace {

constexpr int kPicked = 12;  // crossings that are picked one by one, before selection takes over

double median_of_three(double a, double b, double c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

/// Finds the turn among crossings [low, size): passing all before `low` has left `slope` negative.
Step select(std::vector<Crossing>& crossings, std::size_t low, double slope) {
  std::size_t high = crossings.size();
  const auto begin = crossings.begin();
  while (low < high) {
    const double pivot =
        median_of_three(begin[low].length, begin[low + (high - low) / 2].length, begin[high - 1].length);
    double before = 0;  // the turns of those that are strictly nearer than the pivot
    std::size_t middle = low;
    for (std::size_t c = low; c < high; ++c)
      if (begin[c].length < pivot) {
        before += begin[c].turn;
        std::swap(begin[c], begin[middle++]);
      }
    if (slope + before >= 0) {
      high = middle;
      continue;
    }
    slope += before;
    low = middle;
    std::size_t equal = low;
    for (std::size_t c = low; c < high; ++c)
      if (begin[c].length == pivot) std::swap(begin[c], begin[equal++]);
    // Of values that reach zero together, the one that turns the slope most makes the safest pivot: it comes last.
    std::sort(begin + static_cast<std::ptrdiff_t>(low), begin + static_cast<std::ptrdiff_t>(equal),
              [](const Crossing& a, const Crossing& b) { return a.turn != b.turn ? a.turn < b.turn : a.at < b.at; });
    for (; low < equal; ++low) {
      if (slope + begin[low].turn >= 0) return {begin[low].at, begin[low].length, slope, low};
      slope += begin[low].turn;
    }
  }
  return {};
}

}  // namespace

Step long_step(const double* v, const double* s, const double* d, Index n, double slope, double negligible,
               StepScratch& scratch) {
  auto& [lengths, crossings] = scratch;
  if (lengths.size() < static_cast<std::size_t>(n)) lengths.resize(n);
  crossings.clear();
  std::array<double, kLanes> least;
  crossing_lengths(lengths.data(), least.data(), v, s, d, n, negligible);
  const auto crossing = [&](Index i) { return Crossing{lengths[i], -2 * s[i] * d[i], static_cast<int>(i)}; };
  for (int picked = 0; picked < kPicked; ++picked) {
    const Index lane = std::ranges::min_element(least) - least.begin();
    if (std::isinf(least[lane])) return {};
    Index i = lane;
    while (lengths[i] != least[lane]) i += kLanes;
    const Crossing c = crossing(i);
    if (slope + c.turn >= 0) return {c.at, c.length, slope, crossings.size()};
    slope += c.turn;
    crossings.push_back(c);
    lengths[i] = least[lane] = std::numeric_limits<double>::infinity();
    for (i = lane; i < n; i += kLanes) least[lane] = std::min(least[lane], lengths[i]);
  }
  const std::size_t low = crossings.size();
  for (Index i = 0; i < n; ++i)
    if (!std::isinf(lengths[i])) crossings.push_back(crossing(i));
  return select(crossings, low, slope);
}

}  // namespace foldout::l1
