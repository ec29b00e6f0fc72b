// SPDX-License-Identifier: Apache-2.0
// Private: sparse codes as a coder, for the extensions that are built on them.
#pragma once

#include <memory>

#include "maps/coded_map.h"

namespace foldout {

/// Samples at unit length, errors sparse in single features. Weight j is multiplied by scale_j, unless `scale` is
/// empty.
[[nodiscard]] std::shared_ptr<const Coder> make_sparse_coder(Matrix samples, Vector scale);

/// Coordinates with column k divided by μ_k where μ_k > 0.2.
[[nodiscard]] Matrix corrected_by(const Vector& mu, Matrix coordinates);

}  // namespace foldout
