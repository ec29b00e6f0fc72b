// SPDX-License-Identifier: Apache-2.0
// Private: when learning has come to its end.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "foldout/dictionary/dictionary.h"

namespace foldout {

/// Whether the last three iterations together lowered the objective by less than this part of it. Several, since what
/// learners minimise may rise and fall: two iterations can be alike by chance. With a tolerance of 0 never.
[[nodiscard]] inline bool settled(const std::vector<DictionaryObjective>& objective, double tolerance) {
  constexpr std::ptrdiff_t kLast = 3;
  if (tolerance == 0 || std::ssize(objective) <= kLast) return false;
  const auto lowest = [](auto first, auto last) {
    double least = std::numeric_limits<double>::infinity();
    for (; first != last; ++first) least = std::min(least, first->after_atoms);
    return least;
  };
  const auto recent = objective.end() - kLast;
  return lowest(recent, objective.end()) >= (1 - tolerance) * lowest(objective.begin(), recent);
}

}  // namespace foldout
