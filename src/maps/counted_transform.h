// SPDX-License-Identifier: Apache-2.0
// Private: OutOfSampleMap::transform() with a tally, which can be summed over blocks and then written into a report.
#pragma once

#include "core/tally.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

struct CountedTransform {
  const OutOfSampleMap& map;

  [[nodiscard]] Matrix operator()(const MatrixRef& samples, const RunContext& context, Tally& tally) const;
};

}  // namespace foldout
