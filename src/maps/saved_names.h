// SPDX-License-Identifier: Apache-2.0
// Private: reading back what features and maps have written.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/archive.h"
#include "foldout/core/error.h"
#include "maps/feature_map.h"

namespace foldout {

/// The enumerator of that name, or IoError.
template <class E>
E parse_name(const std::string& text) {
  const auto it = std::ranges::find(kNames<E>, text);
  if (it == kNames<E>.end()) throw IoError(fmt::format("'{}' is not known to this version", text));
  return static_cast<E>(it - kNames<E>.begin());
}

[[nodiscard]] Features load_random_nodes(const Archive& archive);
[[nodiscard]] Features load_powers(const Archive& archive, std::string_view kind, Index n_inputs);

}  // namespace foldout
