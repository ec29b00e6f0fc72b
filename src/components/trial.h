// SPDX-License-Identifier: Apache-2.0
// Private: an extension tried on samples that were held out, split after split.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "components/fitted_method.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// A map made from the training part of a split, and where that has the training samples.
struct TrialMap {
  std::shared_ptr<const OutOfSampleMap> map;
  Matrix train;
};

/// What was measured of one extension.
class Figures {
 public:
  /// One more split: makes the map, places the held-out samples, and adds the error that `error(train, held)` finds.
  /// What the extension refuses (too few samples, too much memory) becomes its refusal, and it is not tried again.
  void measure(const std::function<TrialMap()>& make, const Matrix& held,
               const std::function<void(const Matrix& train, const Matrix& held)>& judge, const RunContext& context);

  std::vector<double> placement, accuracy;  ///< per split
  double fit_seconds = 0;                   ///< to make the map, all splits
  double place_seconds = 0;                 ///< to place a sample, summed over the splits
  std::string refusal;
};

/// Mean and (population) standard deviation.
[[nodiscard]] double mean_of(const std::vector<double>& values);
[[nodiscard]] double spread_of(const std::vector<double>& values);

}  // namespace foldout
