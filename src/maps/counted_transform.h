// SPDX-License-Identifier: Apache-2.0
// Private: OutOfSampleMap::transform() with a tally, which can be summed over blocks and then written into a report.
#pragma once

#include <string_view>

#include "core/tally.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

struct CountedTransform {
  const OutOfSampleMap& map;

  [[nodiscard]] Matrix operator()(const MatrixRef& samples, const RunContext& context, Tally& tally) const;
  /// The same for a block of checked samples, for maps that consist of others.
  [[nodiscard]] Matrix block(const MatrixRef& samples, Tally& tally) const {
    return map.transform_block(samples, tally);
  }

 private:
  [[nodiscard]] Matrix in_blocks(const MatrixRef& samples, const RunContext& context, Tally& tally) const;
};

/// Throws NumericalError if a row has values that are not finite.
void require_finite_coordinates(const Matrix& coordinates, std::string_view map);

}  // namespace foldout
