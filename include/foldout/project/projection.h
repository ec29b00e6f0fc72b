// SPDX-License-Identifier: Apache-2.0
// The result of every explicit map.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "foldout/core/choices.h"
#include "foldout/embed/embedding.h"
#include "foldout/maps/explicit_map.h"

namespace [[gnu::visibility("default")]] foldout {

struct ProjectionFit : Embedding {
  std::shared_ptr<const ExplicitMap> map;
};

}  // namespace foldout
