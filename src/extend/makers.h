// SPDX-License-Identifier: Apache-2.0
// Private: maps and coders shared by several extensions. `name` is the name of a map in reports and files.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "foldout/extend/codes.h"
#include "foldout/extend/extension.h"
#include "foldout/extend/geodesic.h"
#include "foldout/extend/lle.h"
#include "foldout/extend/nystrom.h"
#include "maps/coded_map.h"
#include "maps/feature_map.h"

namespace foldout {

using Map = std::shared_ptr<const OutOfSampleMap>;

/// The kernel of LLE by Bengio et al. (2004) is extend_lle() in the limit of a large arbitrary constant.
[[nodiscard]] Map make_lle_map(const MatrixRef& samples, const MatrixRef& coordinates,
                               const LleExtensionOptions& options, std::string_view name);

/// The kernel of Isomap by Bengio et al. (2004), in which a new sample is an end of paths and never inside one, is
/// extend_geodesic().
[[nodiscard]] Map make_geodesic_map(const MatrixRef& samples, const IsomapFit& fit,
                                    const GeodesicExtensionOptions& options, std::string_view name);

/// Codes over the atoms of a dictionary. coding_tau and locality must have values; `promise` refers to the training
/// samples, which need not be the atoms.
[[nodiscard]] Map make_codes_map(const MatrixRef& atoms, const MatrixRef& coordinates, const CodesOptions& options,
                                 TrainingPromise promise);

/// The output layer of an extreme learning machine with given hidden nodes: extend_elm() without the random draw.
[[nodiscard]] Extension train_output_layer(const MatrixRef& samples, const MatrixRef& coordinates, RandomNodes nodes,
                                           std::optional<double> ridge);

/// Sparse codes over samples of unit length, with errors sparse in single features. Weight j is multiplied by scale_j,
/// unless `scale` is empty.
[[nodiscard]] std::shared_ptr<const Coder> make_sparse_coder(Matrix samples, Vector scale);

/// Throws InvalidArgument if keys of nystrom are given where `what` has no use for them.
void require_default(const NystromOptions& options, std::string_view what);

/// Coordinates with column k divided by μ_k if μ_k > 0.2.
[[nodiscard]] Matrix corrected_by(const Vector& mu, Matrix coordinates);

}  // namespace foldout
