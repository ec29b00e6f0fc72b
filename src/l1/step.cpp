// SPDX-License-Identifier: Apache-2.0
#include "l1/step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "l1/kernels.h"

namespace foldout::l1 {
namespace {

constexpr int kPicked = 24;  // crossings that are picked one by one, before selection takes over

double median_of_three(double a, double b, double c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

struct Nearest {
  Index lane = 0, at = 0;
};

/// Where the smallest length is, without a branch that depends on the lengths: it would be mispredicted.
Nearest nearest(const double* lengths, Index n, std::array<double, kLanes> least) {
  const std::array<double, kLanes> by_lane = least;
  for (Index half = kLanes / 2; half > 0; half /= 2)
    for (Index l = 0; l < half; ++l) least[l] = least[l + half] < least[l] ? least[l + half] : least[l];
  Nearest found;
  for (Index l = kLanes - 1; l >= 0; --l) found.lane = by_lane[l] == least[0] ? l : found.lane;
  for (Index i = found.lane + n - kLanes; i >= 0; i -= kLanes) found.at = lengths[i] == least[0] ? i : found.at;
  return found;
}

/// Brings the crossings of [low, high) that `belongs` to the front; returns where they end. Every one is moved, so that
/// nothing is branched upon.
template <typename Belongs>
std::size_t gather(std::vector<Crossing>& crossings, std::size_t low, std::size_t high, const Belongs& belongs) {
  std::size_t end = low;
  for (std::size_t c = low; c < high; ++c) {
    const Crossing crossing = crossings[c];
    crossings[c] = crossings[end];
    crossings[end] = crossing;
    end += belongs(crossing) ? 1 : 0;
  }
  return end;
}

/// Finds the turn among crossings [low, size): passing all before `low` has left `slope` negative.
Step select(std::vector<Crossing>& crossings, std::size_t low, double slope) {
  std::size_t high = crossings.size();
  const auto begin = crossings.begin();
  while (low < high) {
    const double pivot =
        median_of_three(begin[low].length, begin[low + (high - low) / 2].length, begin[high - 1].length);
    double before = 0;  // the turns of those that are strictly nearer than the pivot
    const std::size_t middle = gather(crossings, low, high, [&](const Crossing& c) {
      const bool nearer = c.length < pivot;
      before += nearer ? c.turn : 0;
      return nearer;
    });
    if (slope + before >= 0) {
      high = middle;
      continue;
    }
    slope += before;
    low = middle;
    const std::size_t equal = gather(crossings, low, high, [&](const Crossing& c) { return c.length == pivot; });
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
  auto& lengths = scratch.lengths;
  auto& crossings = scratch.crossings;
  if (lengths.size() < static_cast<std::size_t>(n)) lengths.resize(n);
  crossings.clear();
  std::array<double, kLanes> least;
  crossing_lengths(lengths.data(), least.data(), v, s, d, n, negligible);
  const auto crossing = [&](Index i) { return Crossing{lengths[i], -2 * s[i] * d[i], static_cast<int>(i)}; };
  for (int picked = 0; picked < kPicked; ++picked) {
    const auto [lane, i] = nearest(lengths.data(), n, least);
    if (std::isinf(least[lane])) return {};
    const Crossing c = crossing(i);
    if (slope + c.turn >= 0) return {c.at, c.length, slope, crossings.size()};
    slope += c.turn;
    crossings.push_back(c);
    lengths[i] = least[lane] = std::numeric_limits<double>::infinity();
    for (Index j = lane; j < n; j += kLanes) least[lane] = lengths[j] < least[lane] ? lengths[j] : least[lane];
  }
  const std::size_t low = crossings.size();
  std::size_t count = low;
  crossings.resize(low + static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    crossings[count] = crossing(i);
    count += std::isinf(lengths[i]) ? 0 : 1;
  }
  crossings.resize(count);
  return select(crossings, low, slope);
}

}  // namespace foldout::l1
