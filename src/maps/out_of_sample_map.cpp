// SPDX-License-Identifier: Apache-2.0
#include "foldout/maps/out_of_sample_map.h"

#include <fmt/format.h>

#include "foldout/core/check.h"
#include "foldout/core/error.h"
#include "foldout/core/parallel.h"
#include "foldout/linalg/products.h"

namespace foldout {

Matrix OutOfSampleMap::transform(const MatrixRef& samples, const RunContext& context) const {
  const MapInfo about = info();
  require_width(samples, about.n_features, about.name);
  require_finite(samples, about.name);
  Matrix coordinates(samples.rows(), about.n_components);
  parallel_blocks(
      samples.rows(), kBlockRows, context,
      [&](Index begin, Index end) {
        coordinates.middleRows(begin, end - begin) = transform_block(samples.middleRows(begin, end - begin));
      },
      "placing");
  if (!coordinates.allFinite())  // e.g. samples so large that their squares overflow
    for (Index i = 0; i < coordinates.rows(); ++i)
      if (!coordinates.row(i).allFinite())
        throw NumericalError(
            fmt::format("{}: row {} has no finite coordinates: its values are beyond the range of "
                        "double precision, scale it as the training samples were",
                        about.name, i));
  return coordinates;
}

}  // namespace foldout
