// SPDX-License-Identifier: Apache-2.0
#include "dictionary/l1_step.h"

#include <algorithm>

namespace foldout::l1 {
namespace {

std::size_t find_crossings(const double* v, const double* s, const double* d, Index n, double negligible,
                           std::vector<Crossing>& crossings) {
  if (crossings.size() < static_cast<std::size_t>(n)) crossings.resize(n);
  std::size_t count = 0;
  for (Index i = 0; i < n; ++i) {
    const double rate = -s[i] * d[i];  // > 0: the value moves towards zero
    crossings[count] = {s[i] * v[i] / rate, 2 * rate, static_cast<int>(i)};
    count += rate > negligible ? 1 : 0;
  }
  // A value that rounding left on the wrong side of zero crosses at once.
  for (std::size_t c = 0; c < count; ++c) crossings[c].length = std::max(crossings[c].length, 0.0);
  return count;
}

double median_of_three(double a, double b, double c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

}  // namespace

Step long_step(const double* v, const double* s, const double* d, Index n, double slope, double negligible,
               std::vector<Crossing>& crossings) {
  std::size_t low = 0, high = find_crossings(v, s, d, n, negligible, crossings);
  const auto begin = crossings.begin();
  // Passing all before `low` leaves `slope` negative; passing all before `high` does not.
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
    std::sort(begin + low, begin + equal,
              [](const Crossing& a, const Crossing& b) { return a.turn != b.turn ? a.turn < b.turn : a.at < b.at; });
    for (; low < equal; ++low) {
      if (slope + begin[low].turn >= 0) return {begin[low].at, begin[low].length, slope, low};
      slope += begin[low].turn;
    }
  }
  return {};
}

}  // namespace foldout::l1
