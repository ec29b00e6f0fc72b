// SPDX-License-Identifier: Apache-2.0
// How the atoms of a dictionary stand for the training samples: where they lie in the embedding, and how samples are
// placed by them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "foldout/core/fields.h"
#include "foldout/extend/codes.h"

namespace foldout {

/// Where the coordinates of atoms come from: an embedding of the atoms alone, or one of all samples, inside which atoms
/// are interpolated from their nearest samples.
enum class AtomCoordinates { kOwn, kSamples };
template <>
inline constexpr auto kNames<AtomCoordinates> = std::array<std::string_view, 2>{"own", "samples"};

struct LandmarkOptions {
  AtomCoordinates atom_coordinates = AtomCoordinates::kOwn;
  std::optional<int> coding_tau = {};   ///< atoms that hold a sample; auto: what places held-out training samples best
  std::optional<double> locality = {};  ///< λ of the codes; auto: likewise
  std::optional<double> ridge = {};     ///< μ of the codes, a squared distance; auto: usual_ridge()
};
[[nodiscard]] Fields fields(LandmarkOptions& options);

}  // namespace foldout
