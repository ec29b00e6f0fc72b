// SPDX-License-Identifier: Apache-2.0
// Private: what every map writes into its archive and reads back.
#pragma once

#include "core/archive.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

/// How every map writes and reads its MapInfo.
void save_info(const MapInfo& info, Archive& archive);
[[nodiscard]] MapInfo load_info(const Archive& archive);
/// The samples that a map holds: one at least, of so many features. Throws IoError for others; ask before their number
/// is used, for an array without features takes no room in the file and may claim any number of rows.
[[nodiscard]] Matrix load_samples(const Archive& archive, Index n_features);

}  // namespace foldout
