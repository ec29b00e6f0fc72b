// SPDX-License-Identifier: Apache-2.0
// Private: whether a map returns the training coordinates as it promises, in the arithmetic of this fit.
#pragma once

#include <memory>

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

/// An exact map returns the coordinates of the training samples to this fraction of the largest in each component.
inline constexpr double kExactTolerance = 1e-8;

/// Places a few training samples with an exact map: 16, and some that are equal but have different coordinates. If a
/// deviation exceeds kExactTolerance / 10 (other samples may deviate more), the result is the same map declared
/// approximate, and the report states the largest deviation.
[[nodiscard]] std::shared_ptr<const OutOfSampleMap> with_measured_promise(std::shared_ptr<const OutOfSampleMap> map,
                                                                          const MatrixRef& samples,
                                                                          const Matrix& coordinates,
                                                                          const RunContext& context, Report& report);

}  // namespace foldout
