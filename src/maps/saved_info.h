// SPDX-License-Identifier: Apache-2.0
// Private: what every map writes into its archive and reads back.
#pragma once

#include "core/archive.h"
#include "foldout/core/error.h"
#include "foldout/maps/out_of_sample_map.h"
#include "maps/feature_map.h"

#include <fmt/format.h>
#include <algorithm>
#include <string>

namespace foldout {

/// How every map writes and reads its MapInfo.
void save_info(const MapInfo& info, Archive& archive);
[[nodiscard]] MapInfo load_info(const Archive& archive);
/// The samples of a map: at least one, with n_features features; otherwise throws IoError. Call it before their number
/// is used: an array without features takes no space in the file and may claim any number of rows.
[[nodiscard]] Matrix load_samples(const Archive& archive, Index n_features);

/// The enumerator of that name, or IoError.
template <class E>
E parse_name(const std::string& text) {
  const auto it = std::ranges::find(kNames<E>, text);
  if (it == kNames<E>.end()) throw IoError(fmt::format("'{}' is not known to this version", text));
  return static_cast<E>(it - kNames<E>.begin());
}

[[nodiscard]] Features load_random_nodes(const Archive& archive);
[[nodiscard]] Features load_pair_features(const Archive& archive, std::string_view kind, Index n_inputs);
/// Reports the samples that have no direction: those of length 0 or, for correlation, constant ones.
void remark_without_direction(const MatrixRef& samples, Metric metric, Tally& tally);
[[nodiscard]] Features load_powers(const Archive& archive, std::string_view kind, Index n_inputs);

}  // namespace foldout
