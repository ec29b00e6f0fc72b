// SPDX-License-Identifier: Apache-2.0
// Private: how far to go along a direction. The objective is piecewise linear there: each basic value v_i that crosses
// zero turns its cost around and adds 2|s_i d_i| to the slope. The best step ends at the crossing at which the slope
// stops being negative, a weighted median of the crossings. Mostly that is one of the first few, which are picked one
// by one; otherwise the rest is searched by selection, without sorting.
#pragma once

#include <span>
#include <vector>

#include "foldout/core/types.h"

namespace foldout::l1 {

struct Crossing {
  double length = 0;  ///< of the step that brings the value to zero
  double turn = 0;    ///< what passing it adds to the slope
  int at = -1;        ///< which basic value
};

struct Step {
  int leaving = -1;  ///< the basic value that ends the step; -1: the slope never turns
  double length = 0;
  double slope = 0;        ///< just before the last crossing: negative
  std::size_t passed = 0;  ///< crossings [0, passed) lie before it: these values change sign
};

/// What one search leaves behind: memory, and the crossings [0, passed) of its answer.
struct StepScratch {
  std::vector<double> lengths;
  std::vector<Crossing> crossings;
};

/// `s`: signed costs of the basic values v, `d` their direction, `slope` < 0 at the start. Products |s_i d_i| up to
/// `negligible` are no crossings. n is a multiple of kLanes.
[[nodiscard]] Step long_step(const double* v, const double* s, const double* d, Index n, double slope,
                             double negligible, StepScratch& scratch);

}  // namespace foldout::l1
