// SPDX-License-Identifier: Apache-2.0
// Any saved map, from its archive.
#pragma once

#include <memory>

#include "core/archive.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

/// Throws IoError for a kind that this version does not know or arrays that do not fit together.
[[nodiscard]] std::shared_ptr<const OutOfSampleMap> load_map(const Archive& archive);

}  // namespace foldout
