// SPDX-License-Identifier: Apache-2.0
// Private: maps that more than one extension consists of. `name` is what a map calls itself in reports and files.
#pragma once

#include <memory>
#include <string_view>

#include "foldout/extend/codes.h"
#include "foldout/extend/geodesic.h"
#include "foldout/extend/lle.h"

namespace foldout {

using Map = std::shared_ptr<const OutOfSampleMap>;

/// Bengio's kernel of LLE is extend_lle() in the limit in which its arbitrary constant grows.
[[nodiscard]] Map make_lle_map(const MatrixRef& samples, const MatrixRef& coordinates,
                               const LleExtensionOptions& options, std::string_view name);

/// Bengio's kernel of Isomap, in which a new sample is an end of paths and never on one, is extend_geodesic().
[[nodiscard]] Map make_geodesic_map(const MatrixRef& samples, const IsomapFit& fit,
                                    const GeodesicExtensionOptions& options, std::string_view name);

/// Codes over the atoms of a dictionary. coding_tau and locality must have values; `promise` is about the training
/// samples, which need not be the atoms.
[[nodiscard]] Map make_codes_map(const MatrixRef& atoms, const MatrixRef& coordinates, const CodesOptions& options,
                                 TrainingPromise promise);

}  // namespace foldout
